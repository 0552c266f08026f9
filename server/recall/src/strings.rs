//! Many short strings in one piece of memory.

use std::ops::Range;

/// Strings by number.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    text: Box<str>,
    ends: Box<[u32]>,
}

impl Strings {
    pub(crate) fn get(&self, number: u32) -> &str {
        &self.text[self.span(number)]
    }

    pub(crate) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    pub(crate) fn size_bytes(&self) -> usize {
        self.text.len() + size_of_val(&*self.ends)
    }

    fn span(&self, number: u32) -> Range<usize> {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        start..self.ends[number] as usize
    }
}

impl<'s> FromIterator<&'s str> for Strings {
    fn from_iter<I: IntoIterator<Item = &'s str>>(strings: I) -> Self {
        let mut text = String::new();
        let add = |string| {
            text.push_str(string);
            text.len() as u32
        };
        let ends = strings.into_iter().map(add).collect();
        Strings { text: text.into(), ends }
    }
}

//! Many short strings in one piece of memory.

use std::ops::Range;

/// Strings by number.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    text: Box<str>,
    ends: Box<[u32]>,
    /// The first four bytes of each string, so that most of a search stays within few cache lines.
    heads: Box<[u32]>,
}

impl Strings {
    pub(crate) fn get(&self, number: u32) -> &str {
        &self.text[self.span(number)]
    }

    /// The number of `string` among those of `range`, which are sorted.
    pub(crate) fn find(&self, range: Range<u32>, string: &str) -> Option<u32> {
        let head = head(string);
        let heads = &self.heads[range.start as usize..range.end as usize];
        let first = heads.partition_point(|&other| other < head);
        if heads.get(first) != Some(&head) {
            return None;
        }
        let same = heads[first..].partition_point(|&other| other == head) as u32;
        let first = range.start + first as u32;
        let bytes = |number| &self.text.as_bytes()[self.span(number)];
        let (mut low, mut high) = (first, first + same);
        while low < high {
            let middle = low + (high - low) / 2;
            if bytes(middle) < string.as_bytes() {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low < first + same && bytes(low) == string.as_bytes()).then_some(low)
    }

    pub(crate) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    pub(crate) fn size_bytes(&self) -> usize {
        self.text.len() + size_of_val(&*self.ends) + size_of_val(&*self.heads)
    }

    fn span(&self, number: u32) -> Range<usize> {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        start..self.ends[number] as usize
    }
}

/// The first four bytes, as a number that sorts like them.
fn head(string: &str) -> u32 {
    let mut head = [0; 4];
    head.iter_mut().zip(string.bytes()).for_each(|(to, from)| *to = from);
    u32::from_be_bytes(head)
}

impl<'s> FromIterator<&'s str> for Strings {
    fn from_iter<I: IntoIterator<Item = &'s str>>(strings: I) -> Self {
        let mut text = String::new();
        let (ends, heads): (Vec<_>, Vec<_>) = strings
            .into_iter()
            .map(|string| {
                text.push_str(string);
                (text.len() as u32, head(string))
            })
            .unzip();
        Strings { text: text.into(), ends: ends.into(), heads: heads.into() }
    }
}

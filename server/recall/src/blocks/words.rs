//! The distinct words of a block, and the search in them.

use memchr::memmem::Finder;
use memchr::{memchr, memchr_iter};

use super::{BlockError, begin, check, finish, open};

/// Ends each word.
const SEPARATOR: u8 = b'\n';

/// The words of a query.
///
/// One of them *matches* a word that contains it. The empty string and one with white space match no word.
#[derive(Clone, Debug)]
pub struct Needles(Vec<Option<Finder<'static>>>);

impl Needles {
    /// Prepares the search for `words`, outputs of [`fold_text`](crate::fold_text) that were split at spaces.
    pub fn new(words: &[impl AsRef<str>]) -> Self {
        let finder = |word: &str| {
            let is_word = !word.is_empty() && !word.contains([' ', '\n']);
            is_word.then(|| Finder::new(word).into_owned())
        };
        Needles(words.iter().map(|word| finder(word.as_ref())).collect())
    }

    /// Number of query words.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no query word.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The distinct words of a block.
#[derive(Clone, Copy, Debug)]
pub struct BlockWords<'b> {
    /// The words, each followed by a [`SEPARATOR`].
    text: &'b [u8],
    checksum: u64,
}

/// For each query word, the words of a block that contain it.
#[derive(Clone, Debug)]
pub struct WordMatches {
    /// Numbers of words, ascending.
    pub(super) words: Vec<Vec<u32>>,
    /// The checksum of the words of the block.
    pub(super) checksum: u64,
}

impl WordMatches {
    /// Whether each query word is in a word of the block, so that a row can contain all; true without query words.
    pub fn has_all(&self) -> bool {
        self.words.iter().all(|words| !words.is_empty())
    }

    /// Whether a query word is in a word of the block, so that at least one row contains it.
    pub fn has_any(&self) -> bool {
        self.words.iter().any(|words| !words.is_empty())
    }

    /// Number of query words that are in a word of the block: no row contains more of them.
    pub fn found(&self) -> u32 {
        self.words.iter().filter(|words| !words.is_empty()).count() as u32
    }
}

impl<'b> BlockWords<'b> {
    /// Reads the words from bytes that may be anything.
    ///
    /// # Complexity
    /// O(bytes), for the checksum. Allocates nothing.
    pub fn read(bytes: &'b [u8]) -> Result<Self, BlockError> {
        let (text, checksum) = open(bytes)?;
        check(text.last().is_none_or(|&last| last == SEPARATOR), "a word without an end")?;
        Ok(BlockWords { text, checksum })
    }

    /// Finds the words that contain each of `needles`.
    ///
    /// # Complexity
    /// O(bytes · needles). Allocates at most four bytes for each word and needle.
    pub fn matching(&self, needles: &Needles) -> WordMatches {
        let words = needles.0.iter().map(|needle| needle.as_ref().map(|needle| self.containing(needle)));
        WordMatches { words: words.map(Option::unwrap_or_default).collect(), checksum: self.checksum }
    }

    /// The numbers of the words that contain `needle`, which has no [`SEPARATOR`].
    fn containing(&self, needle: &Finder<'_>) -> Vec<u32> {
        let (mut found, mut number, mut rest) = (Vec::new(), 0, self.text);
        // `rest` begins with the word `number`
        while let Some((before, hit)) = needle.find(rest).and_then(|at| rest.split_at_checked(at)) {
            number += memchr_iter(SEPARATOR, before).count() as u32;
            found.push(number);
            number += 1;
            rest = memchr(SEPARATOR, hit).and_then(|end| hit.get(end + 1..)).unwrap_or_default();
        }
        found
    }

    pub(super) fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The words in the order of their numbers.
    pub(super) fn iter(&self) -> Result<impl Iterator<Item = &'b str> + use<'b>, BlockError> {
        let text = std::str::from_utf8(self.text).map_err(|_| BlockError::Damaged("a word that is not UTF-8"))?;
        Ok(text.split_terminator('\n'))
    }
}

/// Writes words, which are sorted; returns the checksum too.
pub(super) fn write<'w>(words: impl Iterator<Item = &'w str>) -> (Vec<u8>, u64) {
    let mut out = begin();
    for word in words {
        out.bytes.extend_from_slice(word.as_bytes());
        out.byte(SEPARATOR);
    }
    finish(out)
}

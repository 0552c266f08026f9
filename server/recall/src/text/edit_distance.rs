//! Edit distance of words: how many typing errors lie between them.

use super::chars::loose;

/// Compares other words with one word.
///
/// The distance is the number of inserted, omitted and replaced characters, and of swapped neighbours (optimal string
/// alignment). Letters of the same [`loose`] form are equal.
///
/// The table of a comparison remains for the next one, which continues it after the letters that both other words begin
/// with. So the comparison with sorted words is quick.
pub(crate) struct EditDistance {
    word: Vec<char>,
    /// A bit for each ASCII character of the word.
    ascii: u128,
    /// The last other word.
    other: Vec<char>,
    /// The table: a row for the empty word, then one for each of the first letters of `other`. A row has the distances of
    /// `other` up to its letter from each beginning of the word.
    rows: Vec<usize>,
    /// The least distance of each row.
    least: Vec<usize>,
}

impl EditDistance {
    pub(crate) fn to(word: &str) -> Self {
        let word: Vec<char> = word.chars().map(loose).collect();
        let ascii = word.iter().filter(|letter| letter.is_ascii()).fold(0, |bits, letter| bits | 1 << *letter as u32);
        let rows = (0..=word.len()).collect();
        EditDistance { word, ascii, other: Vec::new(), rows, least: vec![0] }
    }

    /// Number of characters of the word.
    pub(crate) fn len(&self) -> usize {
        self.word.len()
    }

    /// Whether `other`, in UTF-8, has more than `max` ASCII characters that the word lacks. It is then more than `max` away
    /// from the word and from each beginning of it; this is quicker than a comparison.
    pub(crate) fn is_beyond(&self, other: &[u8], max: usize) -> bool {
        // each of these characters was inserted or replaces another
        other.iter().filter(|byte| byte.is_ascii() && self.ascii >> **byte & 1 == 0).count() > max
    }

    /// The distance of `other` if it is at most `max`.
    pub(crate) fn of(&mut self, other: &str, max: usize) -> Option<usize> {
        self.set_other(other);
        if self.other.len().abs_diff(self.word.len()) > max {
            return None;
        }
        let last = self.last_row(max)?;
        last.last().copied().filter(|distance| *distance <= max)
    }

    /// Whether `other` is at most `max` away from the word or from a beginning of it.
    pub(crate) fn may_begin_with(&mut self, other: &str, max: usize) -> bool {
        self.set_other(other);
        self.other.len() <= self.word.len() + max
            && self.last_row(max).is_some_and(|last| last.iter().any(|distance| *distance <= max))
    }

    /// Replaces the other word, and removes the rows of letters that it does not begin with.
    fn set_other(&mut self, other: &str) {
        let mut same = 0;
        for letter in other.chars().map(loose) {
            match self.other.get(same) {
                Some(known) if *known == letter => {}
                Some(_) => {
                    self.other.truncate(same);
                    self.other.push(letter);
                    self.least.truncate(same + 1);
                }
                None => self.other.push(letter),
            }
            same += 1;
        }
        self.other.truncate(same);
        self.least.truncate(same + 1);
        self.rows.truncate(self.least.len() * (self.word.len() + 1));
    }

    /// The distances of the whole other word from each beginning of the word; `None` if all are above `max`.
    fn last_row(&mut self, max: usize) -> Option<&[usize]> {
        loop {
            // a swap continues the row before the previous one
            if let [.., before, previous] = &*self.least
                && before.min(previous) > &max
            {
                return None;
            }
            if self.least.len() > self.other.len() {
                return self.rows.rchunks(self.word.len() + 1).next();
            }
            self.add_row();
        }
    }

    /// Appends the row of the next letter.
    fn add_row(&mut self) {
        let (row, width) = (self.least.len(), self.word.len() + 1);
        let (letter, last_letter) = (self.other[row - 1], row.checked_sub(2).map(|last| self.other[last]));
        self.rows.resize((row + 1) * width, row);
        let (before, current) = self.rows.split_at_mut(row * width);
        let previous = &before[(row - 1) * width..];
        let (mut distance, mut least) = (row, row);
        let columns = self.word.iter().zip(previous.array_windows()).zip(&mut current[1..]);
        for (column, ((own, [left, above]), to)) in columns.enumerate() {
            distance = (left + usize::from(*own != letter)).min(above + 1).min(distance + 1);
            if Some(*own) == last_letter && column > 0 && self.word[column - 1] == letter {
                distance = distance.min(before[(row - 2) * width + column - 1] + 1);
            }
            *to = distance;
            least = least.min(distance);
        }
        self.least.push(least);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn distance(one: &str, other: &str) -> Option<usize> {
        EditDistance::to(one).of(other, 9)
    }

    /// By definition: the least cost of turning one word into the other.
    fn naive(one: &[char], other: &[char]) -> usize {
        let (Some((a, one_rest)), Some((b, other_rest))) = (one.split_first(), other.split_first()) else {
            return one.len() + other.len();
        };
        let replaced = naive(one_rest, other_rest) + usize::from(a != b);
        let mut least = replaced.min(naive(one_rest, other) + 1).min(naive(one, other_rest) + 1);
        if let (Some(c), Some(d)) = (one_rest.first(), other_rest.first())
            && (a, c) == (d, b)
        {
            least = least.min(naive(&one_rest[1..], &other_rest[1..]) + 1);
        }
        least
    }

    #[test]
    fn distance_counts_each_kind_of_error_once() {
        assert_eq!(distance("kubernetes", "kubernetes"), Some(0));
        assert_eq!(distance("kuberentes", "kubernetes"), Some(1));
        assert_eq!(distance("cofee", "coffee"), Some(1));
        assert_eq!(distance("lisabon", "lisbon"), Some(1));
        assert_eq!(distance("promethius", "prometheus"), Some(1));
        assert_eq!(distance("authentification", "authentication"), Some(2));
        assert_eq!(distance("алёна", "алена"), Some(0));
        assert_eq!(EditDistance::to("deploy").of("release", 3), None);
    }

    proptest! {
        #[test]
        fn distance_equals_its_definition(one in "[abc]{0,6}", other in "[abc]{0,6}", max in 0..4_usize) {
            let chars = |word: &str| word.chars().collect::<Vec<_>>();
            let expected = naive(&chars(&one), &chars(&other));
            prop_assert_eq!(EditDistance::to(&one).of(&other, max), Some(expected).filter(|it| *it <= max));
            let begins = (0..=one.len()).any(|end| naive(&chars(&one[..end]), &chars(&other)) <= max);
            prop_assert_eq!(EditDistance::to(&one).may_begin_with(&other, max), begins);
        }

        #[test]
        fn word_that_is_beyond_is_at_a_greater_distance(
            one in "[abcё]{0,6}",
            other in "[abcdeё]{0,6}",
            max in 0..4_usize,
        ) {
            let mut distance = EditDistance::to(&one);
            let absent = other.chars().filter(|letter| letter.is_ascii() && !one.contains(*letter)).count();
            prop_assert_eq!(distance.is_beyond(other.as_bytes(), max), absent > max);
            if absent > max {
                prop_assert!(!distance.may_begin_with(&other, max));
            }
        }

        #[test]
        fn distance_does_not_depend_on_earlier_comparisons(
            word in "[abc]{0,6}",
            others in prop::collection::vec(("[abc]{0,6}", 0..4_usize, any::<bool>()), 0..12),
        ) {
            let mut distance = EditDistance::to(&word);
            for (other, max, is_whole) in others {
                let mut single = EditDistance::to(&word);
                if is_whole {
                    prop_assert_eq!(distance.of(&other, max), single.of(&other, max));
                } else {
                    prop_assert_eq!(distance.may_begin_with(&other, max), single.may_begin_with(&other, max));
                }
            }
        }
    }
}

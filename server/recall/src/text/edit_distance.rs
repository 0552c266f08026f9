//! Edit distance of words: how many typing errors lie between them.

use super::chars::loose;

/// Compares other words with one word.
///
/// The distance is the number of inserted, omitted and replaced characters, and of swapped neighbours (optimal string
/// alignment). Letters of the same [`loose`] form are equal.
pub(crate) struct EditDistance {
    word: Vec<char>,
    other: Vec<char>,
    /// The last three rows of the table; a row belongs to a character of the other word.
    rows: [Vec<usize>; 3],
}

impl EditDistance {
    pub(crate) fn to(word: &str) -> Self {
        EditDistance { word: word.chars().map(loose).collect(), other: Vec::new(), rows: Default::default() }
    }

    /// Number of characters of the word.
    pub(crate) fn len(&self) -> usize {
        self.word.len()
    }

    /// The distance of `other` if it is at most `max`.
    pub(crate) fn of(&mut self, other: &str, max: usize) -> Option<usize> {
        self.other.clear();
        self.other.extend(other.chars().map(loose));
        if self.other.len().abs_diff(self.word.len()) > max {
            return None;
        }
        let last = self.last_row(max)?;
        last.last().copied().filter(|distance| *distance <= max)
    }

    /// Whether `other` is at most `max` away from the word or from a beginning of it.
    pub(crate) fn may_begin_with(&mut self, other: &str, max: usize) -> bool {
        self.other.clear();
        self.other.extend(other.chars().map(loose));
        self.other.len() <= self.word.len() + max
            && self.last_row(max).is_some_and(|last| last.iter().any(|distance| *distance <= max))
    }

    /// The distances of the whole other word from each beginning of the word; `None` if all are above `max`.
    fn last_row(&mut self, max: usize) -> Option<&[usize]> {
        let [before, previous, current] = &mut self.rows;
        previous.clear();
        previous.extend(0..=self.word.len());
        let mut previous_min = 0;
        for (row, &letter) in self.other.iter().enumerate() {
            current.clear();
            current.push(row + 1);
            let mut min = row + 1;
            for (column, &own) in self.word.iter().enumerate() {
                let replaced = previous[column] + usize::from(own != letter);
                let mut distance = replaced.min(previous[column + 1] + 1).min(current[column] + 1);
                let is_swapped = row > 0 && column > 0 && own == self.other[row - 1] && self.word[column - 1] == letter;
                if is_swapped {
                    distance = distance.min(before[column - 1] + 1);
                }
                min = min.min(distance);
                current.push(distance);
            }
            // a swap continues the row before the previous one
            if min.min(previous_min) > max {
                return None;
            }
            previous_min = min;
            std::mem::swap(before, previous);
            std::mem::swap(previous, current);
        }
        Some(previous)
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
    }
}

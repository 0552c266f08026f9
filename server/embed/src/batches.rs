//! Many texts on several threads, in passes of a limited size.

use std::thread;

/// Tokens per pass through the network: larger passes need more memory, smaller ones more time.
const TOKENS_PER_PASS: usize = 2_048;

/// The results of `f` for consecutive shares of the items, in the order of the items.
pub(crate) fn on_threads<T: Sync, R: Send>(threads: usize, items: &[T], f: impl Fn(&[T]) -> Vec<R> + Sync) -> Vec<R> {
    let share = items.len().div_ceil(threads.max(1)).max(1);
    let f = &f;
    thread::scope(|scope| {
        let running: Vec<_> = items.chunks(share).skip(1).map(|share| scope.spawn(move || f(share))).collect();
        let mut results = items.chunks(share).next().map_or_else(Vec::new, f);
        for thread in running {
            results.extend(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        results
    })
}

/// Consecutive items of at most [`TOKENS_PER_PASS`] tokens together; an item with more is a pass of its own.
pub(crate) fn passes<T>(items: &[T], tokens: impl Fn(&T) -> usize) -> impl Iterator<Item = &[T]> {
    let mut rest = items;
    std::iter::from_fn(move || {
        let mut sum = 0;
        let fits = rest.iter().take_while(|item| {
            sum += tokens(item);
            sum <= TOKENS_PER_PASS
        });
        let (now, later) = rest.split_at_checked(fits.count().max(1))?;
        rest = later;
        Some(now)
    })
}

#[cfg(test)]
mod tests {
    use super::{TOKENS_PER_PASS, on_threads, passes};

    #[test]
    fn passes_hold_every_item_once_and_stay_within_the_limit() {
        let sizes = [1, TOKENS_PER_PASS, TOKENS_PER_PASS + 1, 3, 4, TOKENS_PER_PASS - 7, 1];
        let split: Vec<&[usize]> = passes(&sizes, |size| *size).collect();
        assert_eq!(split.concat(), sizes);
        assert_eq!(split.iter().map(|pass| pass.len()).collect::<Vec<_>>(), [1, 1, 1, 3, 1]);
        assert_eq!(passes::<usize>(&[], |size| *size).count(), 0);
    }

    #[test]
    fn results_are_in_the_order_of_the_items_on_any_number_of_threads() {
        let items: Vec<usize> = (0..7).collect();
        for threads in [0, 1, 2, 3, 20] {
            assert_eq!(on_threads(threads, &items, <[usize]>::to_vec), items, "{threads}");
        }
        assert!(on_threads(3, &[], <[usize]>::to_vec).is_empty());
    }
}

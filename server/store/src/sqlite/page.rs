//! The unused part of b-tree pages.
//!
//! `secure_delete` overwrites deleted cells and pages. The one place that it does not reach is the part of a page
//! between the cell pointers and the cells: when SQLite balances a tree, it rebuilds pages and leaves bytes of moved
//! cells there.

use std::ops::Range;

/// Length of the file header, which precedes the b-tree header on the first page.
const FILE_HEADER: usize = 100;

/// Minimum length of a cell and of a free block.
const MIN_CELL: usize = 4;

/// The largest number of pages for which the type of a page is certain. The first byte of an overflow page or of a
/// page in the free list is the highest byte of a page number. It is below 2, the lowest type of a b-tree page, as
/// long as all page numbers are below 2^25.
pub(super) const MAX_PAGES: u32 = (1 << 25) - 1;

/// A copy of the page with zeros in its unused part. None if there is nothing to overwrite.
pub(super) fn without_residue(page: &[u8], offset: u64) -> Option<Vec<u8>> {
    let unused = unused(page, offset).filter(|unused| page[unused.clone()].iter().any(|byte| *byte != 0))?;
    let mut page = page.to_vec();
    page[unused].fill(0);
    Some(page)
}

/// The bytes of a b-tree page between its cell pointers and its cells, for a page at `offset` in the file. None for
/// any other page, and for bytes that are not a consistent page.
///
/// # Complexity
/// O(cells of the page).
///
/// # Source
/// <https://www.sqlite.org/fileformat2.html#b_tree_pages>.
pub(super) fn unused(page: &[u8], offset: u64) -> Option<Range<usize>> {
    let is_page = page.len().is_power_of_two() && (512..=65_536).contains(&page.len());
    if !is_page || !offset.is_multiple_of(page.len() as u64) {
        return None;
    }
    let start = if offset == 0 { FILE_HEADER } else { 0 };
    let number = |at: usize| usize::from(u16::from_be_bytes([page[at], page[at + 1]]));
    let pointers = match page[start] {
        2 | 5 => start + 12,
        10 | 13 => start + 8,
        _ => return None,
    };
    let (free_block, cells) = (number(start + 1), number(start + 3));
    let content = match number(start + 5) {
        0 => 65_536,
        content => content,
    };
    let end = pointers + 2 * cells;
    if end > content || content > page.len() {
        return None;
    }
    let is_in_content = |at: usize| (content..=page.len() - MIN_CELL).contains(&at);
    let is_consistent = (free_block == 0 || is_in_content(free_block))
        && (pointers..end).step_by(2).all(|pointer| is_in_content(number(pointer)));
    is_consistent.then_some(end..content)
}

#[cfg(test)]
mod tests {
    use super::{unused, without_residue};

    /// A leaf of a table with one cell at 500.
    fn leaf() -> Vec<u8> {
        let mut page = vec![0u8; 512];
        page[0] = 13;
        page[4] = 1;
        page[5..7].copy_from_slice(&500u16.to_be_bytes());
        page[8..10].copy_from_slice(&500u16.to_be_bytes());
        page[500..].fill(7);
        page
    }

    #[test]
    fn unused_part_is_between_cell_pointers_and_cells() {
        assert_eq!(unused(&leaf(), 512), Some(10..500));
        let mut first = vec![0u8; 612];
        first[100..].copy_from_slice(&leaf());
        first.truncate(512);
        assert_eq!(unused(&first, 0), Some(110..500), "the first page begins with the header of the file");
        assert_eq!(unused(&first, 512), None);
    }

    #[test]
    fn only_the_unused_part_is_overwritten() {
        let mut page = leaf();
        assert_eq!(without_residue(&page, 512), None, "nothing to overwrite");
        page[10..500].fill(9);
        assert_eq!(without_residue(&page, 512), Some(leaf()));
    }

    #[test]
    fn bytes_that_are_no_consistent_page_have_no_unused_part() {
        let check = |at: usize, value: u16| {
            let mut page = leaf();
            page[at..at + 2].copy_from_slice(&value.to_be_bytes());
            assert_eq!(unused(&page, 512), None, "{value} at {at}");
        };
        check(0, 0); // an overflow page
        check(0, 0x0100); // an overflow page of a large file
        check(1, 3); // a free block before the cells
        check(3, 300); // more cells than fit
        check(5, 3); // cells before the pointers
        check(5, 600); // cells after the page
        check(8, 499); // a cell before the cells
        check(8, 509); // a cell that ends after the page
        assert_eq!(unused(&leaf()[..500], 500), None);
        assert_eq!(unused(&leaf(), 100), None);
    }
}

//! The difference of two packages.

use std::fmt::Write;

use super::PackageFile;

/// Cells of the table that compares two files; larger files differ as a whole.
const MAX_CELLS: usize = 4_000_000;

/// The lines that differ between two packages, file by file; `provenance.json` always differs and is left out.
///
/// # Complexity
/// O(n · m) for the differing lines of a file, at most [`MAX_CELLS`].
#[must_use]
pub fn difference(from: &[PackageFile], to: &[PackageFile]) -> String {
    let mut paths: Vec<&str> = from.iter().chain(to).map(|file| file.path.as_str()).collect();
    paths.sort_unstable();
    paths.dedup();
    let text_of = |files: &[PackageFile], path: &str| {
        files.iter().find(|file| file.path == path).map(|file| file.text.clone()).unwrap_or_default()
    };
    let mut difference = String::new();
    for path in paths.into_iter().filter(|path| *path != "provenance.json") {
        let (one, other) = (text_of(from, path), text_of(to, path));
        if one != other {
            let _ = writeln!(difference, "--- {path}\n+++ {path}");
            compare(&one.lines().collect::<Vec<_>>(), &other.lines().collect::<Vec<_>>(), &mut difference);
        }
    }
    difference
}

/// Appends all lines of two texts, each with its sign.
fn compare(one: &[&str], other: &[&str], difference: &mut String) {
    let same_start = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let (head, one) = one.split_at(same_start);
    let other = &other[same_start..];
    let same_end = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    let (one, tail) = one.split_at(one.len() - same_end);
    let other = &other[..other.len() - same_end];
    let mut add = |sign: char, line: &str| {
        let _ = writeln!(difference, "{sign}{line}");
    };
    head.iter().for_each(|line| add(' ', line));
    let width = other.len() + 1;
    let (mut at, mut other_at) = (0, 0);
    if (one.len() + 1).saturating_mul(width) <= MAX_CELLS {
        // the longest common subsequence of the rests
        let mut longest = vec![0_u32; (one.len() + 1) * width];
        for row in (0..one.len()).rev() {
            for column in (0..other.len()).rev() {
                longest[row * width + column] = match one[row] == other[column] {
                    true => longest[(row + 1) * width + column + 1] + 1,
                    false => longest[(row + 1) * width + column].max(longest[row * width + column + 1]),
                };
            }
        }
        while at < one.len() && other_at < other.len() {
            if one[at] == other[other_at] {
                add(' ', one[at]);
                (at, other_at) = (at + 1, other_at + 1);
            } else if longest[(at + 1) * width + other_at] >= longest[at * width + other_at + 1] {
                add('-', one[at]);
                at += 1;
            } else {
                add('+', other[other_at]);
                other_at += 1;
            }
        }
    }
    one[at..].iter().for_each(|line| add('-', line));
    other[other_at..].iter().for_each(|line| add('+', line));
    tail.iter().for_each(|line| add(' ', line));
}

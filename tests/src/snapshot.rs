//! Snapshots in `tests/snapshots`, which people review.

use std::path::Path;

/// Compares a text with a assert_reviewed snapshot. With `ORGMEM_REVIEW` set it writes the snapshot instead.
#[track_caller]
pub fn assert_reviewed(file: &str, now: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots").join(file);
    if std::env::var_os("ORGMEM_REVIEW").is_some() {
        std::fs::write(&path, now).expect("the page can be written");
    }
    let reviewed = std::fs::read_to_string(&path).unwrap_or_default();
    let differing = now.lines().zip(reviewed.lines().chain(std::iter::repeat(""))).find(|(now, then)| now != then);
    assert!(
        now == reviewed,
        "tests/snapshots/{file} differs, first at {differing:?}; run with ORGMEM_REVIEW=1 and review the \
         difference like code\n{now}"
    );
}

//! Pages that tests write and people review.

use std::path::Path;

/// Holds a page to the reviewed one in `tests/snapshots`; with `ORGMEM_REVIEW` set it becomes that one.
///
/// # Panics
/// When the two differ.
#[track_caller]
pub fn reviewed(file: &str, now: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots").join(file);
    if std::env::var_os("ORGMEM_REVIEW").is_some() {
        std::fs::write(&path, now).expect("the page can be written");
    }
    let reviewed = std::fs::read_to_string(&path).unwrap_or_default();
    let differing = now.lines().zip(reviewed.lines().chain(std::iter::repeat(""))).find(|(now, then)| now != then);
    assert!(
        now == reviewed,
        "tests/snapshots/{file} changed, first where it says {differing:?}; run with ORGMEM_REVIEW=1 and review the \
         difference like code\n{now}"
    );
}

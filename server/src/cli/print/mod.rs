//! How things look on a terminal: quiet, aligned, and harmless whatever the stored text holds.

mod escape;
mod paint;
mod table;
mod when;
mod wrap;

pub(super) use escape::{json, line};
pub(super) use paint::Paint;
pub(super) use table::{Align, Table};
pub(super) use when::{ago, instant};
pub(super) use wrap::block;

//! Layout and escaping for the terminal.

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

//! The text of PDF files, made here by hand.

mod file;
mod golden;
mod hostile;
mod properties;

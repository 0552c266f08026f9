//! The command line: the real program in a shell, against a server that is the real program too.

mod foreign;
mod json;
mod mistakes;
mod process;
mod readme;
mod sessions;
mod skills;

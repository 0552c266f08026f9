//! The command line as it is typed: the real program in a shell, against a server that is the real program too.

mod json;
mod life;
mod pages;
mod readme;

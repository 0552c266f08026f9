//! Compares the tree with the naive oracle of `docs/spec/tree.md`.

mod change;
mod check;
mod deep;
mod effect;
mod everything;
mod limits;
mod read;
mod reasons;
mod rows;
mod sets;
mod system;
mod walk;

//! The tree held to the naïve oracle of product.md, section 2.

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

//! Scrubbing: results, exceptions and cost.

mod corpora;
mod cost;
mod json;
mod properties;
mod rules;
mod stored;

//! What scrubbing takes out, what it leaves alone, and what it costs.

mod corpora;
mod cost;
mod json;
mod properties;
mod rules;

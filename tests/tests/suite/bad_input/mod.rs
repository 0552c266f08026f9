//! Bad input, each with the response it gets. Nothing of it changes the store.

mod bodies;
mod entries;
mod fields;
mod headers;
mod ids;
mod imports;
mod memories;
mod moves;
mod parameters;
mod queries;
mod room;
mod times;
mod tokens;

//! Bad input and its responses. None of it changes the store.

mod bodies;
mod entries;
mod fields;
mod fixture;
mod headers;
mod ids;
mod imports;
mod memories;
mod moves;
mod namespaces;
mod parameters;
mod queries;
mod resources;
mod times;
mod tokens;

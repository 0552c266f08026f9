//! What a client may rely on, section by section of the contract. Every response that these tests get is also held to
//! `/openapi.json`, as are those of all other suites.

mod access_log;
mod access_log_reads;
mod activity;
mod compatibility;
mod console;
mod context;
mod corpora;
mod entries;
mod events;
mod expiry;
mod explaining;
mod forgetting;
mod history;
mod idempotency;
mod importing;
mod isolation;
mod meaning;
mod memories;
mod neighbours;
mod pages;
mod previews;
mod problems;
mod profiles;
mod quoting;
mod redacting;
mod runs;
mod scrubbing;
mod server;
mod summaries;
mod tokens;
mod workspaces;

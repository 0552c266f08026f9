//! One method for each operation of `/openapi.json`, by tag. A test writes these files and compares them with the
//! description: `ORGMEM_REVIEW=1 cargo test -p orgmem-tests --test typed_client`.

mod access_log;
mod activity;
mod admin;
mod documents;
mod entries;
mod grants;
mod memories;
mod namespaces;
mod pages;
mod processors;
mod profiles;
mod reach;
mod records;
mod rows;
mod runs;
mod server;
mod skills;
mod tokens;
mod workspaces;

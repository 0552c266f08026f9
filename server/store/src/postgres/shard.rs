//! Distribution of the tables over a Citus cluster, by `org_id`.
//!
//! All tables are distributed in one group, so the rows of an org are on one node and every statement of an org runs there.
//! `workspace_orgs`, which finds the org of a workspace, is copied to every node.

use std::collections::HashMap;

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text};
use serde::Serialize;

use super::{Conn, open};
use crate::transfer::{Rows, TransferError, sharded_tables};
use crate::{OpenError, StoreConfig, StoreError};

/// The table whose distribution the others follow.
const FIRST: &str = "orgs";
/// The table that every node has.
const REFERENCE: &str = "workspace_orgs";

/// The release of the extension in this database, and whether the server has it.
const EXTENSION: &str = "SELECT (SELECT extversion FROM pg_extension WHERE extname = 'citus') AS version, \
     EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'citus') AS available";

const DISTRIBUTED: &str = "SELECT logicalrelid::regclass::text AS name FROM pg_dist_partition";

/// How a table is spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Spread {
    /// By org.
    ByOrg,
    /// A copy on every node.
    EveryNode,
}

/// A table of the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShardedTable {
    /// Its name.
    pub name: String,
    /// How it is spread.
    pub spread: Spread,
    /// Its rows; those of a table that was distributed before are not counted.
    pub rows: Option<u64>,
    /// Whether it was distributed before.
    pub already: bool,
}

/// What a distribution did, or would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sharded {
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// The release of Citus.
    pub citus: String,
    /// The tables in the order of their distribution.
    pub tables: Vec<ShardedTable>,
}

#[derive(QueryableByName)]
struct Extension {
    #[diesel(sql_type = Nullable<Text>)]
    version: Option<String>,
    #[diesel(sql_type = Bool)]
    available: bool,
}

#[derive(QueryableByName)]
struct Name {
    #[diesel(sql_type = Text)]
    name: String,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    rows: i64,
}

/// Distributes the tables that are not distributed yet. No server uses the database meanwhile, unless it is a dry run. Blocks.
///
/// `progress` receives the name of each table before its distribution. After an interruption the next run continues.
///
/// # Errors
/// [`TransferError::Refused`] when the database is not PostgreSQL, has no Citus, or is used by a server.
pub fn shard(config: &StoreConfig, dry_run: bool, progress: &mut dyn FnMut(&str)) -> Result<Sharded, TransferError> {
    let StoreConfig::Postgres { url, .. } = config else {
        return Err(TransferError::Refused(
            "a SQLite database cannot be sharded; `orgmem migrate` copies it to PostgreSQL".into(),
        ));
    };
    // verifies the schema, too
    crate::transfer::source(config)?;
    let mut rows = open::row_writer(url)?;
    let Extension { version, available } = extension(&mut rows.conn)?;
    let Some(citus) = version else { return Err(TransferError::Refused(missing(available).into())) };
    if !dry_run {
        rows.lock_out_servers()?;
        if rows.other_servers()? {
            return Err(TransferError::Refused("a server uses the database; stop all servers of it".into()));
        }
    }
    let mut tables = plan(&mut rows.conn)?;
    for table in tables.iter_mut().filter(|table| !table.already) {
        let counted = diesel::sql_query(format!("SELECT count(*) AS rows FROM {}", table.name));
        let Count { rows: count } = counted.get_result(&mut rows.conn).map_err(StoreError::from)?;
        table.rows = Some(count.unsigned_abs());
        if !dry_run {
            progress(&table.name);
            distribute(&mut rows.conn, table)?;
        }
    }
    Ok(Sharded { dry_run, citus, tables })
}

/// Distributes the tables that a migration added to a database whose other tables are distributed.
pub(super) fn distribute_new_tables(conn: &mut Conn) -> Result<Vec<String>, OpenError> {
    let failed = |error: StoreError| OpenError::Migration(error.to_string());
    if extension(conn).map_err(failed)?.version.is_none() {
        return Ok(Vec::new());
    }
    let tables = plan(conn).map_err(failed)?;
    if !tables.iter().any(|table| table.name == FIRST && table.already) {
        return Ok(Vec::new());
    }
    let mut added = Vec::new();
    for table in tables.into_iter().filter(|table| !table.already) {
        distribute(conn, &table).map_err(failed)?;
        added.push(table.name);
    }
    Ok(added)
}

fn extension(conn: &mut Conn) -> Result<Extension, StoreError> {
    Ok(diesel::sql_query(EXTENSION).get_result(conn)?)
}

/// What is missing for a distribution.
const fn missing(available: bool) -> &'static str {
    if available {
        "Citus is installed, but not in this database: run `CREATE EXTENSION citus` in it as a superuser, on every node, and add \
         the nodes with `citus_add_node`"
    } else {
        "PostgreSQL has no Citus: install it on every node, add `citus` to `shared_preload_libraries`, restart, and run \
         `CREATE EXTENSION citus` in this database"
    }
}

/// All tables, in the order of their distribution.
fn plan(conn: &mut Conn) -> Result<Vec<ShardedTable>, StoreError> {
    let distributed: Vec<Name> = diesel::sql_query(DISTRIBUTED).load(conn)?;
    let distributed: HashMap<String, ()> = distributed.into_iter().map(|Name { name }| (name, ())).collect();
    let table = |(name, spread): (&str, Spread)| ShardedTable {
        name: name.to_owned(),
        spread,
        rows: None,
        already: distributed.contains_key(name),
    };
    let by_org = sharded_tables().into_iter().filter(|name| *name != FIRST).map(|name| (name, Spread::ByOrg));
    let first = [(REFERENCE, Spread::EveryNode), (FIRST, Spread::ByOrg)];
    Ok(first.into_iter().chain(by_org).map(table).collect())
}

/// Distributes one table, with its rows, in one transaction.
fn distribute(conn: &mut Conn, table: &ShardedTable) -> Result<(), StoreError> {
    let name = &table.name;
    let statement = match table.spread {
        Spread::EveryNode => format!("SELECT create_reference_table('{name}')"),
        Spread::ByOrg if name == FIRST => {
            format!("SELECT create_distributed_table('{name}', 'org_id', colocate_with => 'none')")
        }
        Spread::ByOrg => format!("SELECT create_distributed_table('{name}', 'org_id', colocate_with => '{FIRST}')"),
    };
    diesel::sql_query(statement).execute(conn)?;
    Ok(())
}

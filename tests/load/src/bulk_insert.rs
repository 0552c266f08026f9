//! Inserts an org directly into the tables of a store, because requests would take too long.

use std::io::Write;

use postgres::NoTls;
use rusqlite::Connection;

use crate::error::Outcome;
use crate::org_shape::Shape;
use crate::storage::Storage;

const CREATED_MICROS: i64 = 1_790_000_000_000_000;

/// The tables must be empty.
pub(crate) fn insert_org(storage: &Storage, shape: &Shape) -> Outcome<()> {
    match storage.database() {
        None => sqlite(storage, shape),
        Some(url) => postgres(url, shape),
    }
}

fn sqlite(storage: &Storage, shape: &Shape) -> Outcome<()> {
    let mut conn = Connection::open(storage.file())?;
    let tx = conn.transaction()?;
    let root = shape.ids()[0].uuid();
    tx.execute(
        "INSERT INTO orgs (org_id, version, tree_version, auth_version, index_floor, last_seq, created_at) \
         VALUES (?, 1, 1, 0, 0, 0, ?)",
        (root.as_bytes(), CREATED_MICROS),
    )?;
    {
        let mut org = tx.prepare("INSERT INTO workspace_orgs VALUES (?, ?)")?;
        let mut workspace = tx.prepare(
            "INSERT INTO workspaces (org_id, id, parent_id, name, tree_version, created_at, updated_at) \
             VALUES (?, ?, ?, ?, 1, ?, ?)",
        )?;
        for (index, id) in shape.ids().iter().enumerate() {
            let id = id.uuid();
            let parent = shape.parent_of(index).map(|parent| *shape.ids()[parent].uuid().as_bytes());
            org.execute((id.as_bytes(), root.as_bytes()))?;
            let name = format!("workspace {index}");
            workspace.execute((root.as_bytes(), id.as_bytes(), parent, name, CREATED_MICROS, CREATED_MICROS))?;
        }
    }
    tx.commit()?;
    Ok(())
}

fn postgres(url: &str, shape: &Shape) -> Outcome<()> {
    let mut client = ::postgres::Client::connect(url, NoTls)?;
    let root = shape.ids()[0].uuid();
    client.batch_execute(&format!(
        "INSERT INTO orgs (org_id, version, tree_version, auth_version, index_floor, last_seq, created_at) \
         VALUES ('{root}', 1, 1, 0, 0, 0, now())"
    ))?;
    let mut orgs = client.copy_in("COPY workspace_orgs (id, org_id) FROM STDIN")?;
    for id in shape.ids() {
        writeln!(orgs, "{}\t{root}", id.uuid())?;
    }
    orgs.finish()?;
    let columns = "org_id, id, parent_id, name, tree_version, created_at, updated_at";
    let mut workspaces = client.copy_in(&format!("COPY workspaces ({columns}) FROM STDIN"))?;
    for (index, id) in shape.ids().iter().enumerate() {
        let parent = shape.parent_of(index).map(|parent| shape.ids()[parent].uuid().to_string());
        let parent = parent.as_deref().unwrap_or("\\N");
        writeln!(workspaces, "{root}\t{}\t{parent}\tworkspace {index}\t1\t2026-09-20\t2026-09-20", id.uuid())?;
    }
    workspaces.finish()?;
    client.batch_execute("ANALYZE")?;
    Ok(())
}

//! An org written straight into the tables of a store, where creating it by requests would take too long.

use std::io::Write;

use postgres::NoTls;
use rusqlite::Connection;

use crate::error::Outcome;
use crate::home::Home;
use crate::shape::Shape;

/// When all of it was created.
const CREATED_MICROS: i64 = 1_790_000_000_000_000;

/// The tables of a store with this org in them and nothing else.
pub(crate) fn plant(home: &Home, shape: &Shape) -> Outcome<()> {
    match home.database() {
        None => sqlite(home, shape),
        Some(url) => postgres(url, shape),
    }
}

fn sqlite(home: &Home, shape: &Shape) -> Outcome<()> {
    let mut conn = Connection::open(home.file())?;
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
        for (place, id) in shape.ids().iter().enumerate() {
            let id = id.uuid();
            let parent = shape.parent_of(place).map(|parent| *shape.ids()[parent].uuid().as_bytes());
            org.execute((id.as_bytes(), root.as_bytes()))?;
            let name = format!("workspace {place}");
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
    for (place, id) in shape.ids().iter().enumerate() {
        let parent = shape.parent_of(place).map(|parent| shape.ids()[parent].uuid().to_string());
        let parent = parent.as_deref().unwrap_or("\\N");
        writeln!(workspaces, "{root}\t{}\t{parent}\tworkspace {place}\t1\t2026-09-20\t2026-09-20", id.uuid())?;
    }
    workspaces.finish()?;
    client.batch_execute("ANALYZE")?;
    Ok(())
}

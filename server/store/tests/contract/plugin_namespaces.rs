//! Rows of namespaces of the memory-plugin contract.

use chrono::{DateTime, TimeDelta, Utc};
use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::drafts::PluginNamespaceKind;
use orgmem_policies::{ActPass, Permission};
use orgmem_store::{ImportOptions, ImportOutcome, PluginNamespace, ReadPlan, Selection, Store, StoreError};

use super::orgs::{Failure, Org, draw, system};
use super::redactions::purge;
use super::transfer::{empty, exported, imported};
use crate::stores::{On, TestStore, test_epoch};

on_both!(
    namespace_is_read_as_it_was_put,
    expired_namespaces_are_listed_from_their_expiry,
    namespace_is_erased_with_its_workspace,
    namespaces_are_exported_and_imported,
);

const DRAWING: &str = "plugin\n  one\n  two";

fn namespace(name: &str, workspace: WorkspaceId, expires_at: Option<DateTime<Utc>>) -> PluginNamespace {
    let kind = PluginNamespaceKind::Custom;
    PluginNamespace { name: name.to_owned(), workspace, kind, created_at: test_epoch(), expires_at }
}

async fn put(store: &Store, org: &Org, namespace: &PluginNamespace) {
    let (org, namespace) = (org.id, namespace.clone());
    let put: Result<(), Failure> = store
        .write(org, move |tx| {
            let pass = ActPass::grant(&system(), Permission::EditWorkspace, &*tx.tree(org)?, namespace.workspace)?;
            Ok(tx.put_plugin_namespace(&pass, &namespace)?)
        })
        .await;
    put.expect("it is put");
}

async fn read(store: &Store, org: &Org, names: &[&str]) -> Vec<PluginNamespace> {
    let (org, names): (_, Vec<String>) = (org.id, names.iter().map(|name| (*name).to_owned()).collect());
    let read = store.read(ReadPlan::PointLookup, move |tx| tx.plugin_namespaces(org, &names)).await;
    let mut found = read.unwrap_or_else(|error: StoreError| panic!("{error}"));
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

async fn expired(store: &Store) -> Vec<String> {
    let read = store.read(ReadPlan::Scan, |tx| tx.expired_plugin_namespaces(10)).await;
    read.unwrap_or_else(|error: StoreError| panic!("{error}")).into_iter().map(|(_, name)| name).collect()
}

async fn namespace_is_read_as_it_was_put(t: TestStore) {
    let org = draw(&t.store, DRAWING).await;
    let (one, two) = (namespace("custom:1", org.get("one"), None), namespace("custom:2", org.get("two"), None));
    put(&t.store, &org, &one).await;
    put(&t.store, &org, &two).await;
    assert_eq!(read(&t.store, &org, &["custom:2", "custom:1", "custom:3"]).await, [one, two.clone()]);
    let replaced = PluginNamespace { workspace: org.get("one"), kind: PluginNamespaceKind::Team, ..two };
    put(&t.store, &org, &replaced).await;
    assert_eq!(read(&t.store, &org, &["custom:2"]).await, [replaced]);
    let other = draw(&t.store, DRAWING).await;
    assert_eq!(read(&t.store, &other, &["custom:1"]).await, []);
    let many: Vec<String> = (0..1200).map(|n| format!("custom:{n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(read(&t.store, &org, &many).await.len(), 2);
}

async fn expired_namespaces_are_listed_from_their_expiry(t: TestStore) {
    let org = draw(&t.store, DRAWING).await;
    let at = t.store.now() + TimeDelta::hours(1);
    put(&t.store, &org, &namespace("custom:1", org.get("one"), Some(at))).await;
    put(&t.store, &org, &namespace("custom:2", org.get("two"), None)).await;
    t.clock.advance(at - t.store.now() - TimeDelta::microseconds(1));
    assert_eq!(expired(&t.store).await, [""; 0]);
    t.clock.advance(TimeDelta::microseconds(1));
    assert_eq!(expired(&t.store).await, ["custom:1"]);
    let org_id = org.id;
    let dropped: Result<(), Failure> =
        t.store.write(org_id, move |tx| Ok(tx.drop_plugin_namespace(org_id, "custom:1")?)).await;
    dropped.expect("it is dropped");
    assert_eq!(expired(&t.store).await, [""; 0]);
}

async fn namespace_is_erased_with_its_workspace(t: TestStore) {
    let org = draw(&t.store, DRAWING).await;
    let two = namespace("custom:quetzal2", org.get("two"), None);
    put(&t.store, &org, &namespace("custom:quetzal1", org.get("one"), None)).await;
    put(&t.store, &org, &two).await;
    purge(&t.store, &org, org.get("one")).await;
    assert_eq!(read(&t.store, &org, &["custom:quetzal1", "custom:quetzal2"]).await, [two]);
    let Some(file) = t.file() else { return };
    assert!(t.store.wait_until_clean(std::time::Duration::from_secs(60)), "the files are clean in time");
    for file in std::fs::read_dir(file.parent().expect("a folder")).expect("a folder") {
        let bytes = std::fs::read(file.expect("an entry").path()).expect("a file");
        assert!(!bytes.windows(8).any(|window| window == b"quetzal1"), "the name is in a file");
    }
}

async fn namespaces_are_exported_and_imported(t: TestStore) {
    let org = draw(&t.store, DRAWING).await;
    let one = namespace("custom:1", org.get("one"), Some(t.store.now() + TimeDelta::hours(1)));
    put(&t.store, &org, &one).await;
    let file = exported(&t.config, &Selection::All);
    for other in [On::Sqlite, On::Postgres] {
        let fresh = empty(other);
        let outcomes = imported(&fresh.config, &file, ImportOptions::default()).expect("an import");
        assert!(outcomes.contains(&ImportOutcome::Imported), "{outcomes:?}");
        assert_eq!(read(&fresh.reopened().store, &org, &["custom:1"]).await, std::slice::from_ref(&one));
    }
}

//! Orgs for tests, from indented drawings.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, TreeLimits, WorkspaceId};
use orgmem_policies::drafts::WorkspaceDraft;
use orgmem_policies::rules::RuleViolation;
use orgmem_policies::scrub::Scrubber;
use orgmem_policies::{Caller, Refusal, ServerAction, ServerPass, TreePass};
use orgmem_store::{Actor, AuditRecord, NoEdit, PendingAuditEntry, Store, StoreError, WriteTx};
use uuid::Uuid;

/// =
pub(crate) fn system() -> Caller {
    Caller::system("tests")
}

#[derive(Debug)]
#[expect(dead_code, reason = "shown when a test fails")]
pub(crate) enum Failure {
    Store(StoreError),
    Refused(Refusal),
    Rule(RuleViolation),
    NoEdit(NoEdit),
    OnPurpose,
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<RuleViolation> for Failure {
    fn from(violation: RuleViolation) -> Self {
        Self::Rule(violation)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// =
#[derive(Clone)]
pub(crate) struct Org {
    pub(crate) id: OrgId,
    ids: HashMap<String, WorkspaceId>,
}

impl Org {
    /// The workspace with this name in the drawing.
    pub(crate) fn get(&self, name: &str) -> WorkspaceId {
        self.ids[name]
    }
}

pub(crate) fn named(name: &str) -> WorkspaceDraft {
    WorkspaceDraft::check(name, None, None, Scrubber::built_in()).expect("a name")
}

pub(crate) fn create(
    tx: &mut dyn WriteTx,
    org: OrgId,
    id: WorkspaceId,
    parent: WorkspaceId,
    name: &str,
) -> Result<(), Failure> {
    let pass = TreePass::create(&system(), &*tx.tree(org)?, id, parent, TreeLimits::default())?;
    tx.create_workspace(&pass, &named(name))?.ok_or(RuleViolation::WorkspaceTaken(id))?;
    Ok(())
}

/// Creates the org of a drawing with two spaces per level.
pub(crate) async fn draw(store: &Store, drawing: &str) -> Org {
    let mut lines = drawing.lines().filter(|line| !line.trim().is_empty()).map(|line| {
        let name = line.trim_start();
        ((line.len() - name.len()) / 2, name.trim_end().to_owned())
    });
    let (margin, root_name) = lines.next().expect("a root");
    let root = WorkspaceId::from(store.new_id());
    let org = OrgId::of_root(root);
    let mut ids = HashMap::from([(root_name.clone(), root)]);
    let mut line_of_parents = vec![root];
    let mut rows = Vec::new();
    for (level, name) in lines {
        let id = WorkspaceId::from(store.new_id());
        line_of_parents.truncate(level - margin);
        rows.push((id, *line_of_parents.last().expect("a parent"), name.clone()));
        line_of_parents.push(id);
        ids.insert(name, id);
    }
    let made: Result<(), Failure> = store
        .write(org, move |tx| {
            let pass = ServerPass::grant(&system(), ServerAction::CreateOrg)?;
            tx.create_org(&pass, root, &named(&root_name))?;
            rows.iter().try_for_each(|(id, parent, name)| create(tx, org, *id, *parent, name))
        })
        .await;
    made.expect("the drawing is a tree");
    Org { id: org, ids }
}

/// The id of an org that does not exist.
pub(crate) fn nowhere() -> OrgId {
    OrgId::from(Uuid::from_u128(0xdead))
}

/// Appends an audit entry afterwards, as a server does for reads.
pub(crate) async fn append_entry(store: &Store, org: OrgId, at: DateTime<Utc>, record: AuditRecord) {
    let entry = PendingAuditEntry { actor: Actor::server(), at, record };
    let appended: Result<(), StoreError> =
        store.write(org, move |tx| tx.append_audit_entries(std::slice::from_ref(&entry))).await;
    appended.expect("a row of the access log");
}

//! Import of memories from an array, as other platforms and tools export them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::drafts::{MemoryDraft, MemoryInput, Source};
use orgmem_policies::{Role, ServerAction, ServerPass, WritePass};
use orgmem_store::{ReadPlan, ReadTx, WorkspaceFilter};
use orgmem_types as wire;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::call::WriteCall;
use super::drafting::Drafting;
use super::import_org::content_id;
use super::wire::{redactions_at, source_of};
use super::{App, AppError};
use crate::auth::VerifiedClaims;
use crate::decode;

/// Memories of one transaction.
const CHUNK: usize = 500;
/// Rows of a page while a name is looked up.
const PAGE: usize = 500;

/// A checked memory of the array.
struct Planned {
    index: usize,
    draft: MemoryDraft,
    scope: Scope,
    team: Option<WorkspaceId>,
    author: Author,
}

/// The author as the array names it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Author {
    id: Option<Uuid>,
    name: Option<String>,
}

/// The array after the check of each memory.
struct Checked {
    planned: Vec<Planned>,
    response: wire::MemoriesImport,
}

/// The outcome for the memories of one transaction.
#[derive(Default, Serialize, Deserialize)]
struct ChunkOutcome {
    imported: usize,
    skipped: usize,
    errors: Vec<(usize, String)>,
}

impl App {
    /// Imports the memories of an array, each on its own. A memory that exists or existed is skipped.
    ///
    /// # Errors
    /// [`AppError`] of the call; the error of a memory is in the response.
    ///
    /// # Source
    /// `docs/spec/admin.md`, "Import of memories".
    pub async fn import_memories(
        &self,
        auth: &VerifiedClaims,
        memories: Vec<Value>,
        dry_run: bool,
    ) -> Result<wire::MemoriesImport, AppError> {
        let (role, now) = (auth.identity().role, self.now());
        let make = move |memories: Vec<Value>, with: &Drafting| Ok(check(memories, role, now, with));
        let Checked { planned, mut response } =
            self.draft_for_server(auth, ServerAction::ImportOrg, memories, make).await?;
        response.dry_run = dry_run;
        let authors = self.authors(auth, &planned).await?;
        let mut by_org: BTreeMap<OrgId, Vec<(WorkspaceId, Planned)>> = BTreeMap::new();
        for memory in planned {
            match authors.get(&memory.author) {
                Some(Ok((org, author))) => by_org.entry(*org).or_default().push((*author, memory)),
                Some(Err(error)) => response.refuse(memory.index, error.clone()),
                None => response.refuse(memory.index, NO_AUTHOR.to_owned()),
            }
        }
        for (org, mut memories) in by_org {
            while !memories.is_empty() {
                let rest = memories.split_off(memories.len().min(CHUNK));
                let outcome = self.import_chunk(auth, org, Arc::new(memories), dry_run).await?;
                response.add(outcome);
                memories = rest;
            }
        }
        response.errors.sort_unstable_by_key(|error| error.index);
        Ok(response)
    }

    async fn import_chunk(
        &self,
        auth: &VerifiedClaims,
        org: OrgId,
        memories: Arc<Vec<(WorkspaceId, Planned)>>,
        dry_run: bool,
    ) -> Result<ChunkOutcome, AppError> {
        let work = move |call: &mut WriteCall<'_>| {
            ServerPass::grant(&call.caller, ServerAction::ImportOrg)?;
            call.refuse_run(false)?;
            let mut outcome = ChunkOutcome::default();
            for (author, memory) in memories.iter() {
                match commit_once(call, *author, memory) {
                    Ok(true) => outcome.imported += 1,
                    Ok(false) => outcome.skipped += 1,
                    Err(AppError::Store(error)) => return Err(error.into()),
                    Err(refused) => outcome.errors.push((memory.index, refused.to_string())),
                }
            }
            Ok(outcome)
        };
        let call = auth.call(org.root().uuid()).in_org(org);
        if dry_run { self.dry_run(call, work).await } else { self.write(call, work).await }
    }

    /// The org and the id of each author, or the reason why it cannot be found.
    async fn authors(
        &self,
        auth: &VerifiedClaims,
        planned: &[Planned],
    ) -> Result<HashMap<Author, Result<(OrgId, WorkspaceId), String>>, AppError> {
        let mut wanted: Vec<Author> = planned.iter().map(|memory| memory.author.clone()).collect();
        wanted.sort_unstable_by(|a, b| (a.id, &a.name).cmp(&(b.id, &b.name)));
        wanted.dedup();
        self.read_server(auth, ReadPlan::Scan, move |tx, caller| {
            let pass = ServerPass::grant(caller, ServerAction::ImportOrg)?;
            let mut found = HashMap::new();
            for author in &wanted {
                found.insert(author.clone(), find(tx, &pass, author)?);
            }
            Ok(found)
        })
        .await
    }
}

const NO_AUTHOR: &str = "`workspace_id` or `workspace_name` is missing";

fn find(
    tx: &mut dyn ReadTx,
    pass: &ServerPass,
    author: &Author,
) -> Result<Result<(OrgId, WorkspaceId), String>, AppError> {
    if let Some(id) = author.id.map(WorkspaceId::from)
        && let Some(org) = tx.org_of(id)?
        && tx.tree(org)?.contains(id)
    {
        return Ok(Ok((org, id)));
    }
    let Some(name) = &author.name else {
        let missing = |id: Uuid| format!("no live workspace has the id `{id}`, and `workspace_name` is missing");
        return Ok(Err(author.id.map_or_else(|| NO_AUTHOR.to_owned(), missing)));
    };
    let named = workspaces_named(tx, pass, name)?;
    let shown = decode::shortened(name);
    Ok(match named[..] {
        [one] => Ok(one),
        [] => Err(format!("no live workspace is named `{shown}`")),
        _ => Err(format!("several workspaces are named `{shown}`; give `workspace_id`")),
    })
}

/// At most two live workspaces with the name.
fn workspaces_named(tx: &mut dyn ReadTx, pass: &ServerPass, name: &str) -> Result<Vec<(OrgId, WorkspaceId)>, AppError> {
    let filter = WorkspaceFilter { name_contains: Some(name.to_owned()), ..WorkspaceFilter::default() };
    let (mut named, mut after) = (Vec::new(), None);
    loop {
        let rows = tx.list_all_workspaces(pass, &filter, after, PAGE)?;
        named.extend(rows.iter().filter(|row| row.name == name).map(|row| (row.org, row.id)));
        after = rows.last().map(|row| (row.created_at, row.org.uuid(), row.id.uuid()));
        if rows.len() < PAGE || named.len() > 1 {
            named.truncate(2);
            return Ok(named);
        }
    }
}

/// Checks and scrubs each memory.
fn check(memories: Vec<Value>, role: Role, now: DateTime<Utc>, with: &Drafting) -> Checked {
    let mut response = wire::MemoriesImport { total: memories.len(), ..wire::MemoriesImport::default() };
    let (mut planned, mut ignored) = (Vec::new(), BTreeMap::new());
    for (index, memory) in memories.into_iter().enumerate() {
        match check_one(index, &memory, role, now, with) {
            Ok(checked) => {
                let found = &checked.draft.fields().redactions;
                response.redactions.extend(redactions_at(&format!("[{index}]."), found));
                count_unknown(&memory, &mut ignored);
                planned.push(checked);
            }
            Err(error) => response.refuse(index, error),
        }
    }
    let field = |(field, count)| wire::IgnoredField { field, count };
    response.ignored = ignored.into_iter().map(field).collect();
    Checked { planned, response }
}

fn check_one(index: usize, memory: &Value, role: Role, now: DateTime<Utc>, with: &Drafting) -> Result<Planned, String> {
    if !memory.is_object() {
        return Err("a memory must be an object".to_owned());
    }
    let memory: wire::ExportedMemory = decode::json_value(memory).map_err(|fault| fault.to_string())?;
    let (scope, team) = (memory.scope, memory.team.map(WorkspaceId::from));
    let author = Author { id: memory.workspace_id, name: memory.workspace_name.clone() };
    let draft = MemoryDraft::check(memory_input(memory), role, with.limits, with.scrubber, now);
    Ok(Planned { index, draft: draft.map_err(|fault| fault.to_string())?, scope, team, author })
}

fn memory_input(memory: wire::ExportedMemory) -> MemoryInput {
    MemoryInput {
        content: memory.content,
        title: memory.title,
        namespace: memory.namespace,
        kind: memory.kind,
        source: memory.source.map(claimable),
        confidence: memory.confidence,
        tags: memory.tags,
        claims: None,
        metadata: memory.metadata,
        subject: memory.subject,
        session_id: memory.session_id,
        session_only: memory.session_only,
        run_id: None,
        profile_id: None,
        pin: memory.pin,
        expires_at: memory.expires_at,
        ttl_seconds: None,
        supersedes: None,
        id: memory.id,
        created_at: memory.created_at,
        occurred_at: None,
    }
}

/// The source, as an import may claim it: only a processor of this server may claim to be one.
fn claimable(source: wire::Source) -> Source {
    match source_of(source) {
        Source::Processor => Source::Tool,
        other => other,
    }
}

/// Fields that [`wire::ExportedMemory`] has.
pub(crate) const EXPORTED_FIELDS: [&str; 19] = [
    "id",
    "content",
    "scope",
    "team",
    "workspace_id",
    "workspace_name",
    "title",
    "namespace",
    "kind",
    "source",
    "confidence",
    "tags",
    "metadata",
    "subject",
    "session_id",
    "session_only",
    "pin",
    "expires_at",
    "created_at",
];

/// Distinct unknown fields that a response names.
const MAX_UNKNOWN: usize = 100;

fn count_unknown(memory: &Value, ignored: &mut BTreeMap<String, usize>) {
    let fields = memory.as_object().into_iter().flatten();
    for (field, _) in fields.filter(|(field, value)| !value.is_null() && !EXPORTED_FIELDS.contains(&field.as_str())) {
        let field = decode::shortened(field);
        if let Some(count) = ignored.get_mut(&*field) {
            *count += 1;
        } else {
            let name = if ignored.len() < MAX_UNKNOWN { field.into_owned() } else { "…".to_owned() };
            *ignored.entry(name).or_default() += 1;
        }
    }
}

/// Commits a memory, unless it exists or existed. Returns whether it was committed.
fn commit_once(call: &mut WriteCall<'_>, author: WorkspaceId, memory: &Planned) -> Result<bool, AppError> {
    let pass = call.pass(|caller, tree| WritePass::grant(caller, tree, author, memory.scope, memory.team))?;
    let content = memory.draft.fields().content.as_str();
    let id = memory.draft.fields().id.unwrap_or_else(|| content_id(author, memory.scope, memory.team, content));
    match call.tx.memory_location(call.org, id)? {
        Some(location) if location.author == author => return Ok(false),
        Some(_) => return Err(AppError::Item(format!("the id `{id}` belongs to a memory of another workspace"))),
        None => {}
    }
    let ready = memory.draft.under_id(id).into();
    let plan = call.plan_commit(&pass, &ready)?;
    call.tx.commit_memory(&pass, &ready, &plan)?;
    Ok(true)
}

trait Tally {
    fn refuse(&mut self, index: usize, error: String);

    fn add(&mut self, outcome: ChunkOutcome);
}

impl Tally for wire::MemoriesImport {
    fn refuse(&mut self, index: usize, error: String) {
        self.errors.push(wire::ImportError { index, error });
    }

    fn add(&mut self, outcome: ChunkOutcome) {
        self.imported += outcome.imported;
        self.skipped += outcome.skipped;
        self.errors.extend(outcome.errors.into_iter().map(|(index, error)| wire::ImportError { index, error }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_fields_are_those_of_the_wire() {
        let memory = wire::ExportedMemory {
            id: Some(Uuid::nil()),
            team: Some(Uuid::nil()),
            workspace_name: Some("bot".into()),
            title: Some("t".into()),
            namespace: Some("n".into()),
            kind: Some("fact".into()),
            source: Some(wire::Source::Tool),
            confidence: Some(0.5),
            tags: vec!["a".into()],
            metadata: Some(wire::Object::new()),
            subject: Some("s".into()),
            session_id: Some("s".into()),
            session_only: true,
            pin: true,
            expires_at: Some(DateTime::UNIX_EPOCH),
            created_at: Some(DateTime::UNIX_EPOCH),
            ..wire::ExportedMemory::new("x".into(), Scope::Local, Uuid::nil())
        };
        let value = serde_json::to_value(memory).expect("JSON");
        let mut named: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
        let mut known = EXPORTED_FIELDS.to_vec();
        named.sort_unstable();
        known.sort_unstable();
        assert_eq!(named, known);
        let mut ignored = BTreeMap::new();
        count_unknown(&value, &mut ignored);
        count_unknown(&serde_json::json!({"content": "x", "tier": 2, "canvas": null}), &mut ignored);
        assert_eq!(ignored, BTreeMap::from([("tier".to_owned(), 1)]));
    }
}

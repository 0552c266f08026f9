//! Atomic import of an org from a document.

use chrono::{DateTime, Utc};
use orgmem_hierarchy::{OrgId, Scope, WorkspaceId};
use orgmem_policies::drafts::{
    EntryDraft, EntryInput, EpisodeDraft, MemoryDraft, MemoryInput, WorkspaceDraft, check_made_at,
};
use orgmem_policies::rules::RuleViolation;
use orgmem_policies::{ActPass, Permission, Role, ServerAction, ServerPass, TreePass, WritePass};
use orgmem_store::ReadPlan;
use orgmem_types as wire;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::append_episode::claim_input;
use super::append_episode::episode_input;
use super::call::WriteCall;
use super::drafting::Drafting;
use super::wire::{redactions_at, source_of};
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;

/// A checked workspace of the document.
struct Planned {
    /// The path in the document, as the prefix of the names of its fields.
    path: String,
    id: Option<WorkspaceId>,
    /// The index of the parent in the plan; `None` for the root.
    parent: Option<usize>,
    name: String,
    workspace: WorkspaceDraft,
    memories: Vec<PlannedMemory>,
    entries: Vec<EntryDraft>,
    episodes: Vec<(EpisodeDraft, Option<DateTime<Utc>>)>,
}

struct PlannedMemory {
    draft: MemoryDraft,
    scope: Scope,
    team: Option<wire::RelativeTeam>,
}

impl App {
    /// Creates the parts of the document that the server lacks. A repeated import adds nothing twice: a workspace is
    /// identified by its id or, among its siblings, by its name; a memory by author, scope, team and content; an entry
    /// by its key. Episodes are appended to new workspaces only.
    ///
    /// # Errors
    /// [`AppError`] with the name of the workspace at fault; the import then changes nothing.
    pub async fn import_org(
        &self,
        auth: &VerifiedClaims,
        document: wire::ImportNode,
        dry_run: bool,
        ungated: bool,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::ImportResponse, AppError> {
        let (role, now) = (auth.identity().role, self.now());
        let make = move |document, with: &Drafting| plan(document, role, now, with);
        let plan = self.draft_for_server(auth, ServerAction::ImportOrg, document, make).await?;
        let (id, name) = (plan[0].id, plan[0].name.clone());
        let found = self
            .read_server(auth, ReadPlan::Scan, move |tx, caller| {
                let pass = ServerPass::grant(caller, ServerAction::ImportOrg)?;
                match id {
                    Some(id) => Ok(Some(OrgId::of_root(id))),
                    None => match tx.orgs_named(&pass, &name)?.as_slice() {
                        [] => Ok(None),
                        [one] => Ok(Some(*one)),
                        _ => Err(AppError::Ambiguous { name: name.clone() }),
                    },
                }
            })
            .await?;
        let org = found.unwrap_or_else(|| OrgId::from(self.new_root(auth, idempotency.as_ref())));
        let import = Import { plan, limits: self.tree_limits, ungated };
        let root = org.root().uuid();
        if dry_run {
            return self.dry_run(auth.call(root).in_org(org), move |call| import.run(call, true)).await;
        }
        self.write(auth.call(root).in_org(org).idempotent(idempotency), move |call| import.run(call, false)).await
    }

    /// The demo org with times relative to now. Requires the permission to import an org.
    ///
    /// # Errors
    /// [`AppError::Forbidden`] for callers other than admins.
    pub async fn read_demo(&self, auth: &VerifiedClaims) -> Result<wire::ImportNode, AppError> {
        let granted = |caller: &_| ServerPass::grant(caller, ServerAction::ImportOrg).map(drop);
        self.read_server(auth, ReadPlan::Cached, move |_, caller| Ok(granted(caller)?)).await?;
        // tests check that the files are valid
        crate::demo::organisation(self.now()).map_err(|_| AppError::NotConfigured("the demo org cannot be read"))
    }
}

/// Checks every field of the document and lists its workspaces, parents before children.
fn plan(document: wire::ImportNode, role: Role, now: DateTime<Utc>, with: &Drafting) -> Result<Vec<Planned>, AppError> {
    let mut plan = Vec::new();
    let mut waiting = vec![(None, String::new(), document)];
    while let Some((parent, path, mut node)) = waiting.pop() {
        let children = std::mem::take(&mut node.children);
        let name = node.name.clone();
        let path_of = |number| format!("{path}children[{number}].");
        let children = children.into_iter().enumerate().map(|(number, child)| (path_of(number), child));
        let index = plan.len();
        waiting.extend(children.rev().map(|(path, child)| (Some(index), path, child)));
        plan.push(plan_one(parent, path, node, role, now, with).map_err(|error| error.inside(&name))?);
    }
    Ok(plan)
}

fn plan_one(
    parent: Option<usize>,
    path: String,
    node: wire::ImportNode,
    role: Role,
    now: DateTime<Utc>,
    with: &Drafting,
) -> Result<Planned, AppError> {
    let workspace = WorkspaceDraft::check(&node.name, node.role.as_deref(), node.metadata, with.scrubber)?;
    let entry = |entry: wire::PutEntry| {
        let wire::PutEntry { key, value, ttl_seconds, subject, .. } = entry;
        let input = EntryInput { key, value, ttl_seconds, if_match_version: Some(0), subject };
        EntryDraft::check(input, with.limits, with.scrubber, now)
    };
    let episode = |episode: wire::ImportEpisode| {
        let draft = EpisodeDraft::check(episode_input(episode.activity), &with.episode_types, with.scrubber, now)?;
        Ok::<_, AppError>((draft, check_made_at(episode.created_at)?))
    };
    let memory = |memory: wire::ImportMemory| {
        let (scope, team) = (memory.scope, memory.team);
        let draft = MemoryDraft::check(memory_input(memory), role, with.limits, with.scrubber, now)?;
        Ok::<_, AppError>(PlannedMemory { draft, scope, team })
    };
    Ok(Planned {
        path,
        id: node.id.map(WorkspaceId::from),
        parent,
        name: workspace.fields().name.to_string(),
        workspace,
        memories: node.initial_memories.into_iter().map(memory).collect::<Result<_, _>>()?,
        entries: node.entries.into_iter().map(entry).collect::<Result<_, _>>()?,
        episodes: node.episodes.into_iter().map(episode).collect::<Result<_, _>>()?,
    })
}

impl Planned {
    /// The redactions of the workspace and its rows, with their paths in the document.
    fn redactions(&self) -> impl Iterator<Item = wire::Redaction> {
        let Self { path, workspace, memories, entries, episodes, .. } = self;
        let memories = memories.iter().map(|memory| &memory.draft.fields().redactions);
        let entries = entries.iter().map(|entry| &entry.fields().redactions);
        let episodes = episodes.iter().map(|(episode, _)| &episode.fields().redactions);
        let in_list = move |list: &str, number: usize| format!("{path}{list}[{number}].");
        let memories =
            memories.enumerate().map(move |(index, found)| redactions_at(&in_list("initial_memories", index), found));
        let entries = entries.enumerate().map(move |(index, found)| redactions_at(&in_list("entries", index), found));
        let episodes =
            episodes.enumerate().map(move |(index, found)| redactions_at(&in_list("episodes", index), found));
        let own = std::iter::once(redactions_at(path, &workspace.fields().redactions));
        own.chain(memories).chain(entries).chain(episodes).flatten()
    }
}

fn memory_input(memory: wire::ImportMemory) -> MemoryInput {
    MemoryInput {
        content: memory.content,
        namespace: memory.namespace,
        kind: memory.kind,
        source: memory.source.map(source_of),
        confidence: memory.confidence,
        tags: memory.tags,
        metadata: memory.metadata,
        claims: memory.claims.map(|claims| claims.into_iter().map(claim_input).collect()),
        subject: memory.subject,
        title: memory.title,
        session_id: memory.session_id,
        session_only: memory.session_only,
        run_id: None,
        profile_id: None,
        pin: memory.pin,
        expires_at: None,
        ttl_seconds: memory.ttl_seconds,
        supersedes: None,
        id: None,
        created_at: memory.created_at,
        occurred_at: None,
    }
}

struct Import {
    plan: Vec<Planned>,
    limits: orgmem_hierarchy::TreeLimits,
    /// Whether the memories are committed although the request names a run.
    ungated: bool,
}

impl Import {
    fn run(&self, call: &mut WriteCall<'_>, dry_run: bool) -> Result<wire::ImportResponse, AppError> {
        let mut response = wire::ImportResponse {
            org_id: call.org.uuid(),
            dry_run,
            workspaces_created: 0,
            workspaces_kept: 0,
            memories_committed: 0,
            memories_kept: 0,
            entries_put: 0,
            episodes_appended: 0,
            workspace_ids: Vec::new(),
            redactions: self.plan.iter().flat_map(Planned::redactions).collect(),
        };
        let mut ids: Vec<WorkspaceId> = Vec::with_capacity(self.plan.len());
        for planned in &self.plan {
            let parent = planned.parent.map(|index| ids[index]);
            let done = self.import_one(call, planned, parent, &mut response);
            ids.push(done.map_err(|error| error.inside(&planned.name))?);
        }
        if !dry_run {
            response.workspace_ids = ids.into_iter().map(WorkspaceId::uuid).collect();
        }
        Ok(response)
    }

    fn import_one(
        &self,
        call: &mut WriteCall<'_>,
        planned: &Planned,
        parent: Option<WorkspaceId>,
        response: &mut wire::ImportResponse,
    ) -> Result<WorkspaceId, AppError> {
        let existing = self.existing(call, planned, parent)?;
        let id = match existing {
            Some(id) => id,
            None => self.create(call, planned, parent)?,
        };
        match existing {
            Some(_) => response.workspaces_kept += 1,
            None => response.workspaces_created += 1,
        }
        if !planned.memories.is_empty() {
            call.refuse_run(self.ungated)?;
        }
        for memory in &planned.memories {
            match commit_once(call, id, memory)? {
                true => response.memories_committed += 1,
                false => response.memories_kept += 1,
            }
        }
        let puts = call.pass(|caller, tree| ActPass::grant(caller, Permission::WriteEntries, tree, id))?;
        for entry in &planned.entries {
            // the draft requires that the key does not exist, so an existing entry keeps its value
            response.entries_put += usize::from(call.tx.put_entry(&puts, entry)?.is_ok());
        }
        if existing.is_none() {
            let appends = call.pass(|caller, tree| ActPass::grant(caller, Permission::AppendActivity, tree, id))?;
            for (episode, happened_at) in &planned.episodes {
                call.tx.append_episode(&appends, episode, *happened_at)?.ok_or(AppError::EPISODE_NOT_FOUND)?;
                response.episodes_appended += 1;
            }
        }
        Ok(id)
    }

    /// The existing workspace with the id or, among the siblings, with the name.
    fn existing(
        &self,
        call: &mut WriteCall<'_>,
        planned: &Planned,
        parent: Option<WorkspaceId>,
    ) -> Result<Option<WorkspaceId>, AppError> {
        let candidates: Vec<WorkspaceId> = {
            let tree = call.tx.tree(call.org)?;
            match (planned.id, parent) {
                (Some(id), _) => vec![id],
                (None, Some(parent)) => tree.children(parent).collect(),
                (None, None) => vec![tree.root()],
            }
            .into_iter()
            .filter(|&id| tree.contains(id))
            .collect()
        };
        if planned.id.is_some() || parent.is_none() {
            return Ok(candidates.first().copied());
        }
        let rows = call.tx.workspaces(call.org, &candidates)?;
        let mut named = rows.into_iter().filter(|row| row.name == planned.name);
        match (named.next(), named.next()) {
            (None, _) => Ok(None),
            (Some(row), None) => Ok(Some(row.id)),
            (Some(_), Some(_)) => Err(AppError::Ambiguous { name: planned.name.clone() }),
        }
    }

    fn create(
        &self,
        call: &mut WriteCall<'_>,
        planned: &Planned,
        parent: Option<WorkspaceId>,
    ) -> Result<WorkspaceId, AppError> {
        let Some(parent) = parent else {
            let pass = ServerPass::grant(&call.caller, ServerAction::CreateOrg)?;
            let root = call.org.root();
            let created = call.tx.create_org(&pass, root, &planned.workspace)?;
            created.ok_or(RuleViolation::WorkspaceTaken(root))?;
            return Ok(root);
        };
        let id = planned.id.unwrap_or_else(|| call.tx.new_id().into());
        let limits = self.limits;
        let pass = call.pass(|caller, tree| TreePass::create(caller, tree, id, parent, limits))?;
        let created = call.tx.create_workspace(&pass, &planned.workspace)?;
        created.ok_or(RuleViolation::WorkspaceTaken(id))?;
        Ok(id)
    }
}

/// Commits a memory, unless it exists or existed. Returns whether it was committed.
fn commit_once(call: &mut WriteCall<'_>, author: WorkspaceId, memory: &PlannedMemory) -> Result<bool, AppError> {
    let team = match memory.team {
        None => None,
        Some(wire::RelativeTeam::Itself) => Some(author),
        Some(wire::RelativeTeam::Parent) => Some(call.tx.tree(call.org)?.parent(author).unwrap_or(author)),
    };
    let pass = call.pass(|caller, tree| WritePass::grant(caller, tree, author, memory.scope, team))?;
    let id = content_id(author, memory.scope, team, memory.draft.fields().content.as_str());
    if call.tx.memory_location(call.org, id)?.is_some() {
        return Ok(false);
    }
    let ready = memory.draft.under_id(id).into();
    let plan = call.plan_commit(&pass, &ready)?;
    call.tx.commit_memory(&pass, &ready, &plan)?;
    Ok(true)
}

/// The id of an imported memory, derived from author, scope, team and content.
pub(super) fn content_id(author: WorkspaceId, scope: Scope, team: Option<WorkspaceId>, content: &str) -> Uuid {
    let team = team.map(|team| team.to_string()).unwrap_or_default();
    let mut hash = Sha256::new();
    for part in [&author.to_string(), &scope.to_string(), &team, content] {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    let digest: [u8; 32] = hash.finalize().into();
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ..] = digest;
    uuid::Builder::from_custom_bytes([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]).into_uuid()
}

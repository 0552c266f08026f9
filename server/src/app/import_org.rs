//! A whole org from one document, all or nothing.

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

use super::append_episode::episode_input;
use super::call::WriteCall;
use super::wire::{redactions_at, source_of};
use super::{App, AppError, Idempotency};
use crate::auth::VerifiedClaims;

/// One workspace of the document, checked.
struct Planned {
    /// Where it stands there, as the beginning of the paths of its fields.
    place: String,
    id: Option<WorkspaceId>,
    /// Its parent, by place in the plan; none for the root.
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
    /// Creates what the document has and the server lacks. Importing it again adds nothing twice: a workspace is known
    /// by its id or, among its siblings, by its name; a memory by its author, scope and content; an entry by its key;
    /// episodes come with a new workspace alone.
    ///
    /// # Errors
    /// [`AppError`], naming the workspace that something is wrong with; nothing was changed then.
    pub async fn import_org(
        &self,
        who: &VerifiedClaims,
        document: wire::ImportNode,
        dry_run: bool,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::ImportResponse, AppError> {
        let (role, now) = (who.identity().role, self.now());
        let plan = self.plan(document, role, now)?;
        let (id, name) = (plan[0].id, plan[0].name.clone());
        let found = self
            .read_server(who, ReadPlan::Scan, move |tx, caller| {
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
        let org = found.unwrap_or_else(|| OrgId::from(self.new_root(who, idempotency.as_ref())));
        let import = Import { plan, limits: self.tree_limits };
        let root = org.root().uuid();
        if dry_run {
            return self.dry_run(who.call(root).in_org(org), move |call| import.run(call, true)).await;
        }
        self.write(who.call(root).in_org(org).idempotent(idempotency), move |call| import.run(call, false)).await
    }

    /// The demo org as it looks now, for whoever may import one.
    ///
    /// # Errors
    /// [`AppError::Forbidden`] for whoever is no admin.
    pub async fn read_demo(&self, who: &VerifiedClaims) -> Result<wire::ImportNode, AppError> {
        let granted = |caller: &_| ServerPass::grant(caller, ServerAction::ImportOrg).map(drop);
        self.read_server(who, ReadPlan::Cached, move |_, caller| Ok(granted(caller)?)).await?;
        // tests see to it that the files are right
        crate::demo::organisation(self.now()).map_err(|_| AppError::NotConfigured("the demo org cannot be read"))
    }

    /// The document as a list, parents before children, every field checked.
    fn plan(&self, document: wire::ImportNode, role: Role, now: DateTime<Utc>) -> Result<Vec<Planned>, AppError> {
        let mut plan = Vec::new();
        let mut waiting = vec![(None, String::new(), document)];
        while let Some((parent, place, mut node)) = waiting.pop() {
            let children = std::mem::take(&mut node.children);
            let name = node.name.clone();
            let below = |number| format!("{place}children[{number}].");
            let below = children.into_iter().enumerate().map(|(number, child)| (below(number), child));
            let at = plan.len();
            waiting.extend(below.rev().map(|(place, child)| (Some(at), place, child)));
            plan.push(self.plan_one(parent, place, node, role, now).map_err(|error| error.inside(&name))?);
        }
        Ok(plan)
    }

    fn plan_one(
        &self,
        parent: Option<usize>,
        place: String,
        node: wire::ImportNode,
        role: Role,
        now: DateTime<Utc>,
    ) -> Result<Planned, AppError> {
        let workspace = WorkspaceDraft::check(&node.name, node.role.as_deref(), node.metadata, self.scrubber)?;
        let entry = |entry: wire::PutEntry| {
            let wire::PutEntry { key, value, ttl_seconds, .. } = entry;
            let input = EntryInput { key, value, ttl_seconds, if_match_version: Some(0) };
            EntryDraft::check(input, self.limits, self.scrubber, now)
        };
        let episode = |episode: wire::ImportEpisode| {
            let draft = EpisodeDraft::check(episode_input(episode.activity), &self.episode_types, self.scrubber)?;
            Ok::<_, AppError>((draft, check_made_at(episode.created_at)?))
        };
        let memory = |memory: wire::ImportMemory| {
            let (scope, team) = (memory.scope, memory.team);
            let draft = MemoryDraft::check(memory_input(memory), role, self.limits, self.scrubber, now)?;
            Ok::<_, AppError>(PlannedMemory { draft, scope, team })
        };
        Ok(Planned {
            place,
            id: node.id.map(WorkspaceId::from),
            parent,
            name: workspace.fields().name.to_string(),
            workspace,
            memories: node.initial_memories.into_iter().map(memory).collect::<Result<_, _>>()?,
            entries: node.entries.into_iter().map(entry).collect::<Result<_, _>>()?,
            episodes: node.episodes.into_iter().map(episode).collect::<Result<_, _>>()?,
        })
    }
}

impl Planned {
    /// What was replaced in it, by where it stood in the document.
    fn redactions(&self) -> impl Iterator<Item = wire::Redaction> {
        let Self { place, workspace, memories, entries, episodes, .. } = self;
        let memories = memories.iter().map(|memory| &memory.draft.fields().redactions);
        let entries = entries.iter().map(|entry| &entry.fields().redactions);
        let episodes = episodes.iter().map(|(episode, _)| &episode.fields().redactions);
        let in_list = move |list: &str, number: usize| format!("{place}{list}[{number}].");
        let memories =
            memories.enumerate().map(move |(at, found)| redactions_at(&in_list("initial_memories", at), found));
        let entries = entries.enumerate().map(move |(at, found)| redactions_at(&in_list("entries", at), found));
        let episodes = episodes.enumerate().map(move |(at, found)| redactions_at(&in_list("episodes", at), found));
        let own = std::iter::once(redactions_at(place, &workspace.fields().redactions));
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
        subject: memory.subject,
        session_id: memory.session_id,
        run_id: None,
        profile_id: None,
        pin: memory.pin,
        expires_at: None,
        ttl_seconds: memory.ttl_seconds,
        supersedes: None,
        id: None,
        created_at: memory.created_at,
    }
}

/// The carrying out of a plan.
struct Import {
    plan: Vec<Planned>,
    limits: orgmem_hierarchy::TreeLimits,
}

impl Import {
    fn run(&self, call: &mut WriteCall<'_>, dry_run: bool) -> Result<wire::ImportResponse, AppError> {
        let mut answer = wire::ImportResponse {
            org_id: call.org.uuid(),
            dry_run,
            workspaces_created: 0,
            workspaces_kept: 0,
            memories_committed: 0,
            memories_kept: 0,
            entries_put: 0,
            episodes_appended: 0,
            redactions: self.plan.iter().flat_map(Planned::redactions).collect(),
        };
        let mut ids: Vec<WorkspaceId> = Vec::with_capacity(self.plan.len());
        for planned in &self.plan {
            let parent = planned.parent.map(|at| ids[at]);
            let done = self.import_one(call, planned, parent, &mut answer);
            ids.push(done.map_err(|error| error.inside(&planned.name))?);
        }
        Ok(answer)
    }

    fn import_one(
        &self,
        call: &mut WriteCall<'_>,
        planned: &Planned,
        parent: Option<WorkspaceId>,
        answer: &mut wire::ImportResponse,
    ) -> Result<WorkspaceId, AppError> {
        let known = self.known(call, planned, parent)?;
        let id = match known {
            Some(id) => id,
            None => self.create(call, planned, parent)?,
        };
        match known {
            Some(_) => answer.workspaces_kept += 1,
            None => answer.workspaces_created += 1,
        }
        for memory in &planned.memories {
            match commit_once(call, id, memory)? {
                true => answer.memories_committed += 1,
                false => answer.memories_kept += 1,
            }
        }
        let puts = call.pass(|caller, tree| ActPass::grant(caller, Permission::WriteEntries, tree, id))?;
        for entry in &planned.entries {
            // put on "must not exist": an entry that is there stays as it is
            answer.entries_put += usize::from(call.tx.put_entry(&puts, entry)?.is_ok());
        }
        if known.is_none() {
            let appends = call.pass(|caller, tree| ActPass::grant(caller, Permission::AppendActivity, tree, id))?;
            for (episode, happened_at) in &planned.episodes {
                call.tx.append_episode(&appends, episode, *happened_at)?;
                answer.episodes_appended += 1;
            }
        }
        Ok(id)
    }

    /// The workspace that is there already: by its id or, among its siblings, by its name.
    fn known(
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

/// Commits a memory unless the same one is there, or was.
fn commit_once(call: &mut WriteCall<'_>, author: WorkspaceId, memory: &PlannedMemory) -> Result<bool, AppError> {
    let team = match memory.team {
        None => None,
        Some(wire::RelativeTeam::Itself) => Some(author),
        Some(wire::RelativeTeam::Parent) => Some(call.tx.tree(call.org)?.parent(author).unwrap_or(author)),
    };
    let pass = call.pass(|caller, tree| WritePass::grant(caller, tree, author, memory.scope, team))?;
    let id = content_id(author, memory, team);
    if call.tx.memory_location(call.org, id)?.is_some() {
        return Ok(false);
    }
    let ready = memory.draft.under_id(id).into();
    let plan = call.plan_commit(&pass, &ready)?;
    call.tx.commit_memory(&pass, &ready, &plan)?;
    Ok(true)
}

/// The id of an imported memory: the same for the same content by the same author with the same sharing.
fn content_id(author: WorkspaceId, memory: &PlannedMemory, team: Option<WorkspaceId>) -> Uuid {
    let team = team.map(|team| team.to_string()).unwrap_or_default();
    let mut hash = Sha256::new();
    for part in [author.to_string(), memory.scope.to_string(), team, memory.draft.fields().content.as_str().to_owned()]
    {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    let digest: [u8; 32] = hash.finalize().into();
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, ..] = digest;
    uuid::Builder::from_custom_bytes([a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]).into_uuid()
}

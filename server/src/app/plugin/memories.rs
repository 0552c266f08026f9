//! Memories of namespaces: write, search, forget.

use std::collections::HashMap;
use std::sync::Arc;

use orgmem_hierarchy::{Scope, WorkspaceId};
use orgmem_policies::audit::AuditAction;
use orgmem_policies::{ForgetPass, Permission, ReadPass, Role};
use orgmem_recall::{Filter, PageRequest};
use orgmem_store::{AuditRecord, ForgetOutcome, FoundMemory, ReadPlan, Search};
use orgmem_types as wire;
use serde_json::Value;
use uuid::Uuid;

use super::namespaces::root;
use super::{checked_name, value};
use crate::app::call::ReadCall;
use crate::app::commit_memory::{commit_for_platform, prepare};
use crate::app::drafting::Drafting;
use crate::app::end_user::Writer;
use crate::app::meaning::ParsedQuery;
use crate::app::wire::{object, source};
use crate::app::{App, AppError};
use crate::auth::VerifiedClaims;
use crate::telemetry::MemoryOperation;

/// Maximum number of namespaces of a search.
const MAX_SEARCHED: usize = 1000;
/// Maximum number of memories of a search.
const MAX_LIMIT: usize = 100;
/// Number of memories of a search without a limit.
const DEFAULT_LIMIT: usize = 20;

/// The member of the metadata of a memory with its `propagation`.
const PROPAGATION: &str = "propagation";

const NO_EMBEDDER: &str =
    "`embedding` must be absent: no embedder is configured, and `/v1/health` does not list the capability";

impl App {
    /// Commits a memory into the namespace. The id of a memory of the same namespace replaces it.
    ///
    /// # Errors
    /// [`AppError::PLUGIN_NAMESPACE_NOT_FOUND`]; [`AppError`] for an invalid field;
    /// [`MemoryTaken`](orgmem_policies::rules::RuleViolation::MemoryTaken) for the id of a memory of another namespace.
    pub(crate) async fn write_plugin_memory(
        &self,
        auth: &VerifiedClaims,
        name: String,
        request: wire::WritePluginMemory,
    ) -> Result<wire::WrittenPluginMemory, AppError> {
        checked_name("name", &name, self.scrubber)?;
        self.check_vector(request.embedding.as_deref())?;
        let operation = if request.id.is_some() { MemoryOperation::Upsert } else { MemoryOperation::Create };
        let sought = name.clone();
        let spec = auth.call(root(auth)?).plan(ReadPlan::PointLookup);
        let workspace = self.read(spec, move |call| Ok(call.plugin_namespace(&sought)?.workspace)).await?;
        let (now, bytes) = (self.now(), request.content.len());
        let make =
            move |request, with: &Drafting| prepare(commit_of(request), &Writer::of_role(Role::Agent), now, with);
        let ready = Arc::new(self.make_draft(self.requester(auth), bytes, request, make).await?);
        let (is_embedded, target) = (self.embedding.is_some(), name.clone());
        let committing = self.write(auth.call(workspace.uuid()), move |call| {
            call.require_plugin_namespace(&target, workspace)?;
            call.spend_writes(Permission::WriteMemories, 1, is_embedded)?;
            commit_for_platform(call, &ready)
        });
        let id = self.measured(operation, committing).await?;
        Ok(wire::WrittenPluginMemory { id, namespace: name })
    }

    /// The memories of the namespaces, best first; without a query pinned and newest first. Namespaces that do not exist
    /// have none.
    ///
    /// # Errors
    /// [`AppError`] for an invalid field.
    pub(crate) async fn search_plugin(
        &self,
        auth: &VerifiedClaims,
        request: wire::SearchPlugin,
    ) -> Result<wire::PluginMemories, AppError> {
        let wire::SearchPlugin { namespaces, query, kinds, limit, embedding } = request;
        self.check_names(&namespaces)?;
        self.check_vector(embedding.as_deref())?;
        let query = ParsedQuery::parse(query, None);
        if embedding.is_some() && query.is_blank() {
            let expected = "the text that was embedded: this server embeds queries itself".into();
            return Err(AppError::Field { field: "query", expected });
        }
        let search = Search {
            filter: Filter { kinds: kinds.unwrap_or_default(), ..Filter::default() },
            scopes: vec![Scope::Local],
            cut: PageRequest { limit: checked_limit(limit)?, ..PageRequest::default() },
            ..Search::default()
        };
        let (top, query_hash, names) = (root(auth)?, query.hash(), Arc::new(namespaces));
        let reached = Arc::clone(&names);
        let reads = move |call: &mut ReadCall<'_>| Ok(call.plugin_reach(&reached)?.0);
        let searching = self.read_by_query_as(auth, top, ReadPlan::Adaptive, query, reads, move |call, query| {
            let (pass, names) = call.plugin_reach(&names)?;
            let found = call.tx.search(&pass, &Search { query, ..search.clone() })?;
            let shown: Vec<(Uuid, i64)> = found.hits.iter().map(|hit| (hit.memory.id, hit.memory.version)).collect();
            let record = AuditRecord::new(AuditAction::SearchMemories, call.workspace).about(shown);
            let mut record = record.context_field("namespaces", names.len());
            if let Some(query_hash) = &query_hash {
                record = record.context_field("query_hash", query_hash.as_str());
            }
            let memories = found.hits.into_iter().filter_map(|hit| to_wire(hit, &names)).collect();
            Ok((wire::PluginMemories { memories }, record))
        });
        self.measured(MemoryOperation::Search, searching).await
    }

    /// Deletes a memory of the namespace that requests it.
    ///
    /// # Errors
    /// [`AppError::PLUGIN_NAMESPACE_NOT_FOUND`]; [`AppError::MEMORY_NOT_FOUND`], also for a memory of another namespace.
    pub(crate) async fn forget_plugin_memory(
        &self,
        auth: &VerifiedClaims,
        memory: &str,
        request: wire::ForgetPluginMemory,
    ) -> Result<(), AppError> {
        let name = request.requested_by_namespace;
        checked_name("requested_by_namespace", &name, self.scrubber)?;
        let id = Uuid::try_parse(memory).map_err(|_| value("id", memory, "the UUID of a memory"))?;
        let forgetting = self.write(auth.call(root(auth)?), move |call| {
            let author = call.plugin_namespace(&name)?.workspace;
            let pass = call.pass(|caller, tree| ForgetPass::grant(caller, tree, author, author))?;
            let location = call.tx.memory_location(call.org, id)?;
            if location.is_none_or(|memory| memory.author != author) {
                return Err(AppError::MEMORY_NOT_FOUND);
            }
            match call.tx.forget_memory(&pass, id, None)? {
                ForgetOutcome::Done => Ok(()),
                ForgetOutcome::NoMemory | ForgetOutcome::Conflict(_) => Err(AppError::MEMORY_NOT_FOUND),
            }
        });
        self.measured(MemoryOperation::Delete, forgetting).await
    }

    fn check_names(&self, names: &[String]) -> Result<(), AppError> {
        if names.is_empty() || names.len() > MAX_SEARCHED {
            let found = format!("a list of {}", names.len());
            return Err(value("namespaces", &found, &format!("a list of 1 to {MAX_SEARCHED} names")));
        }
        let check = |(at, name): (usize, &String)| checked_name(&format!("namespaces[{at}]"), name, self.scrubber);
        names.iter().enumerate().try_for_each(check)
    }

    /// Checks a vector of the platform. Its model is not known, so it cannot be compared with the vectors of the server,
    /// which embeds the texts itself. It is accepted with the capability `embedding`, because platforms send one then.
    fn check_vector(&self, vector: Option<&[f64]>) -> Result<(), AppError> {
        match (vector, &self.embedding) {
            (Some(_), None) => Err(AppError::NotConfigured(NO_EMBEDDER)),
            (Some([]), Some(_)) => Err(value("embedding", "[]", "a list of numbers, or absent")),
            (Some(_) | None, _) => Ok(()),
        }
    }
}

fn checked_limit(limit: Option<i64>) -> Result<usize, AppError> {
    let Some(limit) = limit else { return Ok(DEFAULT_LIMIT) };
    let checked = usize::try_from(limit).ok().filter(|limit| (1..=MAX_LIMIT).contains(limit));
    checked.ok_or_else(|| value("limit", &limit.to_string(), &format!("a number from 1 to {MAX_LIMIT}")))
}

fn commit_of(request: wire::WritePluginMemory) -> wire::CommitMemory {
    let propagation = request.propagation.map(|propagation| {
        let mut metadata = wire::Object::new();
        metadata.insert(PROPAGATION.to_owned(), Value::Object(propagation));
        metadata
    });
    wire::CommitMemory {
        id: request.id,
        kind: Some(request.kind),
        source: Some(request.source),
        metadata: propagation,
        pin: request.pin.unwrap_or_default(),
        expires_at: request.expires_at,
        ..wire::CommitMemory::new(request.content, Scope::Local)
    }
}

/// `None` for a memory of no namespace, which the reach does not have.
fn to_wire(hit: FoundMemory, names: &HashMap<WorkspaceId, String>) -> Option<wire::PluginMemory> {
    let FoundMemory { memory, score, .. } = hit;
    let authored = memory.authored;
    let mut metadata = authored.metadata.as_deref().and_then(object).unwrap_or_default();
    let propagation = match metadata.remove(PROPAGATION) {
        Some(Value::Object(propagation)) => Some(propagation),
        Some(_) | None => None,
    };
    Some(wire::PluginMemory {
        id: memory.id,
        namespace: names.get(&memory.author)?.clone(),
        content: authored.content,
        kind: authored.kind,
        source: source(authored.source),
        expires_at: authored.expires_at,
        propagation,
        pin: authored.pin,
        created_at: memory.created_at,
        score,
    })
}

impl ReadCall<'_> {
    /// The pass for the memories of the namespaces with these names, and the name of each by its workspace.
    fn plugin_reach(&mut self, names: &[String]) -> Result<(ReadPass, HashMap<WorkspaceId, String>), AppError> {
        let found = self.plugin_namespaces(names)?;
        let authors: Vec<WorkspaceId> = found.iter().map(|namespace| namespace.workspace).collect();
        let (top, profiles) = (self.workspace, self.tx.all_default_settings(self.org)?);
        let pass = self.pass(|caller, tree| ReadPass::grant_own(caller, tree, top, &authors, &profiles))?;
        Ok((pass, found.into_iter().map(|namespace| (namespace.workspace, namespace.name)).collect()))
    }
}

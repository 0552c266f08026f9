//! Memories by namespace, through the services of memories.

use orgmem_hierarchy::WorkspaceId;
use orgmem_policies::{Namespace, Permission, UnknownNamespace, ViewPass};
use orgmem_store::ReadPlan;
use orgmem_types as wire;
use uuid::Uuid;

use super::call::WorkspaceNames;
use super::commit_memory::prepare;
use super::drafting::Drafting;
use super::{App, AppError, Idempotency, Listing, MemorySearch};
use crate::auth::VerifiedClaims;
use crate::telemetry::MemoryOperation;

/// Maximum size of a page. Source: `docs/spec/namespaces.md`, "Reading".
const PAGE_MAX: usize = 100;

impl App {
    /// The namespaces that the workspace can currently read and write.
    ///
    /// # Errors
    /// [`AppError`] by the caller's role and position.
    pub async fn list_namespaces(&self, auth: &VerifiedClaims, workspace: Uuid) -> Result<wire::Namespaces, AppError> {
        self.read(auth.call(workspace).plan(ReadPlan::PointLookup), |call| {
            let id = call.workspace;
            call.pass(|caller, tree| ViewPass::grant(caller, Permission::ReadReach, tree, id))?;
            let profile = call.tx.default_settings(call.org, id)?;
            let (readable, writable) = {
                let tree = call.tx.tree(call.org)?;
                (Namespace::readable(&tree, id, &profile), Namespace::writable(&tree, id))
            };
            let all = readable.iter().chain(&writable);
            let mut named: Vec<WorkspaceId> = all.filter_map(Namespace::workspace).collect();
            named.sort_unstable();
            named.dedup();
            let names = call.names(&named)?;
            let describe = |namespace: &Namespace| describe(namespace, &names, writable.contains(namespace));
            Ok(wire::Namespaces {
                readable: readable.iter().map(describe).collect(),
                writable: writable.iter().map(describe).collect(),
            })
        })
        .await
    }

    /// Commits one memory into a namespace, the workspace's own by default.
    ///
    /// # Errors
    /// As for [`commit_memory`](Self::commit_memory); [`AppError::Scope`] with the namespaces that the workspace may write.
    pub async fn commit_namespace_memory(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::CommitToNamespace,
        idempotency: Option<Idempotency>,
    ) -> Result<wire::CommittedToNamespace, AppError> {
        let operation = if request.id.is_some() { MemoryOperation::Upsert } else { MemoryOperation::Create };
        let (writer, now, author) = (auth.writer(), self.now(), WorkspaceId::from(workspace));
        let make = move |request: wire::CommitToNamespace, with: &Drafting| {
            let named = request.namespace.as_deref().map(str::parse).transpose();
            let unknown =
                |error: UnknownNamespace| AppError::Field { field: "namespace", expected: format!("one of {error}") };
            let target = named.map_err(unknown)?.unwrap_or(Namespace::Workspace(author));
            Ok(prepare(commit_of(request, &target), &writer, now, with)?.into_namespace(target))
        };
        let ready = self.draft(auth, workspace, Permission::WriteMemories, request, make).await?;
        let committed = self.commit_ready(auth, workspace, operation, ready, idempotency).await?;
        let team = committed.team.map(WorkspaceId::from);
        // a scope of a namespace always has a name
        let namespace = Namespace::of(committed.scope, team, author, &committed.namespace);
        Ok(wire::CommittedToNamespace {
            id: committed.id,
            namespace: namespace.map(|namespace| namespace.to_string()).unwrap_or_default(),
            scope: committed.scope,
            team: committed.team,
            kind: committed.kind,
            version: committed.version,
            created_at: committed.created_at,
            expires_at: committed.expires_at,
            run_id: committed.run_id,
            pending: committed.pending,
            redactions: committed.redactions,
        })
    }

    /// The memories of a namespace, or all that the workspace can read; none of a namespace that it cannot read.
    ///
    /// # Errors
    /// As for [`search_memories`](Self::search_memories).
    pub async fn search_namespace(
        &self,
        auth: &VerifiedClaims,
        workspace: Uuid,
        request: wire::ListNamespaceMemories,
    ) -> Result<wire::NamespaceMemories, AppError> {
        let wire::ListNamespaceMemories { namespace, q, kind, limit, cursor } = request;
        let within = namespace.filter(|name| !name.is_empty());
        let request = wire::ListMemories { q, kind, limit, cursor, ..wire::ListMemories::default() };
        let search = MemorySearch { request, within, page_max: Some(PAGE_MAX), ..MemorySearch::default() };
        let Listing { items, next } = self.search_memories(auth, workspace, search).await?;
        Ok(wire::NamespaceMemories { memories: items.into_iter().map(with_namespace).collect(), next })
    }
}

fn commit_of(request: wire::CommitToNamespace, target: &Namespace) -> wire::CommitMemory {
    wire::CommitMemory {
        team: target.team().map(WorkspaceId::uuid),
        namespace: target.label().map(str::to_owned),
        title: request.title,
        kind: request.kind,
        source: request.source,
        confidence: request.confidence,
        tags: request.tags,
        metadata: request.metadata,
        claims: request.claims,
        subject: request.subject,
        session_id: request.session_id,
        session_only: request.session_only,
        run_id: request.run_id,
        pin: request.pin,
        expires_at: request.expires_at,
        id: request.id,
        ..wire::CommitMemory::new(request.content, target.scope())
    }
}

fn describe(namespace: &Namespace, names: &WorkspaceNames, writable: bool) -> wire::NamespaceInfo {
    let label = namespace.workspace().map(|id| names.of(id)).unwrap_or_default();
    let (kind, display_name) = match namespace {
        Namespace::Workspace(_) => (wire::NamespaceKind::Workspace, format!("Workspace {label}")),
        Namespace::Team(_) => (wire::NamespaceKind::Team, format!("Team of {label}")),
        Namespace::Org(_) => (wire::NamespaceKind::Org, format!("Organisation {label}")),
        Namespace::Custom(custom) => (wire::NamespaceKind::Custom, custom.clone()),
    };
    wire::NamespaceInfo { name: namespace.to_string(), kind, label, display_name, writable }
}

fn with_namespace(memory: wire::Memory) -> wire::NamespaceMemory {
    let (team, author) = (memory.team.map(WorkspaceId::from), WorkspaceId::from(memory.workspace_id));
    let namespace = Namespace::of(memory.scope, team, author, &memory.namespace);
    wire::NamespaceMemory {
        id: memory.id,
        namespace: namespace.map(|namespace| namespace.to_string()),
        workspace_id: memory.workspace_id,
        workspace_name: memory.workspace_name,
        scope: memory.scope,
        team: memory.team,
        title: memory.title,
        content: memory.content,
        claims: memory.claims,
        label: memory.namespace,
        kind: memory.kind,
        source: memory.source,
        role: memory.role,
        confidence: memory.confidence,
        tags: memory.tags,
        metadata: memory.metadata,
        subject: memory.subject,
        session_id: memory.session_id,
        tier: memory.tier,
        run_id: memory.run_id,
        pin: memory.pin,
        version: memory.version,
        created_at: memory.created_at,
        updated_at: memory.updated_at,
        expires_at: memory.expires_at,
        via: memory.via,
        can: memory.can,
        score: memory.score,
    }
}

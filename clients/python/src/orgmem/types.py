"""Requests and responses, written by scripts/generate_types.py from /openapi.json. Not edited by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class AddTurnFields(TypedDict):
    """The optional fields of `AddTurn`."""

    # The channel of the conversation.
    channel: NotRequired[Union[str, None]]
    # Category of the subject matter. An excluded kind keeps the whole turn from the language model.
    kind: NotRequired[Union[str, None]]
    # The session of the conversation. Required, here or in the header or the token.
    session_id: NotRequired[Union[str, None]]
    # The end user.
    subject: NotRequired[Union[str, None]]


class AddTurn(AddTurnFields):
    """`POST /workspaces/{id}/turns`: the messages of one turn of a conversation."""

    # The messages, the oldest first; at most 64.
    messages: NotRequired[list[TurnMessage]]


class AffectedAuthor(TypedDict):
    """Gains and losses of one author's memories."""

    # Newly readable memories, by scope.
    gains: MemoryCounts
    # No longer readable memories, by scope.
    loses: MemoryCounts
    name: str
    workspace_id: str


class AffectedWorkspace(TypedDict):
    """Live memories that one workspace would gain or lose."""

    # By author, largest change first.
    authors: list[AffectedAuthor]
    # Newly readable memories, by scope.
    gains: MemoryCounts
    # The workspace's own memories that others read now and only their author would read afterwards.
    left_alone: list[UnsharedMemories]
    # No longer readable memories, by scope.
    loses: MemoryCounts
    # Number of omitted authors.
    more_authors: int
    name: str
    # Whether the workspace would be removed and lose everything.
    removed: bool
    # The effect as a sentence.
    summary: str
    workspace_id: str


class AppendEpisodeFields(TypedDict):
    """The optional fields of `AppendEpisode`."""

    # The actor within the workspace.
    actor: NotRequired[Union[str, None]]
    channel: NotRequired[Union[str, None]]
    # At most 16 statements about records.
    claims: NotRequired[Union[list[Claim], None]]
    # Groups related episodes.
    correlation_id: NotRequired[Union[str, None]]
    # Duration in milliseconds.
    duration_ms: NotRequired[Union[int, None]]
    error_detail: NotRequired[Union[str, None]]
    # Category of the subject matter. Pages contain only episodes with a kind that is not excluded.
    kind: NotRequired[Union[str, None]]
    # Any JSON object.
    metadata: NotRequired[Union[dict[str, Any], None]]
    # The method called.
    method: NotRequired[Union[str, None]]
    # When it happened, if not now. It becomes `created_at`, which times and order go by. Not in the future.
    occurred_at: NotRequired[Union[str, None]]
    # `success`, `failure` or `neutral`.
    outcome: NotRequired[Union[str, None]]
    # Any JSON value.
    request_body: NotRequired[Any]
    # Any JSON value.
    response_body: NotRequired[Any]
    # Importance from 0 to 1; absent means 0.5.
    salience: NotRequired[Union[float, None]]
    session_id: NotRequired[Union[str, None]]
    # The workspace itself, or absent.
    source_id: NotRequired[Union[str, None]]
    status: NotRequired[Union[str, None]]
    # Id of the end user concerned.
    subject: NotRequired[Union[str, None]]
    # One line.
    summary: NotRequired[Union[str, None]]
    # The episode of the same workspace that this one corrects.
    supersedes: NotRequired[Union[str, None]]
    # The target of the activity.
    target_id: NotRequired[Union[str, None]]


class AppendEpisode(AppendEpisodeFields):
    """`POST /workspaces/{id}/activity`: one episode to append."""

    # `a2a_send`, `a2a_receive`, `task_update`, `task_complete`, `tool_call`, `agent_log`, `skill_promotion`,
    # `memory_write`, `error`, or a type from the configuration.
    activity_type: str


class AuditRow(TypedDict):
    """One row of the audit log. Content appears only as a hash."""

    # The operation: `commit_memory`, `search_memories`, `move_workspace`, …
    action: str
    at: str
    # SHA-256 of the content written or removed, in hexadecimal.
    content_hash: NotRequired[Union[str, None]]
    # Further facts: request id, counts, the hash of a key.
    context: dict[str, Any]
    # Memories read or written, with their versions.
    memories: list[AuditedMemory]
    # The caller's role.
    role: Role
    run_id: NotRequired[Union[str, None]]
    # Whether the row is sealed in the hash chain.
    sealed: bool
    # Sequence number in the log of the org, in the order of commits.
    seq: int
    # The `sub` claim of the caller's token.
    subject: str
    # Absent for operations of the server itself.
    token_id: NotRequired[Union[str, None]]
    # The workspace that the caller acted as, or the target of the operation; nil for the server as a whole.
    workspace_id: str


class AuditVerification(TypedDict):
    """Result of verifying the hash chain of an org's audit log."""

    # The first fault found.
    fault: NotRequired[Union[str, None]]
    # Whether every verified row is unchanged.
    intact: bool
    # Number of the last verified row.
    last_seq: int
    # Cursor of the rest; absent at the end of the log.
    next: NotRequired[Union[str, None]]
    # Verified rows that are part of the chain.
    sealed_rows: int
    # Rows that are not sealed yet.
    waiting_rows: int


class AuditedMemory(TypedDict):
    """A memory that an audit row names."""

    id: str
    # 0 where unknown.
    version: int


class BatchItem(TypedDict):
    """Outcome for one memory of a batch."""

    committed: NotRequired[CommittedMemory]
    # A refusal does not affect other items.
    refused: NotRequired[Problem]


class BatchResponse(TypedDict):
    """Response to a batch, with one item for each memory in the order of the request."""

    # Number of committed memories.
    committed: int
    items: list[BatchItem]
    # Number of refused items.
    refused: int


class Budget(TypedDict):
    """The budget of one workspace, and what it and everything below it use."""

    limits: BudgetLimits
    used: BudgetUsage
    # The workspace whose budget it is.
    workspace_id: str


class BudgetLimits(TypedDict):
    """`PUT /workspaces/{id}/budget`: the limits on a workspace and everything below it, together. The request replaces all of
    them; an absent limit, or `null`, limits nothing."""

    # Bytes of content, title, tags and metadata, with earlier versions.
    bytes: NotRequired[Union[int, None]]
    # Memories and queries that are embedded in 24 hours.
    embeddings_per_day: NotRequired[Union[int, None]]
    # Live memories.
    memories: NotRequired[Union[int, None]]
    searches_per_minute: NotRequired[Union[int, None]]
    # Memories, entries and episodes that are written in a minute.
    writes_per_minute: NotRequired[Union[int, None]]


class BudgetUsage(TypedDict):
    """What is used of a budget. Rates are those of the responding server."""

    bytes: int
    embeddings_per_day: int
    memories: int
    searches_per_minute: int
    # The part of the minute's quota that is not available now.
    writes_per_minute: int


class CheckAccess(TypedDict):
    """`POST /registry/check-access`: whether two workspaces may communicate."""

    caller_id: str
    # An unknown id, or a text that is no id, is never allowed.
    target_id: str


class CheckAccessResponse(TypedDict):
    """`CheckAccessResponse`."""

    # True for the workspace itself, siblings, ancestors and descendants of one tree.
    allowed: bool


class CheckedClaim(TypedDict):
    """A statement about a record, compared with the record at the moment of the read."""

    # The thing that the record describes.
    entity: str
    # Field of the record.
    field: str
    # The current value, where a record has one.
    record: NotRequired[Union[RecordField, None]]
    status: ClaimStatus
    # As the author stated it.
    value: Any


class Claim(TypedDict):
    """A statement about a record, such as the price of a product."""

    # The thing that the record describes, such as `sku-4711`.
    entity: str
    # Field of the record, such as `price`.
    field: str
    # A string, a number or a boolean.
    value: Any


class Collapsed(TypedDict):
    """Results that repeat the content of another one: they differ only in case, diacritics, inflection, white space and
    punctuation without meaning."""

    count: int
    # The first 100, in the order of the results.
    ids: list[str]


class CommitBatch(TypedDict):
    """`POST …/memories/batch`: up to 500 memories."""

    # Each is committed or refused independently.
    memories: list[CommitMemory]


class CommitMemoryFields(TypedDict):
    """The optional fields of `CommitMemory`."""

    # At most 16 statements about records.
    claims: NotRequired[Union[list[Claim], None]]
    # 0 to 1; 0.5 by default.
    confidence: NotRequired[Union[float, None]]
    # Exclusive end of validity.
    expires_at: NotRequired[Union[str, None]]
    # Id of the caller's choice; a commit with an existing id replaces that memory.
    id: NotRequired[Union[str, None]]
    # `fact` (default), `summary`, `checkpoint`, or another lower-case word of at most 32 characters.
    kind: NotRequired[Union[str, None]]
    # Any JSON object.
    metadata: NotRequired[Union[dict[str, Any], None]]
    # Label, at most 50 characters; `general` by default.
    namespace: NotRequired[Union[str, None]]
    # When it happened, if not now. It becomes `created_at`, which times, order and recency go by. Not in the future.
    occurred_at: NotRequired[Union[str, None]]
    # Listed first; at most 20 per author.
    pin: NotRequired[bool]
    # Profile of the workspace; the default profile if absent.
    profile_id: NotRequired[Union[str, None]]
    # An open run of the workspace, which stages the memory until it completes. Any other id is refused, unless
    # `ungated` is true.
    run_id: NotRequired[Union[str, None]]
    scope: Scope
    session_id: NotRequired[Union[str, None]]
    # Whether it ends with its session, which must be given.
    session_only: NotRequired[bool]
    source: NotRequired[Union[Source, None]]
    # Id of the end user concerned.
    subject: NotRequired[Union[str, None]]
    # A memory of the same author that this one replaces in every read.
    supersedes: NotRequired[Union[str, None]]
    # At most 32.
    tags: NotRequired[list[str]]
    # Only with TEAM: the leader of the team, which is the author or its parent.
    team: NotRequired[Union[str, None]]
    # One line, at most 200 characters; searchable.
    title: NotRequired[Union[str, None]]
    # Lifetime in seconds, instead of `expires_at`.
    ttl_seconds: NotRequired[Union[int, None]]
    # Commit at once where `run_id` (or `X-Run-Id`) names no open run of the workspace; the id is then only stored.
    ungated: NotRequired[bool]


class CommitMemory(CommitMemoryFields):
    """`POST /workspaces/{id}/memories`: one memory to commit."""

    # Not blank, at most 64 KiB.
    content: str


class CommittedMemory(TypedDict):
    """Response to a commit."""

    # When it happened: `occurred_at`, or the time of the first commit.
    created_at: str
    # Exclusive end of validity.
    expires_at: NotRequired[Union[str, None]]
    # Id of the memory.
    id: str
    # `fact`, `summary`, `checkpoint` or another word.
    kind: str
    # Label for grouping.
    namespace: str
    # Whether the memory is staged until its run completes; until then no read returns it.
    pending: NotRequired[bool]
    # Credentials replaced before storage.
    redactions: list[Redaction]
    # Gated run of the memory.
    run_id: NotRequired[Union[str, None]]
    # Audience of the memory.
    scope: Scope
    # Leader of the bound team.
    team: NotRequired[Union[str, None]]
    # 1 for a new memory, increased by every change; 0 while pending.
    version: int


class Context(TypedDict):
    """A context block and its memories."""

    # The text to put before the prompt; empty without memories. Text by other workspaces is quoted for every caller.
    block: str
    # The memories in the block, in the order of the block.
    entries: list[Memory]
    # The best candidates outside the block, at most 50, best first. Memories outside the reach of the workspace
    # appear only for callers whose role covers the author.
    left_out: list[OmittedCandidate]
    # The profile whose injection settings applied.
    profile_id: str
    # The order in which memories were selected.
    strategy: Strategy
    # Size of the block in tokens; four bytes of UTF-8 count as one.
    tokens: int
    # The pages in the section `## Working Set`, in the order of the block.
    working_set: NotRequired[list[WorkingPage]]


class CountMemoriesQuery(TypedDict):
    """Parameters of `count_memories`."""

    # Only this scope; all readable memories if absent.
    scope: NotRequired[Scope]
    # Search mode; `auto` by default.
    mode: NotRequired[Mode]
    # Only this namespace.
    namespace: NotRequired[str]
    # Only this kind.
    kind: NotRequired[str]
    # Only this source.
    source: NotRequired[Source]
    # Only memories with this tag.
    tag: NotRequired[str]
    # Only memories of this workspace.
    author: NotRequired[str]
    # Only this end user.
    subject: NotRequired[str]
    # Only this session.
    session_id: NotRequired[str]
    # `granted`: also memories of other sessions that grants show.
    sessions: NotRequired[ReadSessions]
    # Only this tier.
    tier: NotRequired[MemoryTier]
    # Only this run.
    run_id: NotRequired[str]
    # Only this profile of the workspace.
    profile_id: NotRequired[str]
    # Earliest commit, inclusive.
    since: NotRequired[str]
    # Latest commit, exclusive.
    until: NotRequired[str]
    # Minimum confidence, 0 to 1.
    min_confidence: NotRequired[float]
    # Only pinned memories (`true`), or only others (`false`).
    pinned: NotRequired[bool]
    # Only memories whose metadata match these conditions: a JSON object such as `{"tier": {"$gte": 2}}`.
    metadata: NotRequired[str]
    # Only these memories: 1 to 50 ids, separated by commas.
    ids: NotRequired[str]
    # Count repetitions of one content as one.
    collapse: NotRequired[bool]


class CreateProfileFields(TypedDict):
    """The optional fields of `CreateProfile`."""

    # Kinds that the workspace neither commits nor reads; at most 32.
    excluded_kinds: NotRequired[list[str]]
    # Settings of the context block.
    injection: NotRequired[Injection]
    # Whether the profile becomes the default one.
    is_default: NotRequired[bool]
    isolation: NotRequired[Isolation]
    # Who reads the pages of the workspace; GLOBAL only for a root. That of the default profile applies.
    page_scope: NotRequired[Scope]
    retention: NotRequired[Retention]
    # Memories to commit at creation, at most 100; LOCAL where they name no scope.
    seed_entries: NotRequired[list[CommitMemory]]
    # Whether the memories of sessions are read together.
    sessions: NotRequired[Sharing]
    # Whether the memories of end users are read together.
    subjects: NotRequired[Sharing]


class CreateProfile(CreateProfileFields):
    """`POST /workspaces/{id}/profiles`."""

    # One line of at most 50 characters, unique in the workspace.
    name: str


class CreateWorkspaceFields(TypedDict):
    """The optional fields of `CreateWorkspace`."""

    # Id of the caller's choice, unique across the server.
    id: NotRequired[Union[str, None]]
    # Any JSON object.
    metadata: NotRequired[Union[dict[str, Any], None]]
    parent_id: NotRequired[Union[str, None]]
    # Function of the agent, in a word.
    role: NotRequired[Union[str, None]]


class CreateWorkspace(CreateWorkspaceFields):
    """`POST /workspaces`: a child of `parent_id`, or without it a new root (admins only)."""

    # 1 to 200 characters.
    name: str


class Deleted(TypedDict):
    """Response to a deletion."""

    # Always `deleted`.
    status: DeletedStatus


class DenialReasons(TypedDict):
    """Reasons of the refused operations."""

    delete: NotRequired[Union[str, None]]
    edit: NotRequired[Union[str, None]]
    redact: NotRequired[Union[str, None]]


class Entry(TypedDict):
    """A live entry."""

    # Exclusive end of validity.
    expires_at: NotRequired[Union[str, None]]
    # Unique in the workspace.
    key: str
    # Id of the end user concerned.
    subject: NotRequired[Union[str, None]]
    # Time of the latest write.
    updated_at: str
    # Any JSON value.
    value: Any
    # Starts at 1 and increases with every write, also after deletion and expiry.
    version: int


class Episode(TypedDict):
    """One row of a workspace's activity log."""

    # `a2a_send`, `a2a_receive`, `task_update`, `task_complete`, `tool_call`, `agent_log`, `skill_promotion`,
    # `memory_write`, `error`, or a type from the configuration.
    activity_type: str
    # The actor within the workspace.
    actor: NotRequired[Union[str, None]]
    channel: NotRequired[Union[str, None]]
    # Its claims, compared with the records.
    checked_claims: NotRequired[Union[list[CheckedClaim], None]]
    # At most 16 statements about records.
    claims: NotRequired[Union[list[Claim], None]]
    # Groups related episodes.
    correlation_id: NotRequired[Union[str, None]]
    # When it happened: `occurred_at`, or the time of the append.
    created_at: str
    # Duration in milliseconds.
    duration_ms: NotRequired[Union[int, None]]
    error_detail: NotRequired[Union[str, None]]
    id: str
    # Whether the content was redacted; the episode then has only its type, time and corrections.
    is_redacted: NotRequired[bool]
    # Category of the subject matter. Pages contain only episodes with a kind that is not excluded.
    kind: NotRequired[Union[str, None]]
    # Any JSON object.
    metadata: NotRequired[Union[dict[str, Any], None]]
    # The method called.
    method: NotRequired[Union[str, None]]
    # When it happened, if not now. It becomes `created_at`, which times and order go by. Not in the future.
    occurred_at: NotRequired[Union[str, None]]
    # `success`, `failure` or `neutral`.
    outcome: NotRequired[Union[str, None]]
    # Time of the append, if its author declared when it happened.
    recorded_at: NotRequired[Union[str, None]]
    # Time of the redaction.
    redacted_at: NotRequired[Union[str, None]]
    # Any JSON value.
    request_body: NotRequired[Any]
    # Any JSON value.
    response_body: NotRequired[Any]
    # Importance from 0 to 1; absent means 0.5.
    salience: NotRequired[Union[float, None]]
    session_id: NotRequired[Union[str, None]]
    # The workspace itself, or absent.
    source_id: NotRequired[Union[str, None]]
    status: NotRequired[Union[str, None]]
    # Id of the end user concerned.
    subject: NotRequired[Union[str, None]]
    # One line.
    summary: NotRequired[Union[str, None]]
    # The latest episode that corrects this one.
    superseded_by: NotRequired[Union[str, None]]
    # The episode of the same workspace that this one corrects.
    supersedes: NotRequired[Union[str, None]]
    # The target of the activity.
    target_id: NotRequired[Union[str, None]]
    # The workspace that owns the log.
    workspace_id: str


class Explanation(TypedDict):
    """Rank and score of a search result."""

    # Parts of the score; the values add up to it. Empty without a query.
    parts: list[ScorePart]
    # Position among all results, from 1.
    rank: int
    # The earlier result with the same content, or with nearly the same words of the same author, if any.
    repeats: NotRequired[Union[str, None]]
    # Its place in the order of a reranker; absent where the order is that of the scores.
    reranked: NotRequired[Union[Reranked, None]]


class FinishRun(TypedDict):
    """`POST /workspaces/{id}/runs/{rid}/finish`."""

    status: RunEnding


class FoundPage(TypedDict):
    """What a search says about a page besides its text."""

    # Time of the last change of the page.
    compacted_at: str
    # Time of the first episode.
    first_at: str
    # Time of the last episode.
    last_at: str
    # Maker of the text: `extractive`.
    made_by: str
    # The last declared outcome of the episodes.
    outcome: NotRequired[Union[str, None]]
    # Number of episodes.
    source_count: int
    tier: Tier
    # Size of the content; four bytes of UTF-8 count as one.
    tokens: int


class ImportEpisode(TypedDict):
    """An episode of an imported workspace."""

    # `a2a_send`, `a2a_receive`, `task_update`, `task_complete`, `tool_call`, `agent_log`, `skill_promotion`,
    # `memory_write`, `error`, or a type from the configuration.
    activity_type: str
    # The actor within the workspace.
    actor: NotRequired[Union[str, None]]
    channel: NotRequired[Union[str, None]]
    # At most 16 statements about records.
    claims: NotRequired[Union[list[Claim], None]]
    # Groups related episodes.
    correlation_id: NotRequired[Union[str, None]]
    # The time of the import by default.
    created_at: NotRequired[Union[str, None]]
    # Duration in milliseconds.
    duration_ms: NotRequired[Union[int, None]]
    error_detail: NotRequired[Union[str, None]]
    # Category of the subject matter. Pages contain only episodes with a kind that is not excluded.
    kind: NotRequired[Union[str, None]]
    # Any JSON object.
    metadata: NotRequired[Union[dict[str, Any], None]]
    # The method called.
    method: NotRequired[Union[str, None]]
    # When it happened, if not now. It becomes `created_at`, which times and order go by. Not in the future.
    occurred_at: NotRequired[Union[str, None]]
    # `success`, `failure` or `neutral`.
    outcome: NotRequired[Union[str, None]]
    # Any JSON value.
    request_body: NotRequired[Any]
    # Any JSON value.
    response_body: NotRequired[Any]
    # Importance from 0 to 1; absent means 0.5.
    salience: NotRequired[Union[float, None]]
    session_id: NotRequired[Union[str, None]]
    # The workspace itself, or absent.
    source_id: NotRequired[Union[str, None]]
    status: NotRequired[Union[str, None]]
    # Id of the end user concerned.
    subject: NotRequired[Union[str, None]]
    # One line.
    summary: NotRequired[Union[str, None]]
    # The episode of the same workspace that this one corrects.
    supersedes: NotRequired[Union[str, None]]
    # The target of the activity.
    target_id: NotRequired[Union[str, None]]


class ImportMemory(TypedDict):
    """A memory of an imported workspace."""

    # At most 16 statements about records.
    claims: NotRequired[Union[list[Claim], None]]
    # 0 to 1.
    confidence: NotRequired[Union[float, None]]
    content: str
    # The time of the import by default.
    created_at: NotRequired[Union[str, None]]
    kind: NotRequired[Union[str, None]]
    # Any JSON object.
    metadata: NotRequired[Union[dict[str, Any], None]]
    namespace: NotRequired[Union[str, None]]
    # Listed first.
    pin: NotRequired[bool]
    scope: Scope
    session_id: NotRequired[Union[str, None]]
    # Whether it ends with its session, which must be given.
    session_only: NotRequired[bool]
    source: NotRequired[Union[Source, None]]
    # Id of the end user concerned.
    subject: NotRequired[Union[str, None]]
    # At most 32.
    tags: NotRequired[list[str]]
    # Only with TEAM.
    team: NotRequired[Union[RelativeTeam, None]]
    # One line, at most 200 characters.
    title: NotRequired[Union[str, None]]
    # Lifetime in seconds.
    ttl_seconds: NotRequired[Union[int, None]]


class ImportNode(TypedDict):
    """`POST /orgs/import`: a workspace with its content and children."""

    children: NotRequired[list[ImportNode]]
    # Entries to write.
    entries: NotRequired[list[PutEntry]]
    # Oldest first.
    episodes: NotRequired[list[ImportEpisode]]
    # Identifies the workspace; takes precedence over the name.
    id: NotRequired[Union[str, None]]
    # Memories to commit, under the rules of a commit.
    initial_memories: NotRequired[list[ImportMemory]]
    # Any JSON object.
    metadata: NotRequired[Union[dict[str, Any], None]]
    # Identifies the workspace among its siblings when the document is imported again.
    name: str
    # Function of the agent, in a word.
    role: NotRequired[Union[str, None]]


class ImportResponse(TypedDict):
    """Outcome of an import, or with `dry_run` the predicted outcome."""

    # True if nothing was changed.
    dry_run: bool
    entries_put: int
    episodes_appended: int
    memories_committed: int
    # Memories that already existed.
    memories_kept: int
    org_id: str
    # Credentials replaced before storage; fields are paths in the document, such as
    # `children[0].initial_memories[2].content`.
    redactions: NotRequired[list[Redaction]]
    # The workspaces of the document in its order, parents before their children, with those that existed. Empty in a
    # dry run.
    workspace_ids: NotRequired[list[str]]
    workspaces_created: int
    # Workspaces that already existed.
    workspaces_kept: int


class InjectContext(TypedDict):
    """`POST /workspaces/{id}/context`."""

    # The profile whose injection settings apply; the default profile if absent.
    profile_id: NotRequired[Union[str, None]]
    # Topic of the prompt; only the strategy `relevance` uses it.
    query: NotRequired[Union[str, None]]
    # Session of the prompt; memories of this session come first.
    session_id: NotRequired[Union[str, None]]
    # Adds the working set about this person or thing.
    subject: NotRequired[Union[str, None]]
    # Size of the working set in tokens; 1500 by default.
    token_budget: NotRequired[Union[int, None]]


class Injection(TypedDict):
    """Settings of the context block."""

    # Maximum number of memories, 1 to 50.
    limit: NotRequired[int]
    # Minimum confidence, 0 to 1.
    min_confidence: NotRequired[Union[float, None]]
    # Scopes to include; all if empty.
    scopes: NotRequired[list[Scope]]
    # Sort order.
    strategy: NotRequired[Strategy]
    # Maximum size of the block in tokens, 1 to 1000000. Four bytes of UTF-8 count as one token.
    token_budget: NotRequired[Union[int, None]]


class IssueToken(TypedDict):
    """`POST /workspaces/{id}/tokens`."""

    # Only for agents: the end user that the token is bound to. It reads and writes for that user, and can name no other.
    end_user: NotRequired[Union[str, None]]
    # Lifetime in seconds, at most one year; by default 24 hours for agents and 12 hours for people.
    expires_in: NotRequired[Union[int, None]]
    role: Role
    # Only for agents: the session that the token is bound to.
    session_id: NotRequired[Union[str, None]]
    # Name in the audit log, at most 256 bytes; by default `<role>:<workspace name>`, truncated.
    subject: NotRequired[Union[str, None]]


class IssuedToken(TypedDict):
    """A new token. No later response contains the token itself."""

    # The end user that the token is bound to.
    end_user: NotRequired[Union[str, None]]
    # Exclusive end of validity.
    expires_at: str
    # Id of the token, for revocation.
    jti: str
    role: Role
    # The session that the token is bound to.
    session_id: NotRequired[Union[str, None]]
    # Name in the audit log.
    subject: str
    token: str
    workspace_id: NotRequired[Union[str, None]]


class ListEpisodesQuery(TypedDict):
    """Parameters of `list_episodes`."""

    # Only this activity type.
    type: NotRequired[str]
    # Only this session.
    session_id: NotRequired[str]
    # Only this end user.
    subject: NotRequired[str]
    # Earliest time, inclusive.
    since: NotRequired[str]
    # Latest time, exclusive.
    until: NotRequired[str]
    # Page size; 50 by default, at most 200.
    limit: NotRequired[int]


class ListMetadataValuesQuery(TypedDict):
    """Parameters of `list_metadata_values`."""

    # The name of a member of metadata.
    member: NotRequired[str]
    # Number of items of a list that make a value, at least 1; all by default.
    depth: NotRequired[int]
    # Only this scope; all readable memories if absent.
    scope: NotRequired[Scope]
    # Only this namespace.
    namespace: NotRequired[str]
    # Only this kind.
    kind: NotRequired[str]
    # Only this source.
    source: NotRequired[Source]
    # Only memories with this tag.
    tag: NotRequired[str]
    # Only memories of this workspace.
    author: NotRequired[str]
    # Only this end user.
    subject: NotRequired[str]
    # Only this session.
    session_id: NotRequired[str]
    # Only this tier.
    tier: NotRequired[MemoryTier]
    # Only memories whose metadata match these conditions: a JSON object such as `{"tier": {"$gte": 2}}`.
    metadata: NotRequired[str]
    # Page size; 100 by default and at most.
    limit: NotRequired[int]


class ListRunsQuery(TypedDict):
    """Parameters of `list_runs`."""

    # Only this status.
    status: NotRequired[RunStatus]
    # Only this session.
    session_id: NotRequired[str]
    # Page size; 50 by default, at most 200.
    limit: NotRequired[int]


class ListWorkspacesQuery(TypedDict):
    """Parameters of `list_workspaces`."""

    # Only the tree of this root; empty if the id is not a root.
    root: NotRequired[str]
    # Only children of this workspace.
    parent: NotRequired[str]
    # `live` by default.
    status: NotRequired[WorkspaceStatus]
    # Page size; 50 by default, at most 500.
    limit: NotRequired[int]


class LoggedEpisode(TypedDict):
    """Response to an append: the episode, with `status` `logged` instead of its own status."""

    # `a2a_send`, `a2a_receive`, `task_update`, `task_complete`, `tool_call`, `agent_log`, `skill_promotion`,
    # `memory_write`, `error`, or a type from the configuration.
    activity_type: str
    # The actor within the workspace.
    actor: NotRequired[Union[str, None]]
    channel: NotRequired[Union[str, None]]
    # At most 16 statements about records.
    claims: NotRequired[Union[list[Claim], None]]
    # Groups related episodes.
    correlation_id: NotRequired[Union[str, None]]
    # When it happened: `occurred_at`, or the time of the append.
    created_at: str
    # Duration in milliseconds.
    duration_ms: NotRequired[Union[int, None]]
    error_detail: NotRequired[Union[str, None]]
    id: str
    # Category of the subject matter. Pages contain only episodes with a kind that is not excluded.
    kind: NotRequired[Union[str, None]]
    # Any JSON object.
    metadata: NotRequired[Union[dict[str, Any], None]]
    # The method called.
    method: NotRequired[Union[str, None]]
    # When it happened, if not now. It becomes `created_at`, which times and order go by. Not in the future.
    occurred_at: NotRequired[Union[str, None]]
    # `success`, `failure` or `neutral`.
    outcome: NotRequired[Union[str, None]]
    # Time of the append, if its author declared when it happened.
    recorded_at: NotRequired[Union[str, None]]
    # Credentials replaced before storage.
    redactions: NotRequired[list[Redaction]]
    # Any JSON value.
    request_body: NotRequired[Any]
    # Any JSON value.
    response_body: NotRequired[Any]
    # Importance from 0 to 1; absent means 0.5.
    salience: NotRequired[Union[float, None]]
    session_id: NotRequired[Union[str, None]]
    # The workspace itself, or absent.
    source_id: NotRequired[Union[str, None]]
    # Always `logged`.
    status: LoggedStatus
    # Id of the end user concerned.
    subject: NotRequired[Union[str, None]]
    # One line.
    summary: NotRequired[Union[str, None]]
    # The episode of the same workspace that this one corrects.
    supersedes: NotRequired[Union[str, None]]
    # The target of the activity.
    target_id: NotRequired[Union[str, None]]
    # The workspace that owns the log.
    workspace_id: str


class Me(TypedDict):
    """`GET /me`: the caller's identity and permissions."""

    # The end user that the token is bound to.
    end_user: NotRequired[Union[str, None]]
    # Exclusive end of the token's validity.
    expires_at: str
    # Id of the token.
    jti: str
    # Names of the permissions in the bound workspace; for an admin, anywhere.
    may: list[str]
    org_id: NotRequired[Union[str, None]]
    role: Role
    # The session that the token is bound to.
    session_id: NotRequired[Union[str, None]]
    # Name in the audit log.
    subject: str
    # Absent for an admin.
    workspace_id: NotRequired[Union[str, None]]
    workspace_name: NotRequired[Union[str, None]]


class Memory(TypedDict):
    """A memory as a workspace reads it."""

    # Operations permitted to the caller; only in REST responses.
    can: NotRequired[Union[MemoryPermissions, None]]
    # What it states about records, compared with them.
    claims: NotRequired[Union[list[CheckedClaim], None]]
    # Only with `collapse=true`: the results with the same content that are not listed.
    collapsed: NotRequired[Union[Collapsed, None]]
    # 0 to 1.
    confidence: float
    # For agents, text by other workspaces is quoted.
    content: str
    # When it happened: `occurred_at` of its author, or the time of the commit.
    created_at: str
    # Exclusive end of validity.
    expires_at: NotRequired[Union[str, None]]
    # Only with `explain=true`.
    explanation: NotRequired[Union[Explanation, None]]
    # The grant without which the memory would not be readable.
    granted_by: NotRequired[Union[str, None]]
    id: str
    kind: str
    metadata: NotRequired[Union[dict[str, Any], None]]
    namespace: str
    # Only with `neighbours`: readable memories committed just before and after in the same session, in that order.
    # Filters do not apply to them.
    neighbours: NotRequired[Union[list[Neighbour], None]]
    # The newest result that says the same with another value, in order of relevance.
    outdated_by: NotRequired[Union[str, None]]
    # What a page was made of.
    page: NotRequired[Union[FoundPage, None]]
    # The document of a passage, and where the passage is in it.
    passage: NotRequired[Union[PassagePlace, None]]
    # Whether it is listed first.
    pin: bool
    # Profile of the author; absent means the author's current default profile.
    profile_id: NotRequired[Union[str, None]]
    # Role of the writer, from the token.
    role: Role
    run_id: NotRequired[Union[str, None]]
    scope: Scope
    # Higher is better; comparable only within one response.
    score: NotRequired[Union[float, None]]
    session_id: NotRequired[Union[str, None]]
    # Cosine of the vectors of query and memory, -1 to 1; absent for keyword matches.
    similarity_score: NotRequired[Union[float, None]]
    # As claimed by the author.
    source: Source
    # Id of the end user concerned.
    subject: NotRequired[Union[str, None]]
    # The memory that this one replaced.
    supersedes: NotRequired[Union[str, None]]
    tags: list[str]
    # Leader of the bound team.
    team: NotRequired[Union[str, None]]
    # How long it lives, and for whom.
    tier: MemoryTier
    title: NotRequired[Union[str, None]]
    # Present in a search with documents or pages: a memory, a passage of a document, or a page.
    type: NotRequired[Union[ItemType, None]]
    # Words of the query that no readable memory has, and the words of this one that they were understood as.
    understood: NotRequired[Union[dict[str, str], None]]
    # Time of the latest change.
    updated_at: str
    # 1 for a new memory, increased by every change.
    version: int
    # Why it is in reach.
    via: Via
    # The author.
    workspace_id: str
    # Current name of the author.
    workspace_name: str


class MemoryCount(TypedDict):
    """Response to a count."""

    # Number of readable memories that match.
    count: int


class MemoryPermissions(TypedDict):
    """Operations on a memory that the caller may perform as the reading workspace."""

    delete: bool
    edit: bool
    redact: bool
    # Reasons of the refused operations.
    why_not: NotRequired[DenialReasons]


class MemoryReader(TypedDict):
    """A workspace that read the content of a memory."""

    name: str
    # Number of reads in the audit log.
    reads: int
    # The part of `reads` by viewers, operators and admins; the others are by agents.
    reads_by_people: NotRequired[int]
    workspace_id: str


class MemoryToolCommand(TypedDict):
    """`POST /workspaces/{id}/memory-tool`: one command of the memory tool, as the model sends it."""

    command: MemoryToolVerb
    # `create`: the text of the file.
    file_text: NotRequired[Union[str, None]]
    # `insert`: the line after which lines are inserted; 0 is the beginning of the file.
    insert_line: NotRequired[Union[int, None]]
    # `insert`: the lines.
    insert_text: NotRequired[Union[str, None]]
    # `rename`: its new path.
    new_path: NotRequired[Union[str, None]]
    # `str_replace`: the passage in its place; empty by default.
    new_str: NotRequired[Union[str, None]]
    # `rename`: the file or folder.
    old_path: NotRequired[Union[str, None]]
    # `str_replace`: a passage that occurs once.
    old_str: NotRequired[Union[str, None]]
    # A file or folder: `/memories` or below it. All commands but `rename`.
    path: NotRequired[Union[str, None]]
    # `view` of a file: its first and its last line, from 1; -1 is the last line of the file.
    view_range: NotRequired[Union[list[int], None]]


class MemoryToolResult(TypedDict):
    """The answer to a command."""

    # The text for the model.
    content: str
    # Whether the command failed; the text says why.
    is_error: bool


class MemoryVersion(TypedDict):
    """One version of a memory."""

    # What it states about records, compared with them.
    claims: NotRequired[Union[list[CheckedClaim], None]]
    # 0 to 1.
    confidence: float
    # For agents, text by other workspaces is quoted.
    content: str
    # Whether it is the newest version.
    current: bool
    # Exclusive end of validity.
    expires_at: NotRequired[Union[str, None]]
    kind: str
    metadata: NotRequired[Union[dict[str, Any], None]]
    namespace: str
    # Whether it was listed first.
    pin: bool
    # Role of the writer, from the token.
    role: Role
    scope: Scope
    session_id: NotRequired[Union[str, None]]
    # Whether it ends with its session.
    session_only: NotRequired[bool]
    # As claimed by the author.
    source: Source
    # Id of the end user concerned.
    subject: NotRequired[Union[str, None]]
    tags: list[str]
    # Leader of the bound team.
    team: NotRequired[Union[str, None]]
    title: NotRequired[Union[str, None]]
    # 1 for the first version, increased by every change.
    version: int
    # The author.
    workspace_id: str
    # Current name of the author.
    workspace_name: str
    # Time of writing.
    written_at: str


class MetadataValue(TypedDict):
    """A value of a member of metadata."""

    # Number of memories with this value.
    count: int
    # Any JSON value.
    value: Any


class Neighbour(TypedDict):
    """A memory committed close to another one in the same session."""

    # What it states about records, compared with them.
    claims: NotRequired[Union[list[CheckedClaim], None]]
    # For agents, text by other workspaces is quoted.
    content: str
    # Time of the commit.
    created_at: str
    # The grant without which the memory would not be readable.
    granted_by: NotRequired[Union[str, None]]
    id: str
    # Distance in memories; negative before the other one.
    offset: int
    # The caller's role.
    role: Role
    # The author.
    workspace_id: str
    # Current name of the author.
    workspace_name: str


class OmittedCandidate(TypedDict):
    """A candidate that the context block omits."""

    # 0 to 1.
    confidence: float
    # First words of the content; absent for agents.
    excerpt: NotRequired[Union[str, None]]
    kind: str
    memory_id: str
    # The cause as a sentence.
    reason: str
    scope: Scope
    why: OmissionCause
    # The author.
    workspace_id: str


class OrgMatches(TypedDict):
    """The memories that a search found in one org."""

    # Best first. A memory with `via` `self` is readable as its author, any other as the searched workspace.
    memories: list[Memory]
    # Whether the org has further matches.
    more: bool
    org_id: str
    # The searched workspace; for people, with all workspaces below it.
    workspace_id: str
    # Its name; for an admin, that of the org.
    workspace_name: str


class Page(TypedDict):
    """A compressed view of neighbouring episodes about one subject."""

    # What its episodes state about records, compared with them.
    claims: NotRequired[Union[list[CheckedClaim], None]]
    # Time of the last change of the page.
    compacted_at: str
    # From 0 to 1.
    confidence: float
    # In the words of the episodes; empty for a cold page.
    content: str
    # The parts of the confidence, with `explain=true`.
    explanation: NotRequired[Union[PageConfidence, None]]
    # Time of the first episode.
    first_at: str
    id: str
    # Time of the last episode.
    last_at: str
    # Maker of the text: `extractive`.
    made_by: str
    # The last declared outcome of the episodes.
    outcome: NotRequired[Union[str, None]]
    # Session, or correlation id, of the episodes.
    session_id: str
    # Number of episodes.
    source_count: int
    # The person or thing it is about; absent for the workspace's own work.
    subject: NotRequired[Union[str, None]]
    tier: Tier
    # Size of the content; four bytes of UTF-8 count as one.
    tokens: int
    # Grows with every change of the page.
    version: int
    # The workspace of the episodes.
    workspace_id: str


class PageConfidence(TypedDict):
    """The parts of a confidence: 0.5 recency + 0.3 density + 0.2 outcome."""

    # 0 for one session, a third for each further one, at most 1.
    density: float
    # Time of the last supporting episode.
    effective_at: str
    failures: int
    # Share of successes among the outcomes.
    outcome: float
    # One half for every 30 days since the last supporting episode.
    recency: float
    # Sessions that support the page.
    sessions: int
    successes: int


class PatchInjection(TypedDict):
    """Changed settings of the context block. Absent fields keep their value; `null` removes a limit."""

    # Maximum number of memories.
    limit: NotRequired[int]
    # Minimum confidence, 0 to 1.
    min_confidence: NotRequired[Union[float, None]]
    # Scopes to include; all if empty.
    scopes: NotRequired[list[Scope]]
    # Sort order.
    strategy: NotRequired[Strategy]
    # Maximum size of the block in tokens.
    token_budget: NotRequired[Union[int, None]]


class PatchMemory(TypedDict):
    """`PATCH /workspaces/{id}/memories/{mid}`: absent fields keep their value; `null` clears optional ones. To change
    scope or team, commit the memory again under its id."""

    # Replaces the statements about records.
    claims: NotRequired[Union[list[Claim], None]]
    # 0 to 1.
    confidence: NotRequired[float]
    # Not blank, at most 64 KiB.
    content: NotRequired[str]
    # Exclusive end of validity.
    expires_at: NotRequired[Union[str, None]]
    kind: NotRequired[str]
    # Replaces the metadata.
    metadata: NotRequired[Union[dict[str, Any], None]]
    namespace: NotRequired[str]
    # Listed first; at most 20 per author.
    pin: NotRequired[bool]
    session_id: NotRequired[Union[str, None]]
    # Whether it ends with its session.
    session_only: NotRequired[bool]
    source: NotRequired[Source]
    # Id of the end user concerned.
    subject: NotRequired[Union[str, None]]
    # Replaces all tags.
    tags: NotRequired[list[str]]
    # One line, at most 200 characters.
    title: NotRequired[Union[str, None]]
    # Lifetime in seconds, instead of `expires_at`.
    ttl_seconds: NotRequired[int]


class PatchProfile(TypedDict):
    """`PATCH /workspaces/{id}/profiles/{pid}`: absent fields keep their value."""

    # Replaces the excluded kinds.
    excluded_kinds: NotRequired[list[str]]
    # Settings of the context block.
    injection: NotRequired[PatchInjection]
    # `true` makes the profile the default one.
    is_default: NotRequired[bool]
    isolation: NotRequired[Isolation]
    name: NotRequired[str]
    # Who reads the pages of the workspace.
    page_scope: NotRequired[Scope]
    retention: NotRequired[PatchRetention]
    # Whether the memories of sessions are read together.
    sessions: NotRequired[Sharing]
    # Whether the memories of end users are read together.
    subjects: NotRequired[Sharing]


class PatchRetention(TypedDict):
    """Changed limits. Absent fields keep their value; `null` removes a limit."""

    # Maximum time in seconds since the latest write.
    max_age_seconds: NotRequired[Union[int, None]]
    # Maximum number of memories.
    max_entries: NotRequired[Union[int, None]]


class PatchWorkspace(TypedDict):
    """`PATCH /workspaces/{id}`: absent fields keep their value; `null` clears `role` and `metadata`. A `parent_id` of
    `null` is accepted only for a root, which it leaves unchanged, because no other workspace becomes a root."""

    # Replaces these members of the metadata; `null` removes a member.
    merge_metadata: NotRequired[dict[str, Any]]
    # Replaces the metadata.
    metadata: NotRequired[Union[dict[str, Any], None]]
    name: NotRequired[str]
    # New parent; the workspace moves with its subtree.
    parent_id: NotRequired[Union[str, None]]
    # Function of the agent, in a word.
    role: NotRequired[Union[str, None]]


class PathStep(TypedDict):
    """One ancestor."""

    id: str
    name: str


class PendingMemory(TypedDict):
    """A memory that is committed if its run completes."""

    # What it states about records, compared with them.
    claims: NotRequired[Union[list[CheckedClaim], None]]
    # 0 to 1.
    confidence: float
    # For agents, text by other workspaces is quoted.
    content: str
    # Exclusive end of validity.
    expires_at: NotRequired[Union[str, None]]
    # Time of writing.
    held_at: str
    # The future id of the memory.
    id: str
    kind: str
    # Any JSON object.
    metadata: NotRequired[Union[dict[str, Any], None]]
    namespace: str
    # Whether it will be listed first.
    pin: bool
    # Role of the writer, from the token.
    role: Role
    scope: Scope
    session_id: NotRequired[Union[str, None]]
    # Whether it ends with its session.
    session_only: NotRequired[bool]
    source: Source
    # Id of the end user concerned.
    subject: NotRequired[Union[str, None]]
    # The memory of the same author that it will replace.
    supersedes: NotRequired[Union[str, None]]
    tags: list[str]
    # Leader of the bound team.
    team: NotRequired[Union[str, None]]
    title: NotRequired[Union[str, None]]


class Problem(TypedDict):
    """An error, for people (`detail`) and for programs (`code`)."""

    # Stable code for programs.
    code: ProblemCode
    # The cause, and a remedy.
    detail: str
    # The same as `detail`, for clients that read this name.
    error: str
    # The `X-Request-Id` of the response.
    request_id: NotRequired[Union[str, None]]
    # HTTP status.
    status: int
    # The kind of problem in a few words.
    title: str
    # `urn:orgmem:problem:<code>`.
    type: str


class Profile(TypedDict):
    """A profile of a workspace."""

    # Absent for a default profile that was never changed.
    created_at: NotRequired[Union[str, None]]
    # Kinds that the workspace neither commits nor reads.
    excluded_kinds: list[str]
    # A default profile that was never changed has the id of its workspace.
    id: str
    # Settings of the context block.
    injection: Injection
    # Whether it is the default profile, whose isolation and excluded kinds apply to the workspace.
    is_default: bool
    isolation: Isolation
    name: str
    # Who reads the pages of the workspace.
    page_scope: NotRequired[Scope]
    # Credentials replaced in the name and the seeds before storage.
    redactions: NotRequired[list[Redaction]]
    retention: Retention
    # Number of memories committed at creation.
    seed_count: int
    # Whether the memories of sessions are read together.
    sessions: NotRequired[Sharing]
    # Whether the memories of end users are read together.
    subjects: NotRequired[Sharing]
    # Time of the latest change.
    updated_at: NotRequired[Union[str, None]]
    workspace_id: str


class ProfilePreview(TypedDict):
    """Dry run of a new or changed profile: its effect on stored memories and on the workspace's reads."""

    # Always true.
    dry_run: bool
    # Live memories of the profile that its retention would expire in the next sweep, irreversibly.
    expires: int
    # Memories that the workspace would newly read, by scope. Zero unless the default profile changes.
    gains: MemoryCounts
    # Memories that the workspace would no longer read because of isolation or excluded kinds, by scope. Expiring ones
    # do not count.
    loses: MemoryCounts
    # The resulting profile.
    profile: Profile
    # Expiring memories beyond the maximum number, seeds included.
    too_many: int
    # Expiring memories that exceed the maximum age.
    too_old: int


class ProfileSummary(TypedDict):
    """`GET /workspaces/{id}/profiles/{pid}/summary`: a summary of the profile's own memories."""

    # Number of memories read for the summary; the newest ones.
    considered: int
    # Number of memories.
    count: int
    # Why the configured language model was not used.
    fell_back: NotRequired[Union[str, None]]
    # Time of the latest write.
    last_written_at: NotRequired[Union[str, None]]
    made_by: SummaryMethod
    # Name of the language model, if one wrote the summary.
    model: NotRequired[Union[str, None]]
    # Number of memories by scope.
    scopes: MemoryCounts
    # Empty without memories.
    summary: str


class PutEntryFields(TypedDict):
    """The optional fields of `PutEntry`."""

    # Write only if the entry has this version; 0 means that it must not exist.
    if_match_version: NotRequired[Union[int, None]]
    # Id of the end user concerned; an erasure of this user deletes the entry.
    subject: NotRequired[Union[str, None]]
    # Lifetime in seconds; without it the entry does not expire.
    ttl_seconds: NotRequired[Union[int, None]]


class PutEntry(PutEntryFields):
    """`POST /workspaces/{id}/memory`: writes one entry."""

    # 1 to 256 bytes.
    key: str
    # Any JSON value up to 256 KiB. Required; `null` is a value.
    value: Any


class PutEntryResponse(TypedDict):
    """Response to a write of an entry."""

    # Key of the entry.
    key: str
    # Credentials replaced before storage.
    redactions: NotRequired[list[Redaction]]
    # Always `ok`.
    status: PutStatus
    # New version.
    version: int


class ReachResponse(TypedDict):
    """`GET /workspaces/{id}/reach`: workspaces in both directions of reading."""

    # The cursor of the next page, as in `Link`; absent on the last one.
    next: NotRequired[Union[str, None]]
    # Workspaces that can read it, itself first.
    read_by: list[ReachRow]
    # Numbers of all workspaces that can read it, on every page.
    read_by_totals: list[ReachTotal]
    # Workspaces that it can read, itself first.
    reads: list[ReachRow]
    # Numbers of all workspaces that it can read, on every page.
    reads_totals: list[ReachTotal]
    workspace_id: str


class ReachRow(TypedDict):
    """One workspace at one scope."""

    name: str
    # The rule as a sentence.
    reason: str
    scope: Scope
    via: Via
    workspace_id: str


class ReadAccessLogQuery(TypedDict):
    """Parameters of `read_access_log`."""

    # Include the workspaces below; for viewers, operators and admins.
    subtree: NotRequired[bool]
    # Only rows that name this memory.
    memory_id: NotRequired[str]
    # Only rows of this run.
    run_id: NotRequired[str]
    # Only rows of this subject.
    subject: NotRequired[str]
    # Only rows of these callers.
    callers: NotRequired[Callers]
    # Only this operation, such as `search_memories`.
    action: NotRequired[Literal["commit_memory", "hold_memory", "edit_memory", "restore_memory", "touch_memories", "forget_memory", "redact_memory", "list_redactions", "scrub_memory", "expire_memories", "expire_versions", "read_memory", "search_memories", "read_history", "explain_memory", "count_memories", "list_values", "inject_memories", "summarize_memories", "export_memories", "put_entry", "drop_entry", "expire_entries", "read_entry", "list_entries", "append_episode", "redact_episode", "list_episodes", "list_pages", "read_page", "compact_pages", "write_records", "read_records", "write_document", "delete_document", "redact_document", "expire_documents", "read_document", "list_documents", "write_collection", "write_rows", "read_rows", "change_processor", "run_processor", "read_processors", "list_reviews", "decide_review", "give_grant", "revoke_grant", "expire_grants", "list_grants", "search_session", "read_evidence", "report_outcome", "list_skills", "read_skill", "draft_skill", "approve_skill", "withdraw_skill", "change_skill_rule", "create_workspace", "edit_workspace", "move_workspace", "remove_workspace", "purge_workspace", "erase", "change_profile", "start_run", "finish_run", "expire_runs", "read_run", "issue_token", "revoke_token", "revoke_tokens", "watch_events", "read_access_log", "lose_reads", "trim_access_log", "disqualify_provider", "promote_provider", "demote_provider"]]
    # Earliest time, inclusive.
    since: NotRequired[str]
    # Latest time, exclusive.
    until: NotRequired[str]
    # Page size; 50 by default, at most 500.
    limit: NotRequired[int]


class ReadReachQuery(TypedDict):
    """Parameters of `read_reach`."""

    # One scope; all three by default.
    scope: NotRequired[Scope]
    # One direction; both by default.
    direction: NotRequired[ReachDirection]
    # One relation; all by default.
    via: NotRequired[Via]
    # Only rows of these workspaces: up to 200 ids, separated by commas.
    among: NotRequired[str]
    # Rows per page and direction; 1,000 by default and at most.
    limit: NotRequired[int]


class RecallExplanation(TypedDict):
    """Why a workspace finds a memory with a query, or does not."""

    cause: RecallCause
    # Number of results.
    found: NotRequired[Union[int, None]]
    memory_id: str
    # Parts of the score; the values add up to it.
    parts: NotRequired[list[ScorePart]]
    # Position among all results, from 1.
    rank: NotRequired[Union[int, None]]
    # Whether the workspace can read the memory now.
    readable: bool
    # The cause as a sentence.
    reason: str
    # The earlier result with the same content, or with nearly the same words of the same author, if any.
    repeats: NotRequired[Union[str, None]]
    # Of an expired memory: `expires_at`, `retention.max_age_seconds` or `retention.max_entries`.
    rule: NotRequired[Union[str, None]]
    # The open run of a pending memory.
    run_id: NotRequired[Union[str, None]]
    # Comparable only within one response.
    score: NotRequired[Union[float, None]]
    # Time of the expiry or the redaction.
    since: NotRequired[Union[str, None]]
    # The memory that replaces it.
    superseded_by: NotRequired[Union[str, None]]
    # Why it is in reach.
    via: NotRequired[Union[Via, None]]


class Receipt(TypedDict):
    """Receipt of an erasure, without the erased content."""

    # Number of the row in the org's audit log that records the erasure.
    access_seq: NotRequired[Union[int, None]]
    # Number of erased responses stored for `Idempotency-Key`.
    answers: int
    # Number of erased entries.
    entries: int
    # Number of episodes.
    episodes: int
    erased: ErasedKind
    erased_at: str
    # Subject of the caller's token.
    erased_by: str
    id: str
    # Number of erased memories.
    memories: int
    # Backups that still contain the content, and their retention.
    older_backups: str
    # Id of the root workspace.
    org_id: str
    reason: str
    # Only for an end user: SHA-256 of the id, in hexadecimal.
    subject_sha256: NotRequired[Union[str, None]]
    # Number of erased tokens.
    tokens: int
    # Number of erased earlier versions.
    versions: int
    # Only for a workspace.
    workspace_id: NotRequired[Union[str, None]]
    # Number of erased workspaces.
    workspaces: int


class RecordField(TypedDict):
    """The current value of a field."""

    # The instant at which the value held.
    as_of: str
    # The system that the value comes from.
    source: str
    # Unit of the value.
    unit: NotRequired[Union[str, None]]
    value: Any


class RedactMemories(TypedDict):
    """`POST …/memories/redact`: up to 500 memories."""

    # Each is redacted or refused independently.
    memories: list[str]
    # One line of at most 500 characters.
    reason: str


class RedactMemory(TypedDict):
    """`POST …/memories/{mid}/redact`."""

    # One line of at most 500 characters. It is stored, so it must not repeat the content.
    reason: str


class RedactedEpisode(TypedDict):
    """Outcome for a redacted episode, without its content."""

    # Whether it was redacted before; the reason of this call is then not stored.
    already: bool
    id: str
    # The memories with facts of the episode, which were redacted with it and for the same reason.
    memories: NotRequired[list[str]]
    # Backups that still contain the content, and their retention.
    older_backups: str
    # Time of the first redaction.
    redacted_at: str
    # Credentials replaced in the reason before storage.
    redactions: list[Redaction]


class RedactedMemory(TypedDict):
    """Outcome for a redacted memory, without its content."""

    # Whether it was redacted before.
    already: bool
    # True if nothing was changed.
    dry_run: NotRequired[bool]
    id: str
    # Backups that still contain the content, and their retention.
    older_backups: str
    # Workspaces that read the content, most frequent first, as far as the caller may see their audit logs.
    readers: NotRequired[list[MemoryReader]]
    # True if the search of the audit log stopped early, so that readers and runs may be missing.
    readers_partial: NotRequired[bool]
    reason: str
    # Time of the first redaction.
    redacted_at: str
    # Subject of the caller's token.
    redacted_by: str
    # Credentials replaced in the reason before storage.
    redactions: list[Redaction]
    # Runs that read the content, as far as the caller may see them.
    runs: NotRequired[list[str]]
    # Number of earlier versions redacted with it.
    versions: int


class Redaction(TypedDict):
    """A credential that was replaced before storage."""

    # Number of occurrences.
    count: int
    # Path of the field.
    field: str
    # Kind of credential; `[REDACTED:<KIND>]` replaces it.
    kind: str


class RedactionEntry(TypedDict):
    """A redaction, without the redacted content."""

    # Id of the redacted memory.
    memory_id: str
    reason: str
    redacted_at: str
    # Subject of the caller's token.
    redacted_by: str
    # Scope of the redacted memory.
    scope: NotRequired[Union[Scope, None]]
    # The author.
    workspace_id: str
    # Current name of the author.
    workspace_name: str


class RedactionItem(TypedDict):
    """Outcome for one memory of a bulk redaction."""

    redacted: NotRequired[RedactedMemory]
    # A refusal does not affect other items.
    refused: NotRequired[Problem]


class RedactionResponse(TypedDict):
    """Response to a bulk redaction, with one item for each memory in the order of the request."""

    items: list[RedactionItem]
    # Number of redacted memories, including those redacted before.
    redacted: int
    # Number of refused items.
    refused: int


class RelationResponse(TypedDict):
    """`GET /workspaces/{id}/reach/{other}`: the relation of two workspaces."""

    # The lowest workspace that is above or equal to both.
    common_ancestor: str
    other_id: str
    # Relation of the other workspace to the first.
    relation: Relation
    # All scopes in both directions; TEAM without a bound team.
    rows: list[RelationRow]
    workspace_id: str


class RelationRow(TypedDict):
    """One scope in both directions."""

    # Whether the other workspace can read the first.
    read_by: bool
    # The rule as a sentence.
    read_by_reason: str
    # Whether the first workspace can read the other.
    reads: bool
    # The rule as a sentence.
    reads_reason: str
    scope: Scope


class RemoveWorkspaceQuery(TypedDict):
    """Parameters of `remove_workspace`."""

    # What happens to live children; required if there are any.
    children: NotRequired[ChildrenRemoval]
    # The same as `children=cascade`, for clients that send this field.
    confirm: NotRequired[bool]
    # Erase the memories, entries, episodes and tokens of the removed workspaces.
    purge: NotRequired[bool]
    # Predict the outcome without changing anything.
    dry_run: NotRequired[bool]


class Reranked(TypedDict):
    """The effect of a reranker on a search result."""

    # Position among all results before reranking, from 1.
    from_rank: int
    # Score of the reranker, on its own scale; absent on later pages.
    score: NotRequired[Union[float, None]]


class RestoreMemory(TypedDict):
    """`POST …/memories/{mid}/restore`: writes the content of an earlier version as a new version."""

    # Number of the version in the history.
    version: int


class RestoredMemory(TypedDict):
    """Response to a restoration."""

    id: str
    # New version.
    version: int


class Retention(TypedDict):
    """Limits of storage; absent limits are unlimited."""

    # Maximum time in seconds since the latest write.
    max_age_seconds: NotRequired[Union[int, None]]
    # Maximum number of memories, pinned ones and the newest first; at most 1000000.
    max_entries: NotRequired[Union[int, None]]


class RevocationPreview(TypedDict):
    """Dry run of the revocation of all tokens of a workspace."""

    # Always true.
    dry_run: bool
    # Open event streams of the workspace's tokens on the responding server, whoever signed them; a revocation closes
    # them.
    streams: int
    # Number of valid tokens issued by this server that would be refused. Tokens signed by a platform would be refused
    # too but are not counted.
    tokens: int


class RevokedToken(TypedDict):
    """Response to the revocation of one token."""

    # Whether the server knows a token with this id. False for tokens signed by a platform, for the token in
    # `admin.token`, and long after expiry.
    known: bool
    # Always `deleted`: the server refuses this id from now on.
    status: DeletedStatus


class Run(TypedDict):
    """`Run`."""

    # Number of dropped memories: all if the run did not complete, otherwise those that had expired.
    dropped_count: int
    # End of the run.
    finished_at: NotRequired[Union[str, None]]
    # Name for people.
    label: NotRequired[Union[str, None]]
    # Credentials replaced in session and label before storage.
    redactions: NotRequired[list[Redaction]]
    run_id: str
    session_id: NotRequired[Union[str, None]]
    started_at: str
    # Subject of the token that started it.
    started_by: str
    status: RunStatus
    # Time at which an open run times out.
    times_out_at: str
    workspace_id: str
    # Number of pending memories, or of committed ones after completion.
    write_count: int


class RunDetail(TypedDict):
    """A run and its pending memories."""

    # Number of dropped memories: all if the run did not complete, otherwise those that had expired.
    dropped_count: int
    # End of the run.
    finished_at: NotRequired[Union[str, None]]
    # Name for people.
    label: NotRequired[Union[str, None]]
    # Credentials replaced in session and label before storage.
    redactions: NotRequired[list[Redaction]]
    run_id: str
    session_id: NotRequired[Union[str, None]]
    started_at: str
    # Subject of the token that started it.
    started_by: str
    status: RunStatus
    # Time at which an open run times out.
    times_out_at: str
    workspace_id: str
    # Number of pending memories, or of committed ones after completion.
    write_count: int
    # One page, in the order of writing. No other read returns them.
    pending: list[PendingMemory]


class ScorePart(TypedDict):
    """One part of a score."""

    part: ScoreFactor
    # Contribution to the score; may be negative.
    value: float


class SearchSessionQuery(TypedDict):
    """Parameters of `search_session`."""

    # Page size; 50 by default, at most 200.
    limit: NotRequired[int]
    # Earliest time, inclusive.
    since: NotRequired[str]
    # Latest time, exclusive.
    until: NotRequired[str]
    # Only episodes, or only memories.
    kind: NotRequired[SessionHitKind]
    # Only this session.
    session_id: NotRequired[str]
    # `recent` by default.
    order: NotRequired[SessionOrder]


class SessionHit(TypedDict):
    """One episode or memory."""

    # What it states about records, compared with them.
    claims: NotRequired[Union[list[CheckedClaim], None]]
    # The summary, or the memory's content.
    content: str
    created_at: str
    id: str
    kind: SessionHitKind
    # The activity type, or the memory's scope.
    label: str
    # The memory's kind.
    memory_kind: NotRequired[Union[str, None]]
    # The method called; empty if there is none.
    method: str
    # Any JSON value.
    request_body: NotRequired[Any]
    # Any JSON value.
    response_body: NotRequired[Any]
    # Run that wrote the memory.
    run_id: NotRequired[Union[str, None]]
    session_id: NotRequired[Union[str, None]]
    # Empty if there is none.
    status: str
    # The latest episode that corrects this one.
    superseded_by: NotRequired[Union[str, None]]
    # The memory or other item that the episode is about.
    target_id: NotRequired[Union[str, None]]
    workspace_id: str


class StagedOutput(TypedDict):
    """Response to the output of a node."""

    # Number of staged memories.
    buffered: int
    # One for each staged memory, in the order of the request.
    items: list[CommittedMemory]
    run_id: str


class StartRun(TypedDict):
    """`POST /workspaces/{id}/runs`."""

    # Name for people; one line of at most 200 characters.
    label: NotRequired[Union[str, None]]
    session_id: NotRequired[Union[str, None]]


class TokenInfo(TypedDict):
    """An issued token, without the token itself."""

    # The end user that the token is bound to; `[erased]` after the erasure of the end user.
    end_user: NotRequired[Union[str, None]]
    # Exclusive end of validity.
    expires_at: str
    issued_at: str
    # Id of the token, for revocation.
    jti: str
    # Last use in the audit log; absent if never used. Calls without an audit row, such as `GET /me` and refused ones,
    # do not count.
    last_used_at: NotRequired[Union[str, None]]
    # Time of the revocation.
    revoked_at: NotRequired[Union[str, None]]
    role: Role
    # The session that the token is bound to.
    session_id: NotRequired[Union[str, None]]
    # Open event streams of this token on the responding server; a revocation closes them.
    streams: int
    # Name in the audit log.
    subject: str


class Tombstone(TypedDict):
    """A redacted memory, for readers that could read it."""

    # Always `[redacted]`.
    content: str
    id: str
    # Always true.
    is_redacted: bool
    redacted_at: str
    scope: Scope
    # Leader of the bound team.
    team: NotRequired[Union[str, None]]
    # The version after the redaction, also the `ETag`.
    version: int
    # Why it is in reach.
    via: Via
    # The author.
    workspace_id: str
    # Current name of the author.
    workspace_name: str


class TouchMemories(TypedDict):
    """`POST …/memories/touch`: 1 to 500 memories."""

    memories: list[TouchMemory]


class TouchMemory(TypedDict):
    """A memory that lives on from now."""

    id: str
    # Lifetime from now.
    ttl_seconds: int
    # Only if this is its version.
    version: NotRequired[Union[int, None]]


class TouchedMemories(TypedDict):
    """The memories whose end was set; others of the request are omitted."""

    memories: list[TouchedMemory]


class TouchedMemory(TypedDict):
    """The end of life of a memory."""

    # Exclusive; earlier than requested if the maximum age of the profile ends before.
    expires_at: str
    id: str


class TreeNode(TypedDict):
    """A workspace and its descendants."""

    # Its own budget; absent without one.
    budget: NotRequired[Union[Budget, None]]
    # Number of children, including omitted ones.
    child_count: int
    # In the order of names, down to the requested depth.
    children: list[TreeNode]
    id: str
    # Latest write of one of its own memories.
    last_write_at: NotRequired[Union[str, None]]
    # Number of its own live memories by scope.
    memories: MemoryCounts
    name: str
    # Function of the agent, in a word.
    role: NotRequired[Union[str, None]]


class TreePreview(TypedDict):
    """Dry run of a change of the tree: gains and losses of each affected workspace, as far as the caller may see them."""

    # Workspaces that would gain or lose memories: the moved or removed one, others with a new parent, the parents,
    # the siblings, and other removed workspaces.
    affected: list[AffectedWorkspace]
    # Always true.
    dry_run: bool
    # Only for a purge: the predicted receipt.
    erased: NotRequired[Union[Receipt, None]]
    # Number of further workspaces near the change, not computed.
    more: int
    # Number of workspaces with a new parent.
    moved: int
    # Number of removed workspaces.
    removed: int
    # The workspace to move or remove.
    workspace_id: str


class Turn(TypedDict):
    """A turn of a workspace."""

    # Attempts of the language model.
    attempts: int
    created_at: str
    # End of the extraction.
    ended_at: NotRequired[Union[str, None]]
    # The episodes of its messages, in their order.
    episodes: list[str]
    # The failure of the last attempt.
    error: NotRequired[Union[str, None]]
    # The state in a sentence.
    explanation: str
    id: str
    # The memories with the facts of the turn. A fact about something known is a new version of its memory.
    memories: list[str]
    # The language model.
    model: NotRequired[Union[str, None]]
    # The next attempt.
    next_attempt_at: NotRequired[Union[str, None]]
    # Credentials replaced before storage; only in the response to the write.
    redactions: NotRequired[list[Redaction]]
    # Facts that were refused, by reason, such as `quote_absent`.
    refused: dict[str, int]
    # What became of it.
    state: TurnState
    # Facts that said nothing new.
    unchanged: int
    # The workspace that has it.
    workspace_id: str


class TurnMessage(TypedDict):
    """A message of a turn."""

    # When it was said; not in the future.
    at: NotRequired[Union[str, None]]
    # At most 16 KiB.
    content: NotRequired[str]
    # Who says it. Facts rest on messages of `user` and `assistant` only.
    role: NotRequired[TurnRole]


class UnsharedMemories(TypedDict):
    """Memories that only their author would read, usually because they are bound to a team that the author leaves."""

    # Number of memories.
    memories: int
    # Leader of the bound team; absent if they are bound to none.
    team: NotRequired[Union[str, None]]
    team_name: NotRequired[Union[str, None]]


class Version(TypedDict):
    """`GET /version`."""

    # Always `orgmem`.
    name: str
    version: str


class WatchEventsQuery(TypedDict):
    """Parameters of `watch_events`."""

    # Include the workspaces below; for viewers, operators and admins.
    subtree: NotRequired[bool]
    # `false` ends the stream after the stored events; otherwise it continues with new ones.
    follow: NotRequired[bool]
    # `false` omits `memory` from all events, so that the stream reads no memories and adds nothing to the audit log.
    memories: NotRequired[bool]


class WorkingPage(TypedDict):
    """A page in a context block, and its episodes."""

    page: Page
    # Ids of the episodes, oldest first.
    sources: list[str]


class Workspace(TypedDict):
    """A workspace with its path and counts."""

    # Its own budget; absent without one.
    budget: NotRequired[Union[Budget, None]]
    # Number of children.
    child_count: int
    created_at: str
    # Number of descendants.
    descendant_count: int
    id: str
    # Latest write of one of its own memories.
    last_write_at: NotRequired[Union[str, None]]
    # Number of its own live memories by scope.
    memories: MemoryCounts
    metadata: NotRequired[Union[dict[str, Any], None]]
    name: str
    # Id of the root workspace.
    org_id: str
    # Absent for a root.
    parent_id: NotRequired[Union[str, None]]
    # Ancestors that the caller may see, highest first.
    path: list[PathStep]
    # Credentials replaced before storage; present only in the response to the write.
    redactions: NotRequired[list[Redaction]]
    # Function of the agent, in a word.
    role: NotRequired[Union[str, None]]
    status: WorkspaceStatus
    # Latest change of the workspace itself.
    updated_at: str


class WorkspaceRemoval(TypedDict):
    """Response to a removal."""

    # Number of descendants removed.
    cascade_deleted: int
    # Only for a purge: the receipt.
    erased: NotRequired[Union[Receipt, None]]
    # Number of children moved to the parent.
    promoted: int
    # Always `removed`.
    status: WorkspaceStatus

Callers = Literal["agents", "people"]

ChildrenRemoval = Literal["promote", "cascade"]

ClaimStatus = Literal["agrees", "stale", "unverified"]

DeletedStatus = Literal["deleted"]

ErasedKind = Literal["subject", "workspace", "org"]

Isolation = Literal["tree", "team", "isolated", "profile"]

ItemType = Literal["memory", "passage", "page"]

LoggedStatus = Literal["logged"]

MemoryTier = Literal["session", "user", "tenant", "knowledge"]

MemoryToolVerb = Literal["view", "create", "str_replace", "insert", "delete", "rename"]

Mode = Literal["auto", "keyword", "semantic", "hybrid"]

OmissionCause = Literal["limit", "budget", "min_confidence", "scope", "isolation", "kind", "stale", "unverified", "repetition"]

Order = Literal["relevance", "recent", "confidence"]

ProblemCode = Literal["bad_request", "invalid_field", "invalid_cursor", "not_configured", "token_missing", "token_invalid", "forbidden", "scope_forbidden", "not_found", "method_not_allowed", "request_timeout", "id_taken", "tree_conflict", "confirmation_required", "version_conflict", "ambiguous", "nothing_to_supersede", "too_many_pins", "budget_exceeded", "run_over", "no_open_run", "run_full", "kind_excluded", "profile_named", "profile_is_default", "too_many_profiles", "not_a_procedure", "never_read", "skill_too_wide", "no_draft", "too_many_skills", "promotion_refused", "collection_has_rows", "too_many_collections", "too_many_processors", "too_many_grants", "processor_running", "gone", "too_large", "unsupported_media_type", "idempotency_mismatch", "busy", "rate_limited", "too_many_in_flight", "internal", "unavailable"]

PutStatus = Literal["ok"]

ReachDirection = Literal["reads", "read_by"]

ReadSessions = Literal["granted"]

RecallCause = Literal["found", "not_found", "below_minimum", "collapsed", "not_readable", "isolated", "kind_excluded", "expired", "redacted", "deleted", "superseded", "pending"]

Relation = Literal["itself", "parent", "child", "sibling", "ancestor", "descendant", "distant"]

RelativeTeam = Literal["self", "parent"]

Role = Literal["source", "agent", "viewer", "operator", "admin"]

RunEnding = Literal["completed", "failed", "cancelled"]

RunStatus = Literal["open", "completed", "failed", "cancelled", "timed_out"]

Scope = Literal["LOCAL", "TEAM", "GLOBAL"]

ScoreFactor = Literal["words", "pairs", "meaning", "voice", "named_author", "date", "before", "after", "session", "recency", "confidence", "pin", "version", "repetition"]

SearchedItems = Literal["memories", "documents", "pages", "memories,documents", "memories,pages", "pages,documents", "memories,pages,documents"]

SessionHitKind = Literal["activity", "memory"]

SessionOrder = Literal["recent", "relevance"]

Sharing = Literal["open", "separate"]

Source = Literal["agent", "user", "tool", "eval", "manual", "runtime", "processor"]

Strategy = Literal["confidence", "recent", "relevance", "off"]

SummaryMethod = Literal["extractive", "model"]

Tier = Literal["hot", "warm", "cold"]

TurnRole = Literal["user", "assistant", "tool", "system"]

TurnState = Literal["stored", "excluded", "queued", "done", "failed"]

Via = Literal["self", "parent", "child", "sibling", "org"]

WorkspaceStatus = Literal["online", "removed"]

MemoryCounts = TypedDict("MemoryCounts", {"global": "int", "local": "int", "team": "int"})

PassagePlace = TypedDict("PassagePlace", {"document_id": "str", "from": "int", "heading": "list[str]", "length": "int", "number": "int", "source_uri": "Union[str, None]", "start_byte": "int", "title": "str"})

ReachTotal = TypedDict("ReachTotal", {"global": "int", "local": "int", "team": "int", "via": "Via", "workspaces": "int"})

SearchMemoriesQueryKeywords = TypedDict("SearchMemoriesQueryKeywords", {"in": "SearchedItems"}, total=False)


class SearchMemoriesQuery(SearchMemoriesQueryKeywords):
    """Parameters of `search_memories`."""

    # Only this scope; all readable memories if absent.
    scope: NotRequired[Scope]
    # Search mode; `auto` by default.
    mode: NotRequired[Mode]
    # Only this namespace.
    namespace: NotRequired[str]
    # Only this kind.
    kind: NotRequired[str]
    # Only this source.
    source: NotRequired[Source]
    # Only memories with this tag.
    tag: NotRequired[str]
    # Only memories of this workspace.
    author: NotRequired[str]
    # Only this end user.
    subject: NotRequired[str]
    # Only this session.
    session_id: NotRequired[str]
    # `granted`: also memories of other sessions that grants show.
    sessions: NotRequired[ReadSessions]
    # Only this tier; `knowledge` searches passages of documents.
    tier: NotRequired[MemoryTier]
    # Only this run.
    run_id: NotRequired[str]
    # Only this profile of the workspace.
    profile_id: NotRequired[str]
    # Earliest commit, inclusive.
    since: NotRequired[str]
    # Latest commit, exclusive.
    until: NotRequired[str]
    # Minimum confidence, 0 to 1.
    min_confidence: NotRequired[float]
    # Only pinned memories (`true`), or only others (`false`).
    pinned: NotRequired[bool]
    # Only memories whose metadata match these conditions: a JSON object such as `{"tier": {"$gte": 2}}`.
    metadata: NotRequired[str]
    # Only these memories: 1 to 50 ids, separated by commas.
    ids: NotRequired[str]
    # `relevance` by default with a query, otherwise `recent`.
    order: NotRequired[Order]
    # Quote text by other workspaces, as for an agent. Agents always receive it quoted.
    quoted: NotRequired[bool]
    # Include the rank and the parts of the score.
    explain: NotRequired[bool]
    # Name repetitions of a result in that result instead of listing them.
    collapse: NotRequired[bool]
    # Include this many memories committed before and after in the same session, 0 to 5.
    neighbours: NotRequired[int]
    # Page size; 50 by default and at most.
    limit: NotRequired[int]

ChangedProfile = Union[Profile, ProfilePreview]

PatchedWorkspace = Union[Workspace, TreePreview]

ReadMemory = Union[Memory, Tombstone]

RemovedWorkspace = Union[WorkspaceRemoval, TreePreview]

RevokedTokens = Union[Deleted, RevocationPreview]

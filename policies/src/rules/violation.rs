use orgmem_hierarchy::{Scope, WorkspaceId};
use uuid::Uuid;

use super::BudgetLimit;
use crate::{MAX_COLLECTIONS, MAX_GRANTS, MAX_PENDING_PER_RUN, MAX_PINS, MAX_PROCESSORS, MAX_PROFILES, MAX_SKILLS};

/// A rule that a request would break. Nothing was written; the transaction remains usable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RuleViolation {
    /// Another workspace of any org has the id.
    #[error("the workspace id `{0}` is taken")]
    WorkspaceTaken(WorkspaceId),
    /// The id belongs to a memory of another author, to a pending memory, or to a redacted one of an author not purged.
    #[error("the memory id `{0}` is taken; leave `id` out to have one made")]
    MemoryTaken(Uuid),
    /// The id belongs to a document of another author, or to a redacted one.
    #[error("the document id `{0}` is taken; leave `id` out to have one made")]
    DocumentTaken(Uuid),
    /// No live memory of the author has the id.
    #[error("there is no live memory `{0}` of the author's own to supersede")]
    NothingToSupersede(Uuid),
    /// A superseded memory cannot supersede another, because readers would find neither.
    #[error(
        "the memory `{0}` is superseded itself, so it cannot supersede another; commit the text under another `id`, or \
         without one"
    )]
    SupersededItself(Uuid),
    /// The memory would end with a session that it does not have.
    #[error("the memory `{0}` is `session_only`, which needs a `session_id`; set `session_only` to false as well")]
    NoSession(Uuid),
    /// The token is bound to another end user or session.
    #[error("the token is bound to one `{0}`, and what it writes has that `{0}`; leave `{0}` out, or give the same")]
    OtherEndUser(&'static str),
    /// Names that look like credentials are replaced, so that several end users would have one.
    #[error("`{0}` looks like a credential, which is never stored; give another name, as the profile keeps them apart")]
    CredentialName(&'static str),
    /// The author has [`MAX_PINS`] pinned memories.
    #[error("the author has {MAX_PINS} pinned memories, the maximum; commit it without `pin`, or delete one")]
    TooManyPins,
    /// The run has [`MAX_PENDING_PER_RUN`] pending memories.
    #[error("the run has {MAX_PENDING_PER_RUN} pending memories, the maximum; finish it and start another")]
    RunFull,
    /// The author has no such profile.
    #[error("the workspace has no profile `{0}`; list its profiles for the ids that exist")]
    NoProfile(Uuid),
    /// The author's profile excludes memories of this kind.
    #[error(
        "the workspace's profile excludes memories of kind `{0}`; commit it as another kind, or change `excluded_kinds`"
    )]
    KindExcluded(String),
    /// Another profile of the workspace has this name.
    #[error("the workspace already has a profile named `{0}`; give another `name`, or change that one")]
    ProfileNamed(String),
    /// The workspace has [`MAX_PROFILES`] profiles.
    #[error("the workspace has {MAX_PROFILES} profiles, the maximum; delete one, or change one")]
    TooManyProfiles,
    /// The default profile cannot be deleted.
    #[error("the default profile cannot be deleted; make another one the default first")]
    ProfileIsDefault,
    /// The memory is not a procedure, so it has no evidence.
    #[error("the memory `{0}` is not of kind `procedure`; only procedures have evidence and become skills")]
    NotProcedure(Uuid),
    /// The run did not read the procedure, or the workspace has no such run.
    #[error(
        "the run `{run}` is no run of this workspace that read the memory `{memory}`; report the outcome of a run that did"
    )]
    NeverRead {
        /// The procedure.
        memory: Uuid,
        /// The run.
        run: Uuid,
    },
    /// A run that failed is no success of a procedure.
    #[error("the run `{0}` failed, which counts as a failure; a report cannot make it a success")]
    OutcomeKnown(Uuid),
    /// A skill would have readers that a source does not have.
    #[error(
        "the memory `{memory}` has scope {narrower}, so a skill made of it cannot have scope {scope}; choose {narrower}"
    )]
    SkillTooWide {
        /// The source.
        memory: Uuid,
        /// The scope of the skill.
        scope: Scope,
        /// The scope of the source.
        narrower: Scope,
    },
    /// The skill has no draft to approve.
    #[error("the skill `{0}` has no draft; draft it again from its procedures")]
    NoDraft(String),
    /// The workspace has [`MAX_SKILLS`] skills.
    #[error("the workspace has {MAX_SKILLS} skills, the maximum; draft a new version of one of them")]
    TooManySkills,
    /// The rows of the collection have keys and times of other columns.
    #[error(
        "the collection `{name}` has rows by the key `{key}`; leave `key` and `time` as they are, or delete the collection first"
    )]
    CollectionHasRows {
        /// The collection.
        name: String,
        /// The column of the key.
        key: String,
    },
    /// The workspace has [`MAX_COLLECTIONS`] collections.
    #[error("the workspace has {MAX_COLLECTIONS} collections, the maximum; delete one, or use one of them")]
    TooManyCollections,
    /// The workspace has [`MAX_PROCESSORS`] processors.
    #[error("the workspace has {MAX_PROCESSORS} processors, the maximum; delete one, or change one")]
    TooManyProcessors,
    /// The workspace has [`MAX_GRANTS`] grants.
    #[error(
        "the workspace has {MAX_GRANTS} grants, the maximum; revoke one that is not needed, or wait until one expires"
    )]
    TooManyGrants,
    /// A workspace and everything below it have all that its budget allows.
    #[error(
        "the budget of workspace `{of}` is used up: it and everything below it may have {limit} {}; delete memories, or ask \
         an operator above that workspace for a larger budget", size.unit()
    )]
    BudgetUsed {
        /// The workspace whose budget it is.
        of: WorkspaceId,
        /// The limit that is reached.
        size: BudgetLimit,
        /// Its value.
        limit: i64,
    },
    /// A workspace cannot have more than a workspace above it.
    #[error("`{}` may be at most {limit}, because the budget of workspace `{of}` above has no more", name.as_str())]
    BudgetAboveParent {
        /// The workspace above.
        of: WorkspaceId,
        /// The limit.
        name: BudgetLimit,
        /// Its value there.
        limit: i64,
    },
}

use orgmem_hierarchy::{Tree, WorkspaceId};

use super::RuleViolation;
use crate::{BudgetPass, Caller, Forbidden, Permission, Refusal, Role, permit};

/// The largest value of a limit: larger integers are not exact in every JSON parser.
pub const MAX_BUDGET: i64 = (1 << 53) - 1;

/// The limits on a workspace and everything below it, together; `None` without a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Live memories.
    pub memories: Option<i64>,
    /// Bytes of content, title, tags and metadata, earlier versions included.
    pub bytes: Option<i64>,
    /// Writes of content a minute.
    pub writes_per_minute: Option<i64>,
    /// Searches a minute.
    pub searches_per_minute: Option<i64>,
    /// Texts that are embedded in 24 hours.
    pub embeddings_per_day: Option<i64>,
}

/// A limit of a [`Budget`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BudgetLimit {
    /// [`Budget::memories`]
    Memories,
    /// [`Budget::bytes`]
    Bytes,
    /// [`Budget::writes_per_minute`]
    WritesPerMinute,
    /// [`Budget::searches_per_minute`]
    SearchesPerMinute,
    /// [`Budget::embeddings_per_day`]
    EmbeddingsPerDay,
}

impl BudgetLimit {
    /// All limits, in the order of the fields.
    pub const ALL: [Self; 5] =
        [Self::Memories, Self::Bytes, Self::WritesPerMinute, Self::SearchesPerMinute, Self::EmbeddingsPerDay];

    /// The name of the field.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Memories => "memories",
            Self::Bytes => "bytes",
            Self::WritesPerMinute => "writes_per_minute",
            Self::SearchesPerMinute => "searches_per_minute",
            Self::EmbeddingsPerDay => "embeddings_per_day",
        }
    }

    /// What the limit counts, after a number.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Memories => "memories",
            Self::Bytes => "bytes of memories",
            Self::WritesPerMinute => "writes a minute",
            Self::SearchesPerMinute => "searches a minute",
            Self::EmbeddingsPerDay => "embedded texts a day",
        }
    }
}

impl Budget {
    /// The value of one limit.
    #[must_use]
    pub const fn get(&self, limit: BudgetLimit) -> Option<i64> {
        match limit {
            BudgetLimit::Memories => self.memories,
            BudgetLimit::Bytes => self.bytes,
            BudgetLimit::WritesPerMinute => self.writes_per_minute,
            BudgetLimit::SearchesPerMinute => self.searches_per_minute,
            BudgetLimit::EmbeddingsPerDay => self.embeddings_per_day,
        }
    }

    /// Whether nothing is limited.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Stored memories, or a change of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoredSize {
    /// Live memories.
    pub memories: i64,
    /// Bytes, as [`Budget::bytes`] counts them.
    pub bytes: i64,
}

/// The budget of a workspace, and what the workspace and everything below it use of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetUse {
    /// The workspace whose budget it is.
    pub workspace: WorkspaceId,
    /// Its limits.
    pub budget: Budget,
    /// What is stored.
    pub used: StoredSize,
}

/// Decides whether `growth` fits into every one of `budgets`. What does not grow always fits, also where a budget was
/// lowered below what is stored.
///
/// # Errors
/// [`RuleViolation::BudgetUsed`], of the first such budget.
///
/// # Source
/// `docs/spec/limits.md`, "Budgets".
pub fn check_growth(budgets: &[BudgetUse], growth: StoredSize) -> Result<(), RuleViolation> {
    for BudgetUse { workspace, budget, used } in budgets {
        let sizes =
            [(BudgetLimit::Memories, used.memories, growth.memories), (BudgetLimit::Bytes, used.bytes, growth.bytes)];
        for (size, used, more) in sizes {
            if let Some(limit) = budget.get(size)
                && more > 0
                && used.saturating_add(more) > limit
            {
                return Err(RuleViolation::BudgetUsed { of: *workspace, size, limit });
            }
        }
    }
    Ok(())
}

/// Decides whether a workspace below the workspaces of `above` may have `budget`.
///
/// # Errors
/// [`RuleViolation::BudgetAboveParent`], of the nearest workspace with less.
///
/// # Source
/// `docs/spec/limits.md`, "Budgets".
pub fn check_budget(budget: &Budget, above: &[(WorkspaceId, Budget)]) -> Result<(), RuleViolation> {
    for name in BudgetLimit::ALL {
        let Some(wanted) = budget.get(name) else { continue };
        for (of, theirs) in above {
            if let Some(limit) = theirs.get(name)
                && wanted > limit
            {
                return Err(RuleViolation::BudgetAboveParent { of: *of, name, limit });
            }
        }
    }
    Ok(())
}

impl BudgetPass {
    /// Permits `caller` to set the budget of `workspace`. A budget binds the operators of its workspace too, so only an
    /// operator above it or an admin sets it.
    ///
    /// # Errors
    /// [`Refusal`] of [`permit`]; [`Forbidden::OwnBudget`].
    ///
    /// # Source
    /// `docs/spec/limits.md`, "Budgets".
    pub fn grant(caller: &Caller, tree: &Tree, workspace: WorkspaceId) -> Result<Self, Refusal> {
        permit(caller, Permission::EditWorkspace, tree, workspace)?;
        if caller.role() == Role::Operator && caller.workspace() == Some(workspace) {
            return Err(Forbidden::OwnBudget.into());
        }
        Ok(Self { org: tree.org(), workspace })
    }
}

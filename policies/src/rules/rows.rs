use super::{BudgetUse, RuleViolation, StoredSize, check_growth};
use crate::{MAX_COLLECTIONS, MAX_PROCESSORS};

/// The state of the store that a change of a collection depends on, read in its transaction.
#[derive(Clone, Debug, Default)]
pub struct CollectionFacts {
    /// The columns of the key and of the time, and the number of rows, if the collection exists.
    pub existing: Option<(String, Option<String>, i64)>,
    /// The number of collections of the workspace.
    pub count: i64,
}

/// Evidence that the settings of a collection may be stored.
///
/// ```compile_fail
/// let plan = orgmem_policies::rules::CollectionPlan { is_new: true };
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CollectionPlan {
    is_new: bool,
}

impl CollectionPlan {
    /// Whether the collection is created.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.is_new
    }
}

/// Decides whether a collection may have these columns of the key and of the time.
///
/// # Errors
/// [`RuleViolation::CollectionHasRows`] for other columns while it has rows: the rows have the keys and times of the former
/// ones. [`RuleViolation::TooManyCollections`].
///
/// # Source
/// `docs/spec/rows.md`, "Collections".
pub fn check_collection(
    name: &str,
    key: &str,
    time: Option<&str>,
    facts: &CollectionFacts,
) -> Result<CollectionPlan, RuleViolation> {
    match &facts.existing {
        Some((old_key, old_time, rows)) => {
            if *rows > 0 && (old_key != key || old_time.as_deref() != time) {
                return Err(RuleViolation::CollectionHasRows { name: name.to_owned(), key: old_key.clone() });
            }
            Ok(CollectionPlan { is_new: false })
        }
        None if facts.count >= MAX_COLLECTIONS => Err(RuleViolation::TooManyCollections),
        None => Ok(CollectionPlan { is_new: true }),
    }
}

/// Evidence that rows may be stored.
///
/// ```compile_fail
/// let plan = orgmem_policies::rules::RowPlan { bytes: 0 };
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RowPlan {
    bytes: i64,
}

impl RowPlan {
    /// The growth that was decided about, in bytes.
    #[must_use]
    pub fn bytes(&self) -> i64 {
        self.bytes
    }
}

/// Decides whether rows that need `bytes` more fit into the budgets of their workspace and of those above it.
///
/// # Errors
/// [`RuleViolation::BudgetUsed`].
///
/// # Source
/// `docs/spec/limits.md`, "Budgets".
pub fn check_rows(budgets: &[BudgetUse], bytes: i64) -> Result<RowPlan, RuleViolation> {
    check_growth(budgets, StoredSize { memories: 0, bytes })?;
    Ok(RowPlan { bytes })
}

/// Evidence that a processor may be stored.
///
/// ```compile_fail
/// let plan = orgmem_policies::rules::ProcessorPlan { is_new: true };
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ProcessorPlan {
    is_new: bool,
}

impl ProcessorPlan {
    /// Whether the processor is created.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.is_new
    }
}

/// Decides whether a workspace with `count` processors may define one.
///
/// # Errors
/// [`RuleViolation::TooManyProcessors`].
pub fn check_processor(exists: bool, count: i64) -> Result<ProcessorPlan, RuleViolation> {
    if !exists && count >= MAX_PROCESSORS {
        return Err(RuleViolation::TooManyProcessors);
    }
    Ok(ProcessorPlan { is_new: !exists })
}

//! Whose the rows of a table are, and what an import of a part does with them.

/// How a row is imported into an org that exists. `rule` has one for every table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Rows of a whole org. An export of a part has none.
    OfOrg,
    /// A place in the tree. An existing one remains as it is.
    Place,
    /// A row of its own. One with the same key is equal, or the import is refused.
    Item,
    /// A row of an item, whose id is in this column. It shares the fate of the item.
    Of(&'static str),
    /// Settings and texts that the server changes. An existing one remains as it is.
    Maintained,
    /// A row of the org's log, whose numbers and hashes are a chain. The chain of the target has no place for it.
    Log,
}

/// The rule of a table; none for an unknown name.
pub(crate) fn rule(table: &str) -> Option<Rule> {
    Some(match table {
        "orgs" | "memory_partitions" | "erasures" | "records" | "record_fields" | "revocations" | "access_seals"
        | "audit_ranges" | "org_days" | "tokens" | "idempotency_keys" | "memory_index" | "embeddings"
        | "provider_outbox" | "provider_queues" | "provider_items" | "provider_surfaces" => Rule::OfOrg,
        "workspaces" => Rule::Place,
        "plugin_namespaces" | "profiles" | "memories" | "documents" | "redactions" | "runs" | "entries"
        | "episodes" | "skills" | "skill_rules" | "collections" | "collection_rows" | "grants" => Rule::Item,
        "memory_versions" | "memory_uses" => Rule::Of("memory_id"),
        "document_versions" | "document_passages" => Rule::Of("document_id"),
        "pending_memories" => Rule::Of("run_id"),
        "skill_versions" | "skill_sources" => Rule::Of("skill_id"),
        "reviews" => Rule::Of("item_id"),
        "budgets" | "pages" | "page_work" | "processors" | "processor_rows" | "processor_groups" | "processor_runs"
        | "turns" => Rule::Maintained,
        "access_log" | "events" => Rule::Log,
        _ => return None,
    })
}

/// The column with the time of a row about an end user, unless its `recorded_at` has one. What was written before an erasure
/// does not come back.
pub(crate) fn written_at(table: &str) -> Option<&'static str> {
    Some(match table {
        "memories" | "entries" => "updated_at",
        "memory_versions" => "written_at",
        "episodes" | "grants" => "created_at",
        "pending_memories" => "held_at",
        "pages" => "last_at",
        "page_work" => "due_at",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::table::tables;
    use super::*;

    #[test]
    fn every_table_has_a_rule_that_fits_its_columns() {
        for table in tables() {
            let rule = rule(table.name);
            let is_in_parts = table.workspace.is_some() || table.parent.is_some() || table.has_subject;
            assert_eq!(rule == Some(Rule::OfOrg), !is_in_parts, "{}: {rule:?}", table.name);
            assert!(rule.is_some(), "{} has no rule", table.name);
            if let Some(Rule::Of(column)) = rule {
                assert!(table.position(column).is_some(), "{}.{column}", table.name);
            }
            let at = written_at(table.name);
            assert_eq!(at.is_some(), table.has_subject, "{}", table.name);
            assert!(at.is_none_or(|column| table.position(column).is_some()), "{}", table.name);
        }
    }
}

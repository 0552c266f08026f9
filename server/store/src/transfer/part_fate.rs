//! Which rows of the export of a part the org has, and what the others need.

use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::export::SelectionJson;
use super::ownership::{Rule, rule, written_at};
use super::part_org::{Existing, Names, Place, TargetOrg, field, id_of, key_bytes, number_of, text_of};
use super::table::Table;
use super::value::{Row, Value, key_of, write_value};
use crate::columns::Id;

/// What becomes of a row of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// The org has it not.
    Missing,
    /// The org has it.
    Exists,
    /// The org has a row with this key and other content. The text names it.
    Different(String),
    /// A row of an item that exists with other content.
    OfDifferent,
    /// The org has had it, and it was removed.
    Removed,
    /// A row of the log.
    LeftOut,
}

impl TargetOrg {
    /// What becomes of a row.
    ///
    /// # Errors
    /// The reason for which it cannot be in the org.
    pub(super) fn fate(
        &mut self,
        table: &Table,
        row: &[Value],
        existing: &Existing,
        names: &Names,
    ) -> Result<Fate, String> {
        let Some(rule) = rule(table.name).filter(|rule| *rule != Rule::OfOrg) else {
            return Err(format!("the export of a part has no rows of `{}`", table.name));
        };
        self.check_selection(table, row)?;
        let existing = existing.get(&key_bytes(table, row));
        let fate = match rule {
            Rule::OfOrg | Rule::Log => return Ok(Fate::LeftOut),
            Rule::Place => return self.fate_of_place(table, row, existing.is_some()),
            Rule::Maintained if existing.is_some() => Fate::Exists,
            Rule::Of(column) => {
                let item = id_of(table, row, column).unwrap_or(Id::NIL);
                if self.removed.contains(&item) || self.hidden.contains(&item) {
                    self.note_sources(table, row);
                    Fate::Removed
                } else if self.different.contains(&item) {
                    Fate::OfDifferent
                } else {
                    self.compare(table, row, existing)
                }
            }
            Rule::Item | Rule::Maintained => self.compare(table, row, existing),
        };
        let id = id_of(table, row, "id");
        match (&fate, id) {
            (Fate::Removed, Some(id)) => {
                self.removed.insert(id);
            }
            (Fate::Different(_), Some(id)) => {
                self.different.insert(id);
            }
            _ => {}
        }
        if fate == Fate::Missing {
            self.check_new(table, row, names)?;
        }
        Ok(fate)
    }

    fn compare(&mut self, table: &Table, row: &[Value], existing: Option<&Row>) -> Fate {
        if let Some(existing) = existing {
            let is_ignored = |name: &str| {
                matches!(name, "org_id" | "org_version" | "retention_due_at")
                    || (name == "seq" && matches!(table.name, "memories" | "document_passages" | "collection_rows"))
                    // counters, and what processors did
                    || matches!((table.name, name), ("collections", "row_count" | "bytes") | ("collection_rows", "extracted_at"))
            };
            let columns = table.columns.iter().enumerate().filter(|(_, column)| !is_ignored(column.name));
            if columns.map(|(at, _)| at).all(|at| existing.get(at) == row.get(at)) {
                return Fate::Exists;
            }
            if was_removed(table, row, existing) || self.is_about_removed(table, row) {
                return Fate::Removed;
            }
            let key: Vec<String> = key_of(table, row).iter().map(shown).collect();
            return Fate::Different(format!("the row of `{}` with the key {}", table.name, key.join(", ")));
        }
        if self.is_erased(table, row) || self.is_about_removed(table, row) || self.is_made_of_removed(table, row) {
            return Fate::Removed;
        }
        Fate::Missing
    }

    /// Whether an episode records a change of a memory that was removed here, which removes its kind and session from the
    /// episode.
    fn is_about_removed(&self, table: &Table, row: &[Value]) -> bool {
        table.name == "episodes" && id_of(table, row, "target_id").is_some_and(|id| self.removed.contains(&id))
    }

    /// Whether the data about the end user of the row was erased after it was written.
    fn is_erased(&self, table: &Table, row: &[Value]) -> bool {
        let (Some(column), false) = (written_at(table.name), self.erased_subjects.is_empty()) else { return false };
        let subject = text_of(table, row, "subject");
        let erased = self.erased_subjects.get(Sha256::digest(subject).as_slice());
        let recorded_at = table.position("recorded_at").map(|at| &row[at]).filter(|at| matches!(at, Value::Time(_)));
        match (erased, recorded_at.unwrap_or_else(|| field(table, row, column))) {
            (Some(erased), Value::Time(written)) => written <= erased,
            _ => false,
        }
    }

    /// Whether a page or a skill is made of a row that was removed here.
    fn is_made_of_removed(&mut self, table: &Table, row: &[Value]) -> bool {
        if table.name == "skills" {
            return id_of(table, row, "id").is_some_and(|id| self.hidden.contains(&id));
        }
        self.note_sources(table, row);
        let Value::Bytes(sources) = field(table, row, "sources") else { return false };
        table.name == "pages"
            && sources.as_chunks::<16>().0.iter().any(|id| self.removed.contains(&Id(Uuid::from_bytes(*id))))
    }

    /// Notes the skill of a removed memory. Its own rows come before.
    fn note_sources(&mut self, table: &Table, row: &[Value]) {
        if table.name == "skill_sources"
            && let (Some(memory), Some(skill)) = (id_of(table, row, "memory_id"), id_of(table, row, "skill_id"))
            && self.removed.contains(&memory)
        {
            self.is_hiding |= self.hidden.insert(skill);
        }
    }

    /// Whether rows that were counted belong to a skill of a removed memory. The next reading knows them.
    pub(super) fn has_hidden_sources(&mut self) -> bool {
        std::mem::take(&mut self.is_hiding)
    }

    fn check_selection(&self, table: &Table, row: &[Value]) -> Result<(), String> {
        let is_selected = match &self.selection {
            SelectionJson::Workspace(id) => {
                table.workspace.is_none_or(|column| id_of(table, row, column) == Some(Id(*id)))
            }
            SelectionJson::Subject { subject, .. } => table.has_subject && text_of(table, row, "subject") == subject,
            SelectionJson::All | SelectionJson::Org(_) => false,
        };
        if is_selected { Ok(()) } else { Err(format!("the row of `{}` is not of the part in the header", table.name)) }
    }

    fn fate_of_place(&mut self, table: &Table, row: &[Value], exists: bool) -> Result<Fate, String> {
        let id = id_of(table, row, "id").unwrap_or(Id::NIL);
        let is_live = *field(table, row, "removed_at") == Value::Null;
        if let (true, Some(place)) = (exists || self.places.contains_key(&id), self.places.get(&id)) {
            return match (place.is_live, is_live) {
                (false, true) => Err(format!("workspace {} was removed from the org", id.0)),
                _ if exists => Ok(Fate::Exists),
                _ => Ok(Fate::Missing),
            };
        }
        if self.erased_workspaces.contains(id.0.as_bytes().as_slice()) {
            return Err(format!("workspace {} was erased from the org, and does not come back", id.0));
        }
        let Some(parent) = id_of(table, row, "parent_id") else {
            return Err(format!("workspace {} is the root of an org; export and import the whole org", id.0));
        };
        match self.places.get(&parent) {
            Some(place) if place.is_live || !is_live => {}
            Some(_) => return Err(format!("the parent of workspace {}, {}, was removed from the org", id.0, parent.0)),
            None => {
                return Err(format!("the parent of workspace {}, {}, does not exist in the org", id.0, parent.0));
            }
        }
        self.places.insert(id, Place { is_live });
        self.note_version(table, row);
        Ok(Fate::Missing)
    }

    fn note_version(&mut self, table: &Table, row: &[Value]) {
        for column in ["org_version", "tree_version"] {
            self.highest = self.highest.max(number_of(table, row, column));
        }
    }

    /// Verifies what a new row refers to, and notes what the org's row has to know.
    fn check_new(&mut self, table: &Table, row: &[Value], names: &Names) -> Result<(), String> {
        let workspace = table.workspace.and_then(|column| id_of(table, row, column));
        let team = id_of(table, row, "team_id").filter(|team| *team != Id::NIL);
        for id in [workspace, team].into_iter().flatten() {
            if !self.places.contains_key(&id) {
                return Err(format!("the row of `{}` needs workspace {}, which the org has not", table.name, id.0));
            }
        }
        if let Some(workspace) = workspace {
            let name = format!("`{}`", text_of(table, row, "name"));
            let is_default = *field(table, row, "is_default") == Value::Bool(true);
            for name in std::iter::once(name).chain(is_default.then(String::new)) {
                if let Some(other) = names.get(&(workspace.0, name.clone())) {
                    let what = if name.is_empty() { "a default".to_owned() } else { format!("a row named {name}") };
                    return Err(format!("`{}` has {what} in the workspace already, {}", table.name, other.0));
                }
            }
        }
        self.note_version(table, row);
        Ok(())
    }
}

/// Whether the org has only the record of a row whose content was removed.
fn was_removed(table: &Table, row: &[Value], existing: &[Value]) -> bool {
    let lost =
        |column: &str| *field(table, existing, column) == Value::Null && *field(table, row, column) != Value::Null;
    let gone = |row: &[Value]| matches!(text_of(table, row, "status"), "redacted" | "deleted");
    match table.name {
        "memories" => lost("content") || (gone(existing) && !gone(row)),
        "documents" => gone(existing) && !gone(row),
        "entries" => lost("value"),
        "grants" => {
            *field(table, existing, "revoked_at") != Value::Null && *field(table, row, "revoked_at") == Value::Null
        }
        "episodes" => {
            *field(table, existing, "redacted_at") != Value::Null && *field(table, row, "redacted_at") == Value::Null
        }
        _ => false,
    }
}

fn shown(value: &Value) -> String {
    let mut text = Vec::new();
    write_value(value, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

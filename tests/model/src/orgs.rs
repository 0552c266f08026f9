//! Orgs drawn as indented text.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::generators::id;
use crate::oracle::{Oracle, Step};

/// One or several drawn orgs with named workspaces.
///
/// ```
/// let drawn = orgmem_model::orgs::draw("
///     acme
///       dev
///         bot-1
///         bot-2
///     other
/// ");
/// let oracle = drawn.oracle();
/// assert_eq!(oracle.parent(drawn.id("bot-1")), Some(drawn.id("dev")));
/// assert_eq!(oracle.roots(), [drawn.id("acme"), drawn.id("other")]);
/// assert_eq!(drawn.name(drawn.id("bot-2")), "bot-2");
/// ```
#[derive(Clone, Debug)]
pub struct Drawn {
    ids: BTreeMap<String, Uuid>,
    steps: Vec<Step>,
}

/// Parses a drawing: one name per line; the parent is the nearest previous line with less indentation. Blank lines are
/// ignored.
///
/// # Panics
/// On a duplicate name, which is a fault of the test.
#[must_use]
pub fn draw(text: &str) -> Drawn {
    let mut drawn = Drawn { ids: BTreeMap::new(), steps: Vec::new() };
    let mut above: Vec<(usize, Uuid)> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let name = line.trim();
        let indent = line.len() - line.trim_start().len();
        while above.last().is_some_and(|&(other, _)| other >= indent) {
            above.pop();
        }
        let id = id(drawn.steps.len() as u64 + 1);
        drawn.steps.push(match above.last() {
            None => Step::Found { root: id },
            Some(&(_, parent)) => Step::Create { id, parent },
        });
        above.push((indent, id));
        assert!(drawn.ids.insert(name.to_owned(), id).is_none(), "`{name}` is drawn twice");
    }
    drawn
}

impl Drawn {
    /// The id of the workspace with this name.
    ///
    /// # Panics
    /// On an unknown name, which is a fault of the test.
    #[must_use]
    pub fn id(&self, name: &str) -> Uuid {
        *self.ids.get(name).unwrap_or_else(|| panic!("`{name}` is not drawn"))
    }

    /// The name of a workspace; its id if it was not drawn.
    #[must_use]
    pub fn name(&self, id: Uuid) -> String {
        let named = self.ids.iter().find(|(_, other)| **other == id);
        named.map_or_else(|| id.to_string(), |(name, _)| name.clone())
    }

    /// The steps that create the orgs, parents before children.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The oracle of these orgs.
    #[must_use]
    pub fn oracle(&self) -> Oracle {
        Oracle::after(&self.steps)
    }
}

//! Every reason is true, and its sentence is readable.

use orgmem_hierarchy::{Reason, WorkspaceId};
use orgmem_model::generators::AnyHistory;
use orgmem_model::oracle::{Oracle, Scope};
use orgmem_model::orgs::draw;
use proptest::prelude::*;
use uuid::Uuid;

use crate::check::{both_after, every_sharing};
use crate::system::{System, to_scope};

/// May `reader` read the memories that `author` shares with this scope and team?
struct ReadQuestion<'a> {
    oracle: &'a Oracle,
    reader: Uuid,
    author: Uuid,
    scope: Scope,
    team: Option<Uuid>,
}

impl ReadQuestion<'_> {
    fn is_in_team(&self, workspace: Uuid, lead: Uuid) -> bool {
        workspace == lead || self.oracle.parent(workspace) == Some(lead)
    }

    fn is_bound_to(&self, lead: Uuid) -> bool {
        self.scope == Scope::Team && self.team == Some(lead)
    }

    /// Whether the reason is one that permits reading, and is true.
    fn grants(&self, reason: Reason) -> bool {
        let Self { oracle, reader, author, scope, .. } = *self;
        let open_team = scope == Scope::Team && self.team.is_none();
        let parent = |id| oracle.parent(id).map(WorkspaceId::from);
        match reason {
            Reason::Itself => reader == author,
            Reason::ChildOf(id) => open_team && id == author.into() && parent(reader) == Some(id),
            Reason::ParentOf(id) => open_team && id == author.into() && parent(author) == Some(reader.into()),
            Reason::SiblingUnder(id) => {
                open_team && reader != author && parent(reader) == Some(id) && parent(author) == Some(id)
            }
            Reason::InTeamOf(id) => {
                let lead = id.uuid();
                self.is_bound_to(lead) && self.is_in_team(reader, lead) && self.is_in_team(author, lead)
            }
            Reason::SameOrg(id) => {
                let root = Some(id.uuid());
                scope == Scope::Global && oracle.root(reader) == root && oracle.root(author) == root
            }
            _ => false,
        }
    }

    /// Whether the reason is one that refuses reading, and is true.
    fn refuses(&self, reason: Reason) -> bool {
        let Self { oracle, reader, author, scope, .. } = *self;
        let apart = reader != author;
        match reason {
            Reason::LocalTo(id) => scope == Scope::Local && apart && id == author.into(),
            Reason::NotNear(id) => {
                let (up, down) = (oracle.parent(reader), oracle.parent(author));
                let near = up == Some(author) || down == Some(reader) || (up.is_some() && up == down);
                scope == Scope::Team && self.team.is_none() && apart && id == author.into() && !near
            }
            Reason::NotInTeamOf(id) => self.is_bound_to(id.uuid()) && !self.is_in_team(reader, id.uuid()),
            Reason::AuthorLeftTeamOf(id) => self.is_bound_to(id.uuid()) && apart && !self.is_in_team(author, id.uuid()),
            Reason::NotInSameTree => !oracle.same_tree(reader, author),
            _ => false,
        }
    }
}

/// Whether the reason that permits writing is true; with `false`, the reason that refuses it.
fn is_true_for_write(
    reason: Reason,
    allowed: bool,
    oracle: &Oracle,
    author: Uuid,
    sharing: (Scope, Option<Uuid>),
) -> bool {
    let own = |id: WorkspaceId| author == id.uuid() || oracle.parent(author) == Some(id.uuid());
    let (scope, team) = sharing;
    let named = |id: WorkspaceId| scope == Scope::Team && team == Some(id.uuid());
    match (allowed, reason) {
        (true, Reason::Itself) => scope != Scope::Global && team.is_none(),
        (true, Reason::InTeamOf(id)) => named(id) && own(id),
        (true, Reason::IsRoot) => scope == Scope::Global && oracle.roots().contains(&author),
        (false, Reason::OnlyRootWritesGlobal(id)) => {
            scope == Scope::Global && oracle.root(author) == Some(id.uuid()) && author != id.uuid()
        }
        (false, Reason::TeamNeedsTeamScope) => scope != Scope::Team && team.is_some(),
        (false, Reason::TeamNotOwn(id)) => named(id) && !own(id),
        (false, Reason::NotInSameTree) => !oracle.is_live(author),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_reason_of_a_read_is_true(history: AnyHistory) {
        let (system, oracle) = both_after(&history.steps());
        for (scope, team) in every_sharing(&oracle) {
            for reader in oracle.everyone() {
                let tree = system.tree_of(reader);
                for author in oracle.everyone() {
                    let question = ReadQuestion { oracle: &oracle, reader, author, scope, team };
                    match tree.read(reader.into(), author.into(), to_scope(scope), team.map(Into::into)) {
                        Ok(grant) => prop_assert!(question.grants(grant.reason), "{:?}", grant),
                        Err(reason) => prop_assert!(question.refuses(reason), "{:?}", reason),
                    }
                }
            }
        }
    }

    #[test]
    fn writes_equal_the_oracle_and_their_reasons_are_true(history: AnyHistory) {
        let (system, oracle) = both_after(&history.steps());
        let teams = oracle.everyone().into_iter().map(Some).chain([None]);
        for (team, scope) in teams.flat_map(|team| Scope::ALL.map(|scope| (team, scope))) {
            for author in oracle.everyone() {
                let written = system.tree_of(author).write(author.into(), to_scope(scope), team.map(Into::into));
                prop_assert_eq!(written.is_ok(), oracle.can_write(author, scope, team));
                let reason = written.unwrap_or_else(|reason| reason);
                let is_true = is_true_for_write(reason, written.is_ok(), &oracle, author, (scope, team));
                prop_assert!(is_true, "{:?} for {} writing {} {:?}", written, author, scope, team);
            }
        }
    }
}

const ACME: &str = "
    Acme
      Dev Lead
        Bot 1
        Bot 2
          Helper
      Ops
";

#[track_caller]
fn check_reading(reader: &str, author: &str, scope: Scope, team: Option<&str>, sentence: &str) {
    let drawn = draw(ACME);
    let tree = &System::after(drawn.steps()).trees[0];
    let id = |name| WorkspaceId::from(drawn.id(name));
    let read = tree.read(id(reader), id(author), to_scope(scope), team.map(id));
    let (mark, reason) = read.map_or_else(|reason| ("no", reason), |grant| ("yes", grant.reason));
    assert_eq!(format!("{mark}: {}", reason.say(|id| drawn.name(id.uuid()))), sentence);
}

#[track_caller]
fn check_writing(author: &str, scope: Scope, team: Option<&str>, sentence: &str) {
    let drawn = draw(ACME);
    let tree = &System::after(drawn.steps()).trees[0];
    let id = |name| WorkspaceId::from(drawn.id(name));
    let written = tree.write(id(author), to_scope(scope), team.map(id));
    let mark = if written.is_ok() { "yes" } else { "no" };
    let reason = written.unwrap_or_else(|reason| reason);
    assert_eq!(format!("{mark}: {}", reason.say(|id| drawn.name(id.uuid()))), sentence);
}

#[test]
fn read_reasons_are_sentences() {
    use Scope::{Global, Local, Team};
    check_reading("Bot 1", "Bot 1", Local, None, "yes: the workspace itself");
    check_reading("Bot 1", "Dev Lead", Team, None, "yes: child of Dev Lead");
    check_reading("Dev Lead", "Bot 1", Team, None, "yes: parent of Bot 1");
    check_reading("Bot 1", "Bot 2", Team, None, "yes: sibling under Dev Lead");
    check_reading("Bot 1", "Bot 2", Team, Some("Dev Lead"), "yes: in the team of Dev Lead");
    check_reading("Helper", "Acme", Global, None, "yes: GLOBAL in the org of Acme");
    check_reading("Bot 1", "Bot 2", Local, None, "no: only its author, Bot 2, reads LOCAL");
    check_reading(
        "Ops",
        "Bot 1",
        Team,
        None,
        "no: only parent, children and siblings read TEAM; Bot 1 is not one of them",
    );
    check_reading("Bot 1", "Bot 2", Team, Some("Bot 2"), "no: bound to the team of Bot 2, which it is not in");
    check_reading("Bot 1", "Bot 2", Team, Some("Ops"), "no: bound to the team of Ops, which its author has left");
}

#[test]
fn write_reasons_are_sentences() {
    use Scope::{Global, Local, Team};
    check_writing("Bot 1", Team, None, "yes: the workspace itself");
    check_writing("Bot 1", Team, Some("Dev Lead"), "yes: in the team of Dev Lead");
    check_writing("Acme", Global, None, "yes: the root writes GLOBAL");
    check_writing(
        "Ops",
        Global,
        None,
        "no: only a root writes GLOBAL; that is Acme here, others may write TEAM or LOCAL",
    );
    check_writing("Ops", Local, Some("Ops"), "no: `team` needs scope `TEAM`");
    check_writing("Ops", Team, Some("Bot 1"), "no: `team` is the author itself or its parent; Bot 1 is neither");
}

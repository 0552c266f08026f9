//! Tests of the oracle against the sentences of `docs/spec/tree.md`, on drawn orgs.

use super::{Children, Memory, Objection, Oracle, Scope, Step};
use crate::generators::id;
use crate::orgs::{Drawn, draw};

const ACME: &str = "
    acme
      dev
        bot-1
        bot-2
          helper
      ops
    rival
      spy
";

/// The readers of memories that `author` shares with `scope` and `team`, as names in the order of the drawing,
/// separated by spaces.
#[track_caller]
fn check(oracle: &Oracle, drawn: &Drawn, author: &str, scope: Scope, team: Option<&str>, readers: &str) {
    let audience = oracle.audience(drawn.id(author), scope, team.map(|name| drawn.id(name)));
    let names: Vec<String> = audience.into_iter().map(|id| drawn.name(id)).collect();
    assert_eq!(names.join(" "), readers, "{author} {scope} {team:?}");
}

#[test]
fn scope_has_the_readers_of_the_table() {
    let drawn = draw(ACME);
    let oracle = drawn.oracle();
    check(&oracle, &drawn, "dev", Scope::Local, None, "dev");
    check(&oracle, &drawn, "dev", Scope::Team, None, "acme dev bot-1 bot-2 ops");
    check(&oracle, &drawn, "dev", Scope::Team, Some("dev"), "dev bot-1 bot-2");
    check(&oracle, &drawn, "dev", Scope::Team, Some("acme"), "acme dev ops");
    check(&oracle, &drawn, "acme", Scope::Global, None, "acme dev bot-1 bot-2 helper ops");
    check(&oracle, &drawn, "helper", Scope::Team, None, "bot-2 helper");
    check(&oracle, &drawn, "rival", Scope::Global, None, "rival spy");
}

#[test]
fn moved_memory_leaves_the_team_of_the_former_parent() {
    let drawn = draw(ACME);
    let mut oracle = drawn.oracle();
    let moved = Step::Move { id: drawn.id("bot-2"), to: drawn.id("ops") };
    assert_eq!(oracle.apply(&moved), Ok(()));
    check(&oracle, &drawn, "bot-2", Scope::Team, None, "bot-2 helper ops");
    check(&oracle, &drawn, "bot-2", Scope::Team, Some("dev"), "bot-2");
    check(&oracle, &drawn, "bot-2", Scope::Team, Some("bot-2"), "bot-2 helper");
}

#[test]
fn removed_workspace_neither_reads_nor_is_read() {
    let drawn = draw(ACME);
    let mut oracle = drawn.oracle();
    let removed = Step::Remove { id: drawn.id("dev"), children: Children::Promote };
    assert_eq!(oracle.apply(&removed), Ok(()));
    check(&oracle, &drawn, "dev", Scope::Team, None, "");
    check(&oracle, &drawn, "acme", Scope::Global, None, "acme bot-1 bot-2 helper ops");
    check(&oracle, &drawn, "bot-1", Scope::Team, None, "acme bot-1 bot-2 ops");
    check(&oracle, &drawn, "bot-1", Scope::Team, Some("dev"), "bot-1");
}

#[test]
fn forbidden_step_has_its_objection() {
    let drawn = draw(ACME);
    let mut oracle = drawn.oracle();
    oracle.max_levels = 4;
    let [acme, dev, bot_2, helper, ops, rival] =
        ["acme", "dev", "bot-2", "helper", "ops", "rival"].map(|name| drawn.id(name));
    let commit = |author, scope, team| Step::Commit(Memory { id: id(99), author, scope, team, content: String::new() });
    let cases = [
        (Step::Found { root: dev }, Objection::IdTaken(dev)),
        (Step::Create { id: dev, parent: rival }, Objection::IdTaken(dev)),
        (Step::Create { id: id(99), parent: helper }, Objection::TooDeep(5)),
        (Step::Create { id: id(99), parent: id(98) }, Objection::ParentNotLive(id(98))),
        (Step::Move { id: dev, to: ops }, Objection::TooDeep(5)),
        (Step::Move { id: dev, to: rival }, Objection::OtherTree),
        (Step::Move { id: bot_2, to: bot_2 }, Objection::UnderItself),
        (Step::Move { id: bot_2, to: helper }, Objection::Cycle),
        (Step::Move { id: acme, to: rival }, Objection::RootStays),
        (Step::Move { id: id(98), to: ops }, Objection::NotLive(id(98))),
        (Step::Remove { id: dev, children: Children::Refuse }, Objection::HasChildren(2)),
        (Step::Remove { id: acme, children: Children::Promote }, Objection::NothingAboveRoot),
        (commit(dev, Scope::Global, None), Objection::OnlyRootWritesGlobal),
        (commit(dev, Scope::Local, Some(dev)), Objection::TeamNeedsTeamScope),
        (commit(dev, Scope::Team, Some(ops)), Objection::TeamNotOwn),
        (commit(id(98), Scope::Local, None), Objection::NotLive(id(98))),
    ];
    for (step, objection) in cases {
        assert!(oracle.objections(&step).contains(&objection), "{step:?}: {:?}", oracle.objections(&step));
    }
    oracle.max_workspaces = 6;
    assert_eq!(oracle.objections(&Step::Create { id: id(99), parent: ops }), [Objection::Full]);
    assert_eq!(oracle.objections(&Step::Create { id: id(99), parent: rival }), []);
}

#[test]
fn access_check_permits_ancestors_descendants_and_siblings() {
    let drawn = draw(ACME);
    let oracle = drawn.oracle();
    let allowed = |one, other| oracle.check_access(drawn.id(one), drawn.id(other));
    assert!(allowed("dev", "dev") && allowed("dev", "ops") && allowed("helper", "acme") && allowed("acme", "helper"));
    assert!(!allowed("bot-1", "ops") && !allowed("helper", "bot-1") && !allowed("acme", "rival"));
}

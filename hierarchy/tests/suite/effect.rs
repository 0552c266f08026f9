//! The predicted effect of a change equals the difference of the oracle's decisions before and after it.

use std::collections::BTreeSet;

use orgmem_hierarchy::{AccessChange, Effect};
use orgmem_model::generators::{AnyHistory, AnyMove, AnyOrgs, AnyStep, id};
use orgmem_model::oracle::{Oracle, Scope, Step};
use orgmem_model::orgs::draw;
use proptest::prelude::*;
use uuid::Uuid;

use crate::check::{apply_to_both, both_after, every_sharing};
use crate::system::{System, to_scope};

/// Compares the effect for every workspace with the oracle before and after the step; workspaces that the effect does
/// not name must not change.
fn compare_effect_with_oracle(system: &mut System, oracle: &mut Oracle, step: &Step) {
    let Ok(Some(change)) = system.plan(step) else { return };
    let place = system.tree_index(step).expect("a change is planned for a tree");
    let effect = system.trees[place].effect(&change).expect("it was planned on this tree");
    let before = oracle.clone();
    if !apply_to_both(system, oracle, step) {
        return;
    }
    let named: BTreeSet<Uuid> = effect.readers().iter().map(|reader| reader.uuid()).collect();
    assert_eq!(named.len(), effect.readers().len(), "each is named once");
    for (scope, team) in every_sharing(oracle) {
        for reader in before.everyone() {
            let authors: Vec<Uuid> = effect.authors(reader.into()).iter().map(|author| author.uuid()).collect();
            for author in before.everyone() {
                if scope == Scope::Global && !before.can_write(author, scope, None) {
                    continue;
                }
                let reads = |oracle: &Oracle| oracle.can_read(reader, author, scope, team);
                let expected = match (reads(&before), reads(oracle)) {
                    (false, true) => Some(AccessChange::Gains),
                    (true, false) => Some(AccessChange::Loses),
                    _ => None,
                };
                let is_looked_at = named.contains(&reader) && authors.contains(&author);
                let predicted = is_looked_at.then(|| access_change(&effect, reader, author, scope, team)).flatten();
                assert_eq!(predicted, expected, "{reader} reads {scope} {team:?} by {author}; {step:?} in\n{before}");
            }
        }
        for author in named.iter().copied().filter(|&author| oracle.is_live(author)) {
            let only_author = |oracle: &Oracle| oracle.audience(author, scope, team) == [author];
            let predicted = effect.becomes_unshared(author.into(), to_scope(scope), team.map(Into::into));
            // nobody can have written these memories
            if scope != Scope::Global || oracle.can_write(author, scope, None) {
                assert_eq!(
                    predicted,
                    !only_author(&before) && only_author(oracle),
                    "{scope} {team:?} by {author}; {step:?} in\n{before}"
                );
            }
        }
    }
    assert!(before.live().into_iter().all(|id| effect.removes(id.into()) != oracle.is_live(id)));
}

fn access_change(
    effect: &Effect,
    reader: Uuid,
    author: Uuid,
    scope: Scope,
    team: Option<Uuid>,
) -> Option<AccessChange> {
    effect.access_change(reader.into(), author.into(), to_scope(scope), team.map(Into::into))
}

#[test]
fn effect_of_a_move_lists_the_moved_workspace_first_and_only_near_ones() {
    let drawn = draw(
        "
        acme
          dev
            bot-1
            bot-2
              helper
          ops
            guard
          far
            away
    ",
    );
    let system = System::after(drawn.steps());
    let step = Step::Move { id: drawn.id("bot-2"), to: drawn.id("ops") };
    let change = system.plan(&step).expect("it may move").expect("a move changes the tree");
    let effect = system.trees[0].effect(&change).expect("it was planned on this tree");
    let named: Vec<String> = effect.readers().iter().map(|reader| drawn.name(reader.uuid())).collect();
    assert_eq!(named, ["bot-2", "dev", "ops", "bot-1", "guard"]);
    assert_eq!(effect.authors(drawn.id("guard").into()), [drawn.id("bot-2").into()]);
    assert!(effect.becomes_unshared(drawn.id("bot-2").into(), to_scope(Scope::Team), Some(drawn.id("dev").into())));
    assert!(!effect.becomes_unshared(drawn.id("bot-2").into(), to_scope(Scope::Team), None));
}

proptest! {
    #[test]
    fn predicted_effect_of_a_move_is_its_effect(orgs: AnyOrgs, moved: AnyMove) {
        let (mut system, mut oracle) = (System::after(&orgs.0), Oracle::after(&orgs.0));
        let step = moved.within(&oracle).expect("someone is live");
        compare_effect_with_oracle(&mut system, &mut oracle, &step);
    }

    #[test]
    fn predicted_effect_of_any_change_is_its_effect(history: AnyHistory, steps in proptest::collection::vec(any::<AnyStep>(), 1..8)) {
        let (mut system, mut oracle) = both_after(&history.steps());
        for (number, step) in steps.into_iter().enumerate() {
            let step = step.within(&oracle, id(900_000 + number as u64));
            if let Step::Create { .. } = step {
                apply_to_both(&mut system, &mut oracle, &step);
            } else {
                compare_effect_with_oracle(&mut system, &mut oracle, &step);
            }
        }
    }

    #[test]
    fn effect_of_a_move_to_the_current_parent_is_empty(orgs: AnyOrgs) {
        let (system, oracle) = (System::after(&orgs.0), Oracle::after(&orgs.0));
        for id in oracle.live() {
            let Some(to) = oracle.parent(id) else { continue };
            let change = system.plan(&Step::Move { id, to }).expect("it may").expect("a move");
            let effect = system.tree_of(id).effect(&change).expect("it was planned on this tree");
            prop_assert_eq!(effect.readers(), []);
        }
    }
}

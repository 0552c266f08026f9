//! What a change would do is what it then does, counted by the oracle.

use std::collections::BTreeSet;

use orgmem_hierarchy::{Effect, Turn};
use orgmem_model::generators::{AnyHistory, AnyMove, AnyOrgs, AnyStep, id};
use orgmem_model::oracle::{Oracle, Scope, Step};
use orgmem_model::orgs::draw;
use proptest::prelude::*;
use uuid::Uuid;

use crate::check::{both_after, both_take, every_sharing};
use crate::system::{System, its_scope};

/// Asked before the step, the tree says of everybody what the oracle says before and after it; of whom it does not name,
/// nothing changes.
fn foretells(system: &mut System, oracle: &mut Oracle, step: &Step) {
    let Ok(Some(change)) = system.plan(step) else { return };
    let place = system.place_of(step).expect("a change is planned for a tree");
    let effect = system.trees[place].effect(&change).expect("it was planned on this tree");
    let before = oracle.clone();
    if !both_take(system, oracle, step) {
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
                    (false, true) => Some(Turn::Gains),
                    (true, false) => Some(Turn::Loses),
                    _ => None,
                };
                let is_looked_at = named.contains(&reader) && authors.contains(&author);
                let told = is_looked_at.then(|| turn(&effect, reader, author, scope, team)).flatten();
                assert_eq!(told, expected, "{reader} reads {scope} {team:?} by {author}; {step:?} in\n{before}");
            }
        }
        for author in named.iter().copied().filter(|&author| oracle.is_live(author)) {
            let alone = |oracle: &Oracle| oracle.audience(author, scope, team) == [author];
            let told = effect.leaves_alone(author.into(), its_scope(scope), team.map(Into::into));
            // what nobody can have written is of no interest
            if scope != Scope::Global || oracle.can_write(author, scope, None) {
                assert_eq!(
                    told,
                    !alone(&before) && alone(oracle),
                    "{scope} {team:?} by {author}; {step:?} in\n{before}"
                );
            }
        }
    }
    assert!(before.live().into_iter().all(|id| effect.removes(id.into()) != oracle.is_live(id)));
}

fn turn(effect: &Effect, reader: Uuid, author: Uuid, scope: Scope, team: Option<Uuid>) -> Option<Turn> {
    effect.turn(reader.into(), author.into(), its_scope(scope), team.map(Into::into))
}

#[test]
fn what_a_move_is_about_is_told_first_and_only_those_near_are_named() {
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
    assert!(effect.leaves_alone(drawn.id("bot-2").into(), its_scope(Scope::Team), Some(drawn.id("dev").into())));
    assert!(!effect.leaves_alone(drawn.id("bot-2").into(), its_scope(Scope::Team), None));
}

proptest! {
    #[test]
    fn what_a_move_would_do_is_what_it_does(orgs: AnyOrgs, moved: AnyMove) {
        let (mut system, mut oracle) = (System::after(&orgs.0), Oracle::after(&orgs.0));
        let step = moved.within(&oracle).expect("someone is live");
        foretells(&mut system, &mut oracle, &step);
    }

    #[test]
    fn what_any_change_would_do_is_what_it_does(history: AnyHistory, steps in proptest::collection::vec(any::<AnyStep>(), 1..8)) {
        let (mut system, mut oracle) = both_after(&history.steps());
        for (number, step) in steps.into_iter().enumerate() {
            let step = step.within(&oracle, id(900_000 + number as u64));
            if let Step::Create { .. } = step {
                both_take(&mut system, &mut oracle, &step);
            } else {
                foretells(&mut system, &mut oracle, &step);
            }
        }
    }

    #[test]
    fn moving_to_where_it_is_would_do_nothing(orgs: AnyOrgs) {
        let (system, oracle) = (System::after(&orgs.0), Oracle::after(&orgs.0));
        for id in oracle.live() {
            let Some(to) = oracle.parent(id) else { continue };
            let change = system.plan(&Step::Move { id, to }).expect("it may").expect("a move");
            let effect = system.tree_of(id).effect(&change).expect("it was planned on this tree");
            prop_assert_eq!(effect.readers(), []);
        }
    }
}

//! W1: may a workspace read an author's memories of a scope?

use std::collections::HashMap;
use std::hint::black_box;

use foldhash::fast::RandomState;
use orgmem_hierarchy::{Scope, Tree, WorkspaceId};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use crate::error::Outcome;
use crate::figure::{Aim, Figure, Unit};
use crate::org_shape::Shape;
use crate::report::Report;
use crate::rounds::{Pairs, Spread, nanoseconds_each};

const SIZES: [usize; 3] = [1_000, 100_000, 1_000_000];

/// Pairs of one round; more than a processor's caches hold.
const QUESTIONS: usize = 1 << 19;

/// Reader, author, and scope of the memory.
type Question = (WorkspaceId, WorkspaceId, Scope);

/// Decides for random pairs; limit: a lookup of both ids in a hash map of the same size.
pub(crate) fn run(rounds: usize, report: &mut Report) -> Outcome<()> {
    let mut ratios = Vec::new();
    for size in SIZES {
        let shape = Shape::new(size, 1);
        let tree = shape.tree()?;
        let indexes: HashMap<WorkspaceId, u32, RandomState> = shape.ids().iter().copied().zip(0..).collect();
        let random_pairs = questions(&shape, false);
        let pairs = measure(rounds, &tree, &indexes, &random_pairs)?;
        ratios.push(pairs.ratio().median);
        let name = format!("reach decision, random pairs, {size} workspaces");
        report.add(Figure::against_limit("W1", name, Unit::Nanoseconds, &pairs).with_aim(Aim::AtMost(3.0)));

        let pairs = measure(rounds, &tree, &indexes, &questions(&shape, true))?;
        let name = format!("reach decision, members of one team, {size} workspaces");
        report.add(Figure::against_limit("W1", name, Unit::Nanoseconds, &pairs));
    }
    let Spread { min, max, .. } = Spread::of(ratios);
    let name = "largest ratio of all sizes, divided by the smallest";
    report.add(Figure::value("W1", name, Unit::Times, Spread::once(max / min)).with_aim(Aim::AtMost(2.0)));
    Ok(())
}

fn measure(
    rounds: usize,
    tree: &Tree,
    indexes: &HashMap<WorkspaceId, u32, RandomState>,
    questions: &[Question],
) -> Outcome<Pairs> {
    let ours = || {
        Ok(nanoseconds_each(questions.len(), || {
            for &(reader, author, scope) in questions {
                let _ = black_box(tree.read(reader, author, scope, None));
            }
        }))
    };
    let limit = || {
        Ok(nanoseconds_each(questions.len(), || {
            for (reader, author, scope) in questions {
                black_box((indexes.get(reader), indexes.get(author), scope));
            }
        }))
    };
    Pairs::measure(rounds, ours, limit)
}

/// Random pairs; with `near`, pairs with different decisions: parent, child, sibling and itself.
fn questions(shape: &Shape, near: bool) -> Vec<Question> {
    let mut random = SmallRng::seed_from_u64(2);
    let ids = shape.ids();
    let scopes = [Scope::Local, Scope::Team, Scope::Team, Scope::Global];
    let any = |random: &mut SmallRng| random.random_range(0..ids.len());
    let pair = |random: &mut SmallRng| {
        let reader = any(random);
        let author = match (near, shape.parent_of(reader)) {
            (false, _) | (_, None) => any(random),
            (true, Some(parent)) => match random.random_range(0..4) {
                0 => reader,
                1 => parent,
                _ => (parent * 8 + random.random_range(1..9)).min(ids.len() - 1),
            },
        };
        let (reader, author) = if random.random() { (reader, author) } else { (author, reader) };
        (ids[reader], ids[author], scopes[random.random_range(0..scopes.len())])
    };
    (0..QUESTIONS).map(|_| pair(&mut random)).collect()
}

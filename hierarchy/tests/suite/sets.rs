//! The form of a reach. [`crate::read`] compares its content.

use orgmem_hierarchy::{Readable, Via, WorkspaceId};
use orgmem_model::generators::AnyOrg;
use proptest::prelude::*;

use crate::system::System;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn reach_begins_with_the_reader_and_ends_with_the_org(org: AnyOrg) {
        let tree = &System::after(&org.0).trees[0];
        for reader in tree.workspaces() {
            let reach = tree.reach(reader).expect("it is live");
            prop_assert_eq!(reach.reader(), reader);
            prop_assert_eq!(reach.parts().first(), Some(&Readable::Own(reader)));
            if reader != tree.root() {
                prop_assert_eq!(reach.parts().last(), Some(&Readable::Org(tree.root())));
            }
            for part in reach.parts() {
                prop_assert_eq!(part.via(), via_of(part, reader));
            }
        }
    }

    #[test]
    fn narrowed_reach_is_a_subset(org: AnyOrg, keep: [bool; 4]) {
        let tree = &System::after(&org.0).trees[0];
        let reach = tree.reach(tree.root()).expect("the root is live");
        let wanted = |part: &Readable| keep[part.author().uuid().as_u128() as usize % keep.len()];
        let narrowed = reach.clone().narrowed(wanted);
        let expected: Vec<Readable> = reach.parts().iter().filter(|part| wanted(part)).copied().collect();
        prop_assert_eq!(narrowed.parts(), expected);
        prop_assert_eq!(narrowed.reader(), reach.reader());
    }
}

/// `via` of a part, derived from the leader of the team.
fn via_of(part: &Readable, reader: WorkspaceId) -> Via {
    match *part {
        Readable::Own(_) => Via::Itself,
        Readable::Org(_) => Via::Org,
        Readable::Team { author, lead, .. } if lead == author => Via::Parent,
        Readable::Team { lead, .. } if lead == reader => Via::Child,
        Readable::Team { .. } => Via::Sibling,
    }
}

//! The namespaces of a workspace agree with the rules of reach, in a tree with every relation.

use orgmem_hierarchy::{OrgId, Placement, Scope, Tree, WorkspaceId};
use orgmem_policies::{Caller, Forbidden, Isolation, Namespace, ProfileSettings, Refusal, WritePass};
use uuid::Uuid;

fn id(n: u128) -> WorkspaceId {
    Uuid::from_u128(n).into()
}

/// ```text
/// 1
///   2
///     3
///       5
///     4
///   6
/// ```
fn tree() -> Tree {
    let under = |child, parent| Placement::under(id(child), id(parent));
    let rows = [Placement::root(id(1)), under(2, 1), under(3, 2), under(4, 2), under(5, 3), under(6, 1)];
    Tree::build(OrgId::of_root(id(1)), rows).expect("it is a tree")
}

fn live() -> impl Iterator<Item = WorkspaceId> {
    (1..=6).map(id)
}

/// Those of the tree, and one of another tree.
fn all() -> impl Iterator<Item = WorkspaceId> {
    (1..=7).map(id)
}

#[test]
fn team_is_readable_exactly_if_memories_bound_to_it_are() {
    let (tree, profile) = (tree(), ProfileSettings::default());
    for reader in all() {
        for lead in all() {
            let has = |author| {
                tree.write(author, Scope::Team, Some(lead)).is_ok()
                    && tree.read(reader, author, Scope::Team, Some(lead)).is_ok()
            };
            let team = Namespace::Team(lead);
            assert_eq!(team.is_readable(&tree, reader, &profile), live().any(has), "{reader} {lead}");
            let listed =
                live().any(|live| live == reader) && Namespace::readable(&tree, reader, &profile).contains(&team);
            assert_eq!(listed, live().any(has), "{reader} {lead}");
        }
    }
}

#[test]
fn own_and_org_namespaces_are_readable_exactly_if_their_memories_are() {
    let (tree, profile) = (tree(), ProfileSettings::default());
    for reader in all() {
        for author in all() {
            for (namespace, scope) in
                [(Namespace::Workspace(author), Scope::Local), (Namespace::Org(author), Scope::Global)]
            {
                let has = tree.write(author, scope, None).is_ok() && tree.read(reader, author, scope, None).is_ok();
                assert_eq!(namespace.is_readable(&tree, reader, &profile), has, "{reader}: {namespace}");
            }
        }
    }
}

#[test]
fn namespace_is_writable_exactly_if_the_tree_permits_its_scope() {
    let tree = tree();
    let system = Caller::system("test");
    for author in live() {
        for named in all() {
            for namespace in [Namespace::Workspace(named), Namespace::Team(named), Namespace::Org(named)] {
                let is_own = !matches!(namespace, Namespace::Workspace(id) if id != author)
                    && !matches!(namespace, Namespace::Org(root) if root != tree.root());
                let permitted = is_own && tree.write(author, namespace.scope(), namespace.team()).is_ok();
                assert_eq!(namespace.is_writable(&tree, author), permitted, "{author}: {namespace}");
                assert_eq!(Namespace::writable(&tree, author).contains(&namespace), permitted, "{author}: {namespace}");
                let pass = WritePass::grant_in(&system, &tree, author, &namespace);
                match pass {
                    Ok(pass) => {
                        let granted = (permitted, pass.scope(), pass.team());
                        assert_eq!(granted, (true, namespace.scope(), namespace.team()), "{author}: {namespace}");
                    }
                    Err(Refusal::Forbidden(Forbidden::Namespace { name, allowed, .. })) => {
                        assert_eq!((permitted, name), (false, namespace.to_string()));
                        assert!(allowed.contains(&format!("`workspace:{author}`")), "{allowed}");
                    }
                    Err(other) => panic!("{author}: {namespace}: {other}"),
                }
            }
        }
        assert!(Namespace::Custom("notes".into()).is_writable(&tree, author));
    }
}

#[test]
fn isolation_hides_the_org_from_all_but_its_root() {
    let tree = tree();
    for isolation in [Isolation::Team, Isolation::Isolated, Isolation::Profile] {
        let profile = ProfileSettings { isolation, ..ProfileSettings::default() };
        for reader in live() {
            let is_readable = Namespace::Org(id(1)).is_readable(&tree, reader, &profile);
            assert_eq!(is_readable, reader == id(1), "{isolation} {reader}");
        }
    }
}

#[test]
fn memory_is_in_the_namespace_of_its_scope() {
    let (author, lead) = (id(3), id(2));
    let cases = [
        (Scope::Local, None, "general", Some(Namespace::Workspace(author))),
        (Scope::Local, None, "notes", Some(Namespace::Custom("notes".into()))),
        (Scope::Team, Some(lead), "notes", Some(Namespace::Team(lead))),
        (Scope::Team, None, "notes", None),
        (Scope::Global, None, "notes", Some(Namespace::Org(author))),
    ];
    for (scope, team, label, expected) in cases {
        let namespace = Namespace::of(scope, team, author, label);
        assert_eq!(namespace, expected);
        assert!(namespace.is_none_or(|namespace| namespace.contains(scope, team, author, label)));
    }
    assert!(
        Namespace::Workspace(author).contains(Scope::Local, None, author, "notes"),
        "labelled memories are in both"
    );
    assert!(!Namespace::Workspace(author).contains(Scope::Team, None, author, "general"));
    assert!(!Namespace::Team(lead).contains(Scope::Team, None, author, "general"));
}

#[test]
fn names_are_read_as_they_are_written() {
    let custom = Namespace::Custom("a:b c".into());
    for namespace in [Namespace::Workspace(id(1)), Namespace::Team(id(2)), Namespace::Org(id(3)), custom] {
        assert_eq!(namespace.to_string().parse(), Ok(namespace));
    }
    for text in ["", "team", "team:", "team:dev", "custom:", "custom: ", "Team:1", "notes", "other:x"] {
        assert!(text.parse::<Namespace>().is_err(), "{text}");
    }
}

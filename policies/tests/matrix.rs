//! The permission table as a readable page: every role, action and position.

use std::fmt::Write as _;
use std::path::Path;

use orgmem_hierarchy::{OrgId, Placement, Scope, Tree, WorkspaceId};
use orgmem_policies::{
    Caller, Permission, Refusal, Role, ServerAction, TokenIdentity, TokenStatus, WritePass, permit, permit_server,
};
use uuid::Uuid;

const ROOT: u128 = 1;
const BOUND: u128 = 3;

/// Position of a workspace relative to the bound one.
const POSITIONS: [(&str, u128); 8] = [
    ("own", BOUND),
    ("child", 5),
    ("grandchild", 6),
    ("parent", 2),
    ("sibling", 4),
    ("nephew", 7),
    ("root", ROOT),
    ("foreign", 100),
];

fn id(n: u128) -> WorkspaceId {
    Uuid::from_u128(n).into()
}

/// ```text
/// 1 root
///   2 parent
///     3 bound
///       5 child
///         6 grandchild
///     4 sibling
///       7 nephew
/// ```
fn own_tree() -> Tree {
    let under = |child, parent| Placement::under(id(child), id(parent));
    let rows = [Placement::root(id(1)), under(2, 1), under(3, 2), under(4, 2), under(5, 3), under(6, 5), under(7, 4)];
    Tree::build(OrgId::of_root(id(ROOT)), rows).expect("it is a tree")
}

fn foreign_tree() -> Tree {
    Tree::build(OrgId::of_root(id(100)), [Placement::root(id(100))]).expect("it is a tree")
}

fn caller(role: Role, bound: u128) -> Caller {
    let workspace = role.is_bound().then(|| id(bound));
    let token = TokenIdentity {
        subject: "someone".into(),
        role,
        workspace,
        jti: Uuid::nil(),
        issued_at: Default::default(),
        user: Default::default(),
    };
    let org = role.is_bound().then(|| OrgId::of_root(id(ROOT)));
    let token_status = TokenStatus { org, live: true, ..TokenStatus::default() };
    Caller::admit(&token, &token_status).expect("it is live and not revoked")
}

fn mark<T>(decision: Result<T, Refusal>) -> &'static str {
    match decision {
        Ok(_) => "✔",
        Err(Refusal::NotFound) => "404",
        Err(Refusal::Forbidden(_)) => "403",
        Err(Refusal::Tree(_)) => "409",
    }
}

fn row(page: &mut String, name: &str, cells: impl Iterator<Item = &'static str>) {
    write!(page, "  {name:<20}").expect("a string takes it");
    for cell in cells {
        write!(page, " {cell:<11}").expect("a string takes it");
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
}

fn matrix() -> String {
    let (own, foreign) = (own_tree(), foreign_tree());
    let tree_of = |at: u128| if at == 100 { &foreign } else { &own };
    let mut page = String::from(
        "Permissions by role and position. The caller is bound to the workspace `own`, two levels below the root; an admin\n\
         is not bound. ✔ permitted, 403 refused with the reason, 404 as if the workspace did not exist.\n",
    );
    for role in Role::ALL {
        writeln!(page, "\n{role}").expect("a string takes it");
        row(&mut page, "", POSITIONS.iter().map(|(name, _)| *name));
        for action in Permission::ALL {
            let decide = |&(_, at): &(&str, u128)| mark(permit(&caller(role, BOUND), action, tree_of(at), id(at)));
            row(&mut page, action.as_str(), POSITIONS.iter().map(decide));
        }
        for action in ServerAction::ALL {
            row(&mut page, action.as_str(), std::iter::once(mark(permit_server(&caller(role, BOUND), action))));
        }
    }
    page.push_str("\nScopes that an agent may write, by team and position.\n\n");
    row(&mut page, "", ["LOCAL", "TEAM", "TEAM own", "TEAM parent", "TEAM other", "GLOBAL"].into_iter());
    for (name, at) in [("root", ROOT), ("lead", BOUND), ("leaf", 6)] {
        let parent = own.parent(id(at));
        let choices = [
            (Scope::Local, None),
            (Scope::Team, None),
            (Scope::Team, Some(id(at))),
            (Scope::Team, parent.or(Some(id(100)))),
            (Scope::Team, Some(id(7))),
            (Scope::Global, None),
        ];
        let decide = |(scope, team)| mark(WritePass::grant(&caller(Role::Agent, at), &own, id(at), scope, team));
        row(&mut page, name, choices.into_iter().map(decide));
    }
    page
}

#[test]
fn permission_table_equals_the_reviewed_snapshot() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/snapshots/matrix.txt");
    let now = matrix();
    if std::env::var_os("ORGMEM_REVIEW").is_some() {
        std::fs::write(&path, &now).expect("the page can be written");
    }
    let reviewed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        now == reviewed,
        "the permission table changed; run with ORGMEM_REVIEW=1 and review the difference like code\n{now}"
    );
}

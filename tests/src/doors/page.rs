//! The registry as a page for people.

use std::fmt::Write as _;

use super::{May, ROUTES, TOOLS, VERBS, Where};

const ROLES: [&str; 4] = ["agent", "viewer", "operator", "admin"];

/// Every door, who may come through and what it may reveal.
///
/// # Panics
/// Never: a string takes what is written to it.
#[must_use]
pub fn page() -> String {
    let mut page = String::from(
        "Every way into the server, who may come through, and what it may reveal.\n\n\
         own: for the workspace that the token is bound to; below: for that one and all below it; all: for every one.\n\
         -: 403 with the reason inside the own tree. Whatever is outside of it answers 404, as if it did not exist, and\n\
         so does a removed workspace, but for those who watch over its place: 410. Without a token: 401.\n\n\
         REST\n\n",
    );
    row(&mut page, "", "agent viewer operator admin", "reveals");
    for door in ROUTES {
        let case = if door.case.is_empty() { String::new() } else { format!(", {}", door.case) };
        row(&mut page, &format!("{} {}{case}", door.method, door.address), &roles(door.may), door.reveals);
    }
    page.push_str("\nMCP, at /mcp as the workspace of the token, at /workspaces/{id}/mcp as that one\n\n");
    row(&mut page, "", "agent viewer operator admin", "reveals");
    for tool in TOOLS {
        row(&mut page, &format!("{} ({})", tool.name, tool.route), &roles(tool.may), tool.reveals);
    }
    page.push_str("\nCommand line, by way of the routes with the token of whoever types\n\n");
    for verb in VERBS {
        let routes = if verb.routes.is_empty() { "no route".to_owned() } else { verb.routes.join(", ") };
        writeln!(page, "  {:<24} {routes}; {}", verb.name, verb.reveals).expect("a string takes it");
    }
    page
}

fn roles(may: May) -> String {
    let cell = |role: &str| match (may, may.of(role)) {
        (May::Anybody, _) => "open",
        (_, Where::Nowhere) => "-",
        (_, Where::Own) => "own",
        (_, Where::Below) => "below",
        (_, Where::Everywhere) => "all",
    };
    ROLES.map(cell).join(" ")
}

fn row(page: &mut String, door: &str, roles: &str, reveals: &str) {
    write!(page, "  {door:<58}").expect("a string takes it");
    for cell in roles.split(' ') {
        write!(page, " {cell:<8}").expect("a string takes it");
    }
    writeln!(page, " {reveals}").expect("a string takes it");
}

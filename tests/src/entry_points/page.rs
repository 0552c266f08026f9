//! The registry as a text for reviews.

use std::fmt::Write as _;

use super::{Access, COMMANDS, Extent, PLUGIN_PATHS, ROUTES, TOOLS};

const ROLES: [&str; 4] = ["agent", "viewer", "operator", "admin"];

#[must_use]
pub fn page() -> String {
    let mut page = String::from(
        "Every entry point of the server, its permitted callers, and the data that it may reveal.\n\n\
         own: the workspace of the token; below: that one and its descendants; all: every workspace.\n\
         -: 403 with the reason inside the caller's own tree. A workspace outside of it is 404, as if it did not exist.\n\
         A removed workspace is 404, but 410 for callers whose subtree contained it. Without a token: 401.\n\n\
         REST\n\n",
    );
    row(&mut page, "", "agent viewer operator admin", "reveals");
    for route in ROUTES {
        let case = if route.case.is_empty() { String::new() } else { format!(", {}", route.case) };
        row(&mut page, &format!("{} {}{case}", route.method, route.address), &roles(route.access), route.reveals);
    }
    page.push_str("\nMCP: /mcp acts as the workspace of the token, /workspaces/{id}/mcp as the one in the path\n\n");
    row(&mut page, "", "agent viewer operator admin", "reveals");
    for tool in TOOLS {
        row(&mut page, &format!("{} ({})", tool.name, tool.route), &roles(tool.access), tool.reveals);
    }
    page.push_str(
        "\nMemory-plugin listener: off by default; every caller, with the token of the settings if there is one\n\n",
    );
    for path in PLUGIN_PATHS {
        let token = if path.needs_token { "token" } else { "open" };
        writeln!(page, "  {:<58} {token:<8} {}", format!("{} {}", path.method, path.path), path.reveals)
            .expect("a string accepts all text");
    }
    page.push_str("\nCommand line: commands call the routes with the user's token; `export`, `import`, `migrate`, `backup`, `restore`, `removals` and `shard` use the database itself\n\n");
    for command in COMMANDS {
        let routes = if command.routes.is_empty() { "no route".to_owned() } else { command.routes.join(", ") };
        writeln!(page, "  {:<24} {routes}; {}", command.name, command.reveals).expect("a string accepts all text");
    }
    page
}

fn roles(access: Access) -> String {
    let cell = |role: &str| match (access, access.of(role)) {
        (Access::Public, _) => "open",
        (_, Extent::None) => "-",
        (_, Extent::OwnWorkspace) => "own",
        (_, Extent::Subtree) => "below",
        (_, Extent::All) => "all",
    };
    ROLES.map(cell).join(" ")
}

fn row(page: &mut String, route: &str, roles: &str, reveals: &str) {
    write!(page, "  {route:<58}").expect("a string accepts all text");
    for cell in roles.split(' ') {
        write!(page, " {cell:<8}").expect("a string accepts all text");
    }
    writeln!(page, " {reveals}").expect("a string accepts all text");
}

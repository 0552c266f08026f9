//! Suggested commands, ready to paste.

use std::path::Path;

use crate::cli::print::Paint;
use crate::cli::program;
use crate::client::Address;

/// Suggestions for the server at `address`. `admin_token` is the file of its admin token, `console` the link to its console.
pub(super) fn text(address: &Address, admin_token: Option<&Path>, console: Option<&str>, paint: Paint) -> String {
    let orgmem = program::name();
    let mut text = String::new();
    if let Some(link) = console {
        let remark = paint.faint("# signs in, once and within ten minutes");
        text.push_str(&format!("{}\n\n  {link}  {remark}\n\n", paint.strong("Look around in a browser:")));
    }
    text.push_str(&paint.strong("Look around from another terminal:"));
    text.push_str("\n\n");
    text.push_str(&format!("  export ORGMEM_URL={address}\n"));
    if let Some(path) = admin_token {
        let path = program::quoted(&path.display().to_string());
        text.push_str(&format!("  export ORGMEM_TOKEN=$(cat {path})\n"));
    }
    let suggestions = [
        ("tree", "the whole company"),
        (r#"search -w "Hob 04502" "per diem""#, "the travel policy is GLOBAL: a robot in Aomori finds it"),
        (r#"search -w "Crew Aomori" "Hagelnetz Stahlseil""#, "a memory of its sibling Crew Bodensee for the crews"),
        (r#"search -w "EMEA First Line" "Hagelnetz Stahlseil""#, "another department: nothing"),
        (r#"workspace reach "EMEA First Line" "Crew Bodensee""#, "the reason"),
        (r#"recall -w Databases MIG-77"#, "recent activity: the night of a migration"),
        (r#"kv list -w "Telemetry Ingest""#, "working state"),
        (r#"workspace move "Crew Shandong" "Care APAC Lead""#, "its memories move along, at once"),
    ];
    let width = suggestions.iter().map(|(command, _)| command.len()).max().unwrap_or_default();
    for (command, remark) in suggestions {
        text.push_str(&format!("  {orgmem} {command:width$}  {}\n", paint.faint(&format!("# {remark}"))));
    }
    text.push_str(&format!("\n{}\n\n", paint.strong("As an agent, with a token of its own:")));
    text.push_str(&format!("  export ORGMEM_TOKEN=$({orgmem} token issue \"Fleet API\")\n"));
    text.push_str(&format!("  {orgmem} commit --scope TEAM \"the p95 of GET /docks is 41 ms since the new index\"\n"));
    text.push_str(&format!("  {orgmem} search \"thundering herd\"\n"));
    text.push_str(&format!("  {orgmem} connect claude-code\n"));
    text.push_str(&format!("\nThe interface is described at {address}/docs/\n"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args;

    #[test]
    fn suggested_commands_are_valid() {
        let address = Address::parse("http://127.0.0.1:7070").expect("an address");
        let text = text(&address, None, None, Paint::none());
        let orgmem = program::name();
        let mut commands = 0;
        for line in text.lines().filter_map(|line| line.trim().strip_prefix(&orgmem)) {
            let words = line.split(" # ").next().unwrap_or_default().trim();
            // quoted text is one word and contains no quotes
            let parts = words.split('"').enumerate();
            let words = parts.flat_map(|(index, part)| match index % 2 {
                0 => part.split_whitespace().map(ToOwned::to_owned).collect(),
                _ => vec![part.to_owned()],
            });
            let parsed = args::command().try_get_matches_from([orgmem.clone()].into_iter().chain(words));
            assert!(parsed.is_ok(), "{line}: {parsed:?}");
            commands += 1;
        }
        assert!(commands > 9, "{commands}");
    }
}

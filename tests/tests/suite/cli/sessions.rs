//! Commands and their output as reviewed snapshots: one of successful commands, one of mistakes.

use std::collections::BTreeSet;

use orgmem_tests::entry_points::COMMANDS;
use orgmem_tests::{On, Shell, ShellOutput, TestApp, assert_reviewed, for_each_store, on_sqlite, run};
use regex::Regex;

use super::mistakes::MISTAKES;

for_each_store!(session_matches_snapshot);
on_sqlite!(mistakes_match_snapshot);

/// Successful commands. `agent$` uses the token of Bot-7, `admin$` an admin's.
const SESSION: &str = r#"
admin$ orgmem health
admin$ printf 'name: Shop\nchildren:\n  - name: Clerk\n    initial_memories:\n      - {content: open at nine, scope: TEAM}\n' > shop.yaml
admin$ orgmem org import shop.yaml --dry-run
admin$ orgmem org import - < shop.yaml
admin$ orgmem org import shop.yaml
admin$ orgmem workspace remove Shop --children cascade
admin$ printf 'template: {name: Kiosk, workspaces: [{name: Till, tier: 1}]}\n' | orgmem org import-template - | head -n 1
admin$ orgmem workspace remove Till
admin$ orgmem tree
admin$ orgmem workspace create Acme
admin$ orgmem workspace create "Dev Lead" --parent Acme --role "leads the developers"
admin$ orgmem workspace create Bot-7 --parent "Dev Lead" --metadata '{"shift": "night"}'
admin$ orgmem workspace create Bot-8 --parent "Acme/Dev Lead"
admin$ orgmem workspace create Ops --parent Acme
admin$ orgmem workspace list
admin$ orgmem workspace list bot --limit 1
admin$ orgmem workspace list zeppelin
admin$ orgmem token issue Bot-7 --subject "the night shift" --expires-in 2h
admin$ orgmem token issue Acme --role admin
admin$ orgmem token list Bot-7 | sed 's/  */ /g' | cut -d' ' -f2-7
admin$ orgmem token issue Bot-8 --subject kim-s-1 --end-user kim --session-id s-1 --json | grep -c end_user
admin$ orgmem token list Bot-8 | sed 's/  */ /g' | cut -d' ' -f2-6
admin$ orgmem me | head -n 1 | cut -d, -f1-2
admin$ orgmem stats | head -n 1
admin$ orgmem workspace show Ops --json | sed -n 's/^  "id": "\(.*\)",*$/\1/p' > ops
agent$ orgmem workspace reach Bot-7 "$(cat ops)"
admin$ orgmem workspace budget Bot-7 --memories 500 --writes-per-minute 60
agent$ orgmem workspace budget Bot-7
admin$ orgmem workspace budget Bot-7 --clear
admin$ orgmem workspace check-access Bot-7 Bot-8
agent$ orgmem commit "the CRM answers 429 above 5 requests a second" --scope TEAM --tag rate-limits
agent$ orgmem commit "my own note" --kind summary --ttl 7d
agent$ orgmem commit "until the new year" --kind notice --expires-at 2099-01-01
agent$ printf 'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\nis in the vault' | orgmem commit -
agent$ orgmem search "rate limits of the CRM"
agent$ orgmem search --scope LOCAL --limit 1
agent$ orgmem search zeppelin
admin$ orgmem org search "rate limits of the CRM" --limit 1
admin$ orgmem org search zeppelin
admin$ orgmem search -w Bot-8 CRM
admin$ printf 'id,component,type,opened\n1,web,crash,2026-05-01\n2,web,crash,2026-05-02\n,web,crash,2026-05-03\n' > bugs.csv; orgmem rows import bugs.csv -c bugs --key id --time opened -w Ops
admin$ orgmem rows collections -w Ops
admin$ orgmem rows list bugs -w Ops --prefix 2
admin$ printf 'id,component,type,opened\n4,web,crash,2026-05-04\n5,web,crash,2026-05-05\n' > more.csv; orgmem rows import more.csv -c bugs -w Ops
admin$ orgmem processor define --built-in bug-import --collection bugs -w Ops
admin$ orgmem processor list -w Ops
admin$ orgmem processor show bug-import -w Ops | head -n 3
admin$ orgmem processor run bug-import --dry-run -w Ops
admin$ orgmem processor run bug-import -w Ops
admin$ orgmem processor runs bug-import -w Ops
admin$ printf -- '--- a/src/web/cart.rs\n+++ b/src/web/cart.rs\n@@ -1 +1 @@\n-a\n+b\n' > change.diff; orgmem patterns --diff change.diff -w Ops
admin$ orgmem rows withdraw bugs 1 7 --reason "not a bug" -w Ops
admin$ orgmem processor run bug-import -w Ops
admin$ orgmem processor delete bug-import -w Ops
admin$ orgmem rows drop bugs -w Ops
admin$ orgmem search -w Ops CRM
admin$ orgmem commit -w Acme "we ship on tuesdays" --scope GLOBAL --pin
agent$ orgmem search ship
agent$ orgmem commit "deploys happen on mondays" --id 0199a7c2-0000-7000-8000-000000000001
agent$ orgmem memory edit 0199a7c2-0000-7000-8000-000000000001 --content "deploys happen on tuesdays" --tag deploys --if-version 1
agent$ orgmem memory show 0199a7c2-0000-7000-8000-000000000001
agent$ orgmem memory show 0199a7c2-0000-7000-8000-000000000001 --granted --subject kim --session-id s-1 | head -n 1
agent$ orgmem memory history 0199a7c2-0000-7000-8000-000000000001
admin$ orgmem audit memory 0199a7c2-0000-7000-8000-000000000001 --limit 2 | sed 's/  */ /g' | cut -d' ' -f5-6
agent$ printf '[{"content": "the first of two", "scope": "LOCAL"}, {"content": "the second", "scope": "TEAM"}]' | orgmem memory commit-batch -
agent$ orgmem memory restore 0199a7c2-0000-7000-8000-000000000001 1
agent$ orgmem memory history 0199a7c2-0000-7000-8000-000000000001 --limit 1
agent$ orgmem memory forget 0199a7c2-0000-7000-8000-000000000001
agent$ orgmem search deploys
agent$ orgmem commit "the caller is at the gate" --session-id call-7 --session-only
agent$ orgmem search gate --tier session --session-id call-7
agent$ orgmem memory end-session call-7
agent$ orgmem search gate --tier session --session-id call-7
admin$ orgmem grants give ada -w Bot-7 --session s-1 --to-session s-2 --evidence "Ada: yes, look it up"
admin$ orgmem grants list -w Bot-7 --subject ada --json | sed -n 's/^    "id": "\(.*\)",*$/\1/p' > grant
agent$ orgmem grants list
agent$ orgmem search gate --subject ada --granted
admin$ orgmem grants revoke "$(cat grant)" -w Bot-7
agent$ orgmem grants list
agent$ orgmem kv set cursor '{"page": 12}' --if-version 0
agent$ orgmem kv set cursor '{"page": 13}' --if-version 1 --ttl 7d
agent$ orgmem kv set greeting 'good morning' --subject ada
agent$ orgmem kv get greeting --json | grep subject
agent$ orgmem kv get cursor
agent$ orgmem kv list
agent$ orgmem kv list gre
agent$ orgmem kv delete greeting
agent$ orgmem kv list nothing
agent$ orgmem activity append task_update "moved the backlog" --status ok --duration-ms 40 --request-body '{"n": 2}'
agent$ orgmem activity list --type task_update
agent$ orgmem activity list --type a2a_send
agent$ orgmem activity append task_update "called about the invoice" --subject ada --json | sed -n 's/^  "id": "\(.*\)",*$/\1/p' > episode
agent$ orgmem activity list --subject ada
admin$ orgmem activity redact "$(cat episode)" -w Bot-7 --reason "asked for"
agent$ orgmem activity list --subject ada
agent$ orgmem events --json | sed 's/.*"kind":"\([a-z_]*\)".*/\1/' | sort -u
agent$ orgmem events --after 1 | head -n 1 | sed 's/  */ /g' | cut -d' ' -f1,5
agent$ orgmem activity search --limit 1
agent$ orgmem activity search CRM --kind memory
agent$ orgmem session-search zeppelin
agent$ orgmem recall "rate limits of the CRM" --limit 1
agent$ orgmem activity append agent_log "Deliver to the back door." --subject kim --kind delivery --actor kim --channel mail --correlation-id c-1 --outcome success --salience 0.8 --claim '{"entity": "sku-1", "field": "door", "value": "back"}'
agent$ orgmem pages compact --subject kim --dry-run
agent$ orgmem pages compact --subject kim
agent$ orgmem pages list --subject kim
agent$ orgmem pages list --subject kim --json | sed -n 's/^    "id": "\(.*\)",*$/\1/p' > page
agent$ orgmem pages show "$(cat page)"
agent$ orgmem pages sources "$(cat page)"
agent$ orgmem pages why "$(cat page)"
agent$ mkdir -p manual && printf '# Kiln\n\nLet it cool for a day.\n' > manual/kiln.md && orgmem docs add manual | sed 's/ [0-9a-f-]*  / ID  /; s/  [^ ]*\/manual/  manual/'
agent$ orgmem docs add manual/kiln.md | sed 's/ [0-9a-f-]*  / ID  /; s/  [^ ]*\/manual/  manual/'
agent$ orgmem docs list --json | sed -n 's/^    "id": "\(.*\)",*$/\1/p' > document
agent$ orgmem search --in documents "does the kiln cool" | sed "s/$(cat document)/ID/; s/[0-9a-f-]\{36\}/PASSAGE/; s/  [0-9a-z ]* ago$//"
agent$ orgmem search --in documents zebras
agent$ orgmem docs show "$(cat document)"
agent$ orgmem docs list | head -n 2 | sed "s/$(cat document)/ID/"
agent$ orgmem docs remove "$(cat document)" | sed "s/$(cat document)/ID/"
agent$ orgmem docs list
agent$ printf '%%PDF-1.4 trailer << /Root 1 0 R >>\n1 0 obj << /Pages 2 0 R >> endobj 2 0 obj << /Kids [3 0 R] /Resources << /Font << /F 5 0 R >> >> >> endobj 3 0 obj << /Contents 4 0 R >> endobj 5 0 obj << /Subtype /Type1 >> endobj 4 0 obj << >> stream\nBT /F 9 Tf (Fire bricks) Tj ET\nendstream endobj' > manual/bricks.pdf
agent$ orgmem docs add manual/bricks.pdf --tag kiln | sed 's/ [0-9a-f-]*  / ID  /; s/  [^ ]*\/manual/  manual/'
agent$ orgmem docs add manual/bricks.pdf | sed 's/ [0-9a-f-]*  / ID  /; s/  [^ ]*\/manual/  manual/'
agent$ orgmem docs list --json | sed -n 's/^    "id": "\(.*\)",*$/\1/p' > document
agent$ orgmem docs show "$(cat document)"
agent$ orgmem docs remove "$(cat document)" | sed "s/$(cat document)/ID/"
agent$ mkdir -p other && printf '%%PDF-1.4' > other/a.pdf && printf '<title>Glaze</title><p>Two coats.' > other/b.html && orgmem docs add other 2>&1 | sed 's/ [0-9a-f-]*  / ID  /; s/[^ ]*\/other/other/'
agent$ orgmem docs list --json | sed -n 's/^    "id": "\(.*\)",*$/\1/p' > document
agent$ orgmem docs remove "$(cat document)" | sed "s/$(cat document)/ID/"
admin$ orgmem docs redact 00000000-0000-4000-8000-0000000000d0 --reason "asked for" -w Bot-7
admin$ echo '{"entity": "sku-1", "fields": {"price": {"value": 19.5, "unit": "EUR"}, "door": {"value": "front"}}, "as_of": "2025-01-01T00:00:00Z", "source": "erp"}' | orgmem records push - --workspace Acme
admin$ orgmem records list --workspace Acme
agent$ orgmem records show sku-1
agent$ orgmem pages show "$(cat page)"
agent$ orgmem reviews list --status open
agent$ orgmem reviews list --json | sed -n 's/^    "id": "\(.*\)",*$/\1/p' > review
admin$ orgmem reviews decide "$(cat review)" dismissed --note "the back door is right" --workspace Acme
agent$ orgmem context --subject kim --token-budget 200 | head -n 1
agent$ orgmem commit "Light it, then wait an hour." --kind procedure --title "Light the kiln" --id 00000000-0000-4000-8000-00000000000a
agent$ orgmem memory evidence 00000000-0000-4000-8000-00000000000a
agent$ orgmem memory outcome 00000000-0000-4000-8000-00000000000a success --note "it was hot"
agent$ orgmem skills draft 00000000-0000-4000-8000-00000000000a
agent$ orgmem skills list --status draft
admin$ orgmem skills approve light-the-kiln -w Bot-7
agent$ orgmem skills list
agent$ orgmem skills show light-the-kiln | head -n 8
agent$ orgmem skills diff light-the-kiln --from 1 --to 1
agent$ orgmem skills sync skills && cat skills/light-the-kiln/SKILL.md
admin$ orgmem skills rule -w Acme --sessions 3
admin$ orgmem skills withdraw light-the-kiln -w Bot-7
agent$ orgmem skills list
agent$ orgmem context
agent$ orgmem commit "deploys happen on tuesdays" --scope TEAM --id 00000000-0000-4000-8000-000000000007
agent$ orgmem memory edit 00000000-0000-4000-8000-000000000007 --content "deploys happen on thursdays" --if-version 1
agent$ orgmem memory history 00000000-0000-4000-8000-000000000007
agent$ orgmem memory restore 00000000-0000-4000-8000-000000000007 1
agent$ orgmem memory why 00000000-0000-4000-8000-000000000007
agent$ orgmem memory why 00000000-0000-4000-8000-000000000007 zeppelin
agent$ orgmem memory count deploys --scope TEAM
agent$ orgmem memory count deploys --mode keyword
agent$ orgmem memory count deploys --mode semantic
agent$ orgmem memory forget 00000000-0000-4000-8000-000000000007 --if-version 1
agent$ orgmem memory forget 00000000-0000-4000-8000-000000000007 --if-version 3
agent$ orgmem commit "a name that should not be here" --scope TEAM --id 00000000-0000-4000-8000-000000000008
admin$ orgmem memory redact 00000000-0000-4000-8000-000000000008 -w Bot-7 --reason "a slip of the pen"
agent$ orgmem memory show 00000000-0000-4000-8000-000000000008
admin$ orgmem memory redactions -w Acme | sed 's/  */ /g' | cut -d' ' -f1-3
agent$ orgmem memory list-profiles
agent$ orgmem memory write-entry "the deploy key is rotated monthly. Ask Ops for it." --confidence 0.9
agent$ orgmem memory list-entries --limit 1
agent$ orgmem memory summarize default
admin$ orgmem profile create notes -w Bot-7 --isolation team --max-age 30d --strategy recent --seed "the first note" --dry-run
admin$ orgmem profile create notes -w Bot-7 --isolation team --max-age 30d --strategy recent --seed "the first note"
admin$ orgmem memory list-profiles --agent Bot-7 --json | grep -B2 '"name": "notes"' | sed -n 's/^ *"id": "\(.*\)",*$/\1/p' > notes
admin$ orgmem memory list-entries --profile "$(cat notes)" --scope global --limit 50 --json
admin$ orgmem memory write-entry --profile "$(cat notes)" --scope project --source manual --content "the build is green" --confidence 0.8
admin$ orgmem memory list-entries --profile "$(cat notes)" --limit 50
admin$ orgmem memory list-entries --profile "$(cat notes)" --scope project --limit 1 --json | sed -n 's/^ *"id": "\(.*\)",*$/\1/p' > entry
admin$ orgmem memory redact "$(cat entry)" --reason "contains PII"
admin$ orgmem memory list-entries --profile "$(cat notes)" --scope global --limit 50 --json
admin$ orgmem memory summarize --profile "$(cat notes)"
admin$ orgmem profile show "$(cat notes)"
admin$ orgmem profile change "$(cat notes)" --max-age none --limit 3 --dry-run
admin$ orgmem profile change "$(cat notes)" --max-age none --limit 3
admin$ orgmem profile delete "$(cat notes)"
agent$ orgmem run start "nightly deploy" > run
agent$ orgmem commit "the deploy took 4 minutes" --run-id "$(cat run)" --scope TEAM
agent$ orgmem run output "$(cat run)" '{"answer": 42, "__lf_memory_writes": [{"content": "roll back by tag"}]}'
agent$ orgmem search deploy --scope TEAM
agent$ orgmem run show "$(cat run)"
agent$ orgmem run list --status open
agent$ orgmem run finish "$(cat run)" completed
agent$ orgmem search "deploy minutes" --scope TEAM --limit 1
agent$ orgmem run list
agent$ orgmem commit "shall the kiln be lit?" --session-id kiln
agent$ orgmem commit "only after the inspection" --session-id kiln --scope TEAM
agent$ orgmem commit "it passed, so yes" --session-id kiln
agent$ orgmem search inspection --neighbours 1 --limit 1
agent$ orgmem activity search --session-id kiln --kind memory --limit 1
agent$ orgmem run list --session-id kiln
admin$ orgmem erase Acme --subject ada --reason "asked for" --dry-run
admin$ orgmem erase Acme --subject nobody --reason "asked for"
admin$ orgmem scrub --dry-run | sed 's/[0-9][0-9]* rows/some rows/'
admin$ orgmem org erasures Acme
admin$ orgmem provider list | sed 's/version .*/version …/'
admin$ orgmem provider report built_in --json | grep name
admin$ orgmem audit list Acme --subtree --action drop_entry | head -n 1 | tr -s ' '
admin$ orgmem audit export Acme --subtree --action drop_entry | grep -c drop_entry
admin$ orgmem audit verify Acme | cut -d: -f1
admin$ orgmem workspace show Bot-7
admin$ orgmem workspace rename Bot-7 "Night Bot"
admin$ orgmem workspace reach "Night Bot"
admin$ orgmem workspace reach "Night Bot" Ops
admin$ orgmem workspace move "Night Bot" Ops --dry-run
admin$ orgmem workspace move "Night Bot" Ops
admin$ orgmem search -w Bot-8 CRM
admin$ orgmem search -w Ops CRM
admin$ orgmem tree
admin$ orgmem tree Ops --depth 0
admin$ orgmem workspace remove "Dev Lead" --children promote --dry-run
admin$ orgmem workspace remove "Dev Lead" --children promote
admin$ orgmem workspace remove Ops --children cascade
admin$ orgmem workspace list --status removed
admin$ orgmem token revoke 00000000-0000-4000-8000-000000000001
admin$ orgmem token revoke-all Bot-8
admin$ orgmem connect curl
admin$ orgmem connect codex -w Bot-8
admin$ ORGMEM_LISTEN=127.0.0.1:1 DATABASE_URL=postgres://orgmem:hunter2@db/orgmem orgmem config show | grep -v default
admin$ orgmem completions bash | head -n 1
admin$ orgmem man | head -n 3
admin$ orgmem man --dir pages && ls pages | head -n 3
admin$ echo '{"jsonrpc": "2.0", "id": 1, "method": "ping"}' | ORGMEM_TOKEN=$(orgmem token issue Bot-8 2>/dev/null) orgmem mcp
"#;

async fn session_matches_snapshot(on: On) {
    let app = TestApp::builder(on).as_program().start().await;
    let mut transcript =
        Transcript::new(&app, "What is typed and what comes back: a session in which everything goes well.");
    transcript.play(&app, SESSION).await;
    assert_reviewed("cli/session.txt", &transcript.text);
}

async fn mistakes_match_snapshot(on: On) {
    let app = TestApp::builder(on).as_program().start().await;
    let mut transcript =
        Transcript::new(&app, "What is typed and what comes back: a session in which everything goes wrong.");
    for made in ["Acme", "Dev Lead --parent Acme", "Bot-7 --parent 'Dev Lead'", "Ops --parent Acme"] {
        let made = made.replace("Dev Lead --", "'Dev Lead' --");
        let _ = transcript.admin.enter(&format!("orgmem workspace create {made}")).await.success();
    }
    transcript.play(&app, MISTAKES).await;
    assert_reviewed("cli/mistakes.txt", &transcript.text);
}

/// `serve` and `demo` do not end; other tests run them.
#[test]
fn every_command_is_in_a_snapshot() {
    let typed =
        |verb: &str| [SESSION, MISTAKES].iter().any(|transcript| transcript.contains(&format!("orgmem {verb}")));
    let untyped: BTreeSet<_> = COMMANDS.iter().map(|verb| verb.name).filter(|verb| !typed(verb)).collect();
    assert_eq!(untyped, BTreeSet::from(["demo"]), "type them in tests/tests/suite/cli/pages.rs");
}

/// A snapshot under construction.
struct Transcript {
    admin: Shell,
    text: String,
    placeholders: Placeholders,
}

impl Transcript {
    fn new(app: &TestApp, about: &str) -> Self {
        let key = "`!` is before what went to the standard error, `=` before an exit code that is not 0.";
        let text = format!("{about}\n{key} Ids, times, tokens and addresses are replaced.\n");
        Self { admin: Shell::to(app), text, placeholders: Placeholders::default() }
    }

    async fn play(&mut self, app: &TestApp, lines: &str) {
        let mut agent = None;
        for line in lines.lines().filter(|line| !line.is_empty()) {
            let output = match line.split_once("$ ") {
                Some(("admin", line)) => self.admin.enter(line).await,
                Some(("agent", line)) => {
                    if agent.is_none() {
                        agent = Some(self.agent(app).await);
                    }
                    // the same folder, so that they share files
                    let agent = agent.as_deref().unwrap_or_default();
                    let output = self.admin.enter(&format!("export ORGMEM_TOKEN={agent}; {line}")).await;
                    ShellOutput { line: line.to_owned(), ..output }
                }
                _ => panic!("`{line}` is typed by nobody"),
            };
            let prompt = line.split_once('$').map_or("", |(prompt, _)| prompt);
            self.write(app, prompt, &output);
        }
    }

    async fn agent(&self, app: &TestApp) -> String {
        let bot = self.admin.enter("orgmem workspace show 'Dev Lead/Bot-7' --json").await.success();
        let bot: serde_json::Value = serde_json::from_str(&bot.out).expect("JSON");
        app.token("agent", Some(orgmem_tests::id_of(&bot, "id"))).text()
    }

    fn write(&mut self, app: &TestApp, prompt: &str, output: &ShellOutput) {
        self.text.push_str(&format!("\n{prompt}$ {}\n", output.line));
        let placeholders = self.placeholders.placeholders(&output.out, app, &self.admin);
        placeholders.lines().for_each(|line| self.text.push_str(&format!("{}\n", line.trim_end())));
        let placeholders = self.placeholders.placeholders(&output.err, app, &self.admin);
        placeholders.lines().for_each(|line| self.text.push_str(&format!("! {line}\n")));
        if output.code != Some(0) {
            self.text.push_str(&format!("= {}\n", output.code.map_or("killed".to_owned(), |code| code.to_string())));
        }
    }
}

/// Replaces values that vary between runs by stable names.
#[derive(Default)]
struct Placeholders {
    ids: Vec<String>,
}

impl Placeholders {
    fn placeholders(&mut self, text: &str, app: &TestApp, shell: &Shell) -> String {
        let text = text.replace(app.address(), "http://SERVER").replace(&app.folder().display().to_string(), "FOLDER");
        let text = text.replace(&shell.home().display().to_string(), "HOME");
        let mut text = replace(&text, r"eyJ[\w-]+\.[\w-]+\.[\w-]+", "TOKEN");
        let id = Regex::new("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}").expect("a pattern");
        while let Some(found) = id.find(&text).map(|found| found.as_str().to_owned()) {
            let known = self.ids.iter().position(|id| *id == found);
            let number = known.unwrap_or_else(|| {
                self.ids.push(found.clone());
                self.ids.len() - 1
            });
            text = text.replace(&found, &format!("ID-{}", number + 1));
        }
        let text = replace(&text, r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?", "TIME");
        let text = replace(&text, r"\d{4}-\d\d-\d\d", "DAY");
        let text = replace(&text, r"just now|\b\d+[smhd] ago|\bin \d+[smhd]\b", "TIME");
        // column widths vary with the values
        replace(&text, r"(\S) {2,}", "$1  ")
    }
}

fn replace(text: &str, pattern: &str, with: &str) -> String {
    Regex::new(pattern).expect("a pattern").replace_all(text, with).into_owned()
}

/// Help is written to standard output and succeeds.
#[test]
fn help_succeeds() {
    run(async {
        let shell = Shell::new();
        for line in ["orgmem", "orgmem --help", "orgmem kv --help", "orgmem kv set --help", "orgmem --version"] {
            let output = shell.enter(line).await.success();
            assert!(output.out.contains("orgmem") && output.err.is_empty(), "{output:#?}");
        }
        let output = shell.enter("orgmem kv").await;
        assert_eq!(output.code, Some(2), "a command is missing: {output:#?}");
    });
}

/// =
#[test]
fn closed_pipe_is_not_a_failure() {
    run(async {
        let shell = Shell::new();
        let output = shell.enter("(orgmem completions bash; echo \"code $?\" >&2) | head -n 1").await.success();
        assert_eq!(output.err, "code 0\n");
    });
}

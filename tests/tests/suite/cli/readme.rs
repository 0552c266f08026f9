//! The commands in the README, in the page on the command line, and those that `orgmem demo` suggests.

use orgmem_tests::{On, Program, Shell, TestApp, run};
use serde_json::Value;

const README: &str = include_str!("../../../../README.md");
const COMMAND_LINE: &str = include_str!("../../../../docs/spec/cli.md");
const SKILLS: &str = include_str!("../../../../docs/skills.md");

/// The command blocks, in the order of the page.
fn blocks() -> Vec<&'static str> {
    let fenced = README.split("```").skip(1).step_by(2);
    fenced.filter_map(|block| block.strip_prefix("sh\n")).collect()
}

fn block(with: &str) -> &'static str {
    blocks()
        .into_iter()
        .find(|block| block.contains(with))
        .unwrap_or_else(|| panic!("no block of README.md has {with}"))
}

/// The first command of the page, on a free port, with the program that cargo built.
fn first_command() -> &'static str {
    let first = blocks().first().copied().unwrap_or_default().trim();
    first.strip_prefix("cargo run -- ").expect("the first command builds and starts it")
}

#[test]
fn first_command_shows_readers_and_keeps_serving() {
    run(async {
        let shell = Shell::new().with("ORGMEM_LISTEN", "127.0.0.1:0");
        let mut command = shell.command("orgmem");
        command.args(first_command().split_whitespace());
        let demo = Program::spawn(command, "is described at http://").await;
        let shown = demo.startup_output().to_owned();
        let found = shown.find("✔ finds it").expect("somebody finds it");
        let missed = shown.find("✘ does not find it").expect("somebody does not");
        assert!(found < missed, "{shown}");
        // the suggested commands
        let lines: Vec<_> = shown.lines().filter_map(|line| line.strip_prefix("  ")).collect();
        let suggested = lines.iter().skip_while(|line| !line.starts_with("export ORGMEM_URL="));
        let suggested: Vec<_> = suggested.filter(|line| !line.starts_with(' ')).copied().collect();
        assert!(suggested.iter().filter(|line| line.starts_with("orgmem ")).count() > 9, "{shown}");
        let tried = shell.enter(&format!("set -e\n{}", suggested.join("\n"))).await.success();
        for promised in ["per diem", "Hagelnetz", "MIG-77", "no matching memories", "Fleet API", "thundering"] {
            let is_there = tried.out.contains(promised) || tried.err.contains(promised);
            assert!(is_there, "`{promised}` is not in {tried:#?}");
        }
        assert!(shell.home().join(".local/share/orgmem-demo").is_dir() || cfg!(not(target_os = "linux")));
        demo.stop().await;
    });
}

#[test]
fn demo_with_exit_ends_and_adds_nothing_twice() {
    run(async {
        // a database URL for another program is ignored
        let shell = Shell::new().with("DATABASE_URL", "mysql://somebody@127.0.0.1:1/else");
        let once = format!("orgmem {} --once", first_command());
        let first = shell.enter(&once).await.success();
        let again = shell.enter(&once).await.success();
        for shown in [&first.out, &again.out] {
            assert!(shown.contains("✔ finds it") && shown.contains("✘ does not find it"), "{shown}");
        }
        assert!(!first.out.contains("already") && again.out.contains("all existed already"), "{first:#?} {again:#?}");
    });
}

/// The same command fills a running server.
#[test]
fn demo_fills_a_running_server() {
    run(async {
        let app = TestApp::builder(On::Sqlite).as_program().start().await;
        let shell = Shell::to(&app);
        let suggested = shell.enter("orgmem demo --url $ORGMEM_URL").await.success();
        assert!(suggested.out.contains("✔ finds it") && suggested.out.contains("✘ does not find it"), "{suggested:#?}");
        let trees = app.admin().get("/admin/tree").await.expect(200).json();
        let org = &trees["orgs"][0];
        assert!(org["workspaces"].as_u64() >= Some(40), "{org}");
        assert!(org["memories"].as_u64().is_none_or(|memories| memories >= 200), "{org}");
    });
}

#[test]
fn readme_commands_work() {
    run(async {
        let shell = Shell::new().with("ORGMEM_LISTEN", "127.0.0.1:0");
        let serve = block("orgmem serve").split('#').next().unwrap_or_default();
        let mut command = shell.command("orgmem");
        command.args(serve.split_whitespace().skip(1));
        let server = Program::spawn(command, "listens on http://").await;
        // the test's server has another port
        let here = |block: &str| block.replace("127.0.0.1:7070", &server.address().to_string());
        let used = shell.enter(&format!("set -e\n{}", here(block("orgmem commit")))).await.success();
        assert!(used.out.contains("staging deploys happen on Tuesdays"), "it was found: {used:#?}");
        assert!(used.out.contains("mcpServers"), "{used:#?}");
        let toured = format!("set -e\nexport ORGMEM_URL=http://{}\n{}", server.address(), block("run start"));
        let toured = shell.enter(&toured).await.success();
        for promised in
            ["the nightly deploy took", "with Ada until Friday", "## Context Memory", "backups run at night"]
        {
            assert!(toured.out.contains(promised), "`{promised}` is not in {toured:#?}");
        }
        let tool = toured.out.lines().last().unwrap_or_default();
        let result = serde_json::from_str::<Value>(tool).expect("the response to the MCP client")["result"].clone();
        assert!(result["structuredContent"].to_string().contains("with Ada until Friday"), "{toured:#?}");
        let agent = format!("set -e\nexport ORGMEM_URL=http://{}\n{}", server.address(), block("curl"));
        let used = shell.enter(&agent).await.success();
        let mut answers = serde_json::Deserializer::from_str(&used.out).into_iter::<Value>();
        let mut next = || answers.next().expect("an answer").expect("JSON");
        let (committed, found) = (next(), next());
        let ids: Vec<_> = found.as_array().into_iter().flatten().map(|memory| &memory["id"]).collect();
        assert!(ids.contains(&&committed["id"]), "{used:#?}");
        server.stop().await;
    });
}

/// The examples of the page, as one block in one shell.
#[test]
fn command_line_page_examples_work() {
    run(async {
        let shell = Shell::new().with("ORGMEM_LISTEN", "127.0.0.1:0");
        let mut command = shell.command("orgmem");
        command.arg("serve");
        let server = Program::spawn(command, "listens on http://").await;
        let examples = COMMAND_LINE.split("## Examples").nth(1).expect("the page has examples");
        let lines: Vec<_> = examples.lines().filter_map(|line| line.strip_prefix("    ")).collect();
        assert!(lines.len() > 9, "{examples}");
        let pasted = format!("set -e\nexport ORGMEM_URL=http://{}\n{}", server.address(), lines.join("\n"));
        let output = shell.enter(&pasted).await.success();
        for promised in ["rate limit", "cursor is at version 1", "intact: "] {
            assert!(output.out.contains(promised), "`{promised}` is not in {output:#?}");
        }
        assert!(!output.err.contains("nothing"), "{output:#?}");
        assert!(shell.home().join(".mcp.json").is_file());
        server.stop().await;
    });
}

/// The page that follows a procedure from its first words to its redaction, as one shell.
#[test]
fn commands_of_the_page_on_skills_work() {
    run(async {
        let shell = Shell::new().with("ORGMEM_LISTEN", "127.0.0.1:0");
        let mut command = shell.command("orgmem");
        // uses are counted with the audit row of the read, which is otherwise written soon after it
        command.arg("serve").env("ORGMEM_ACCESS_LOG_WAIT_FOR_READS", "yes");
        let server = Program::spawn(command, "listens on http://").await;
        let blocks: Vec<_> =
            SKILLS.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("sh\n")).collect();
        assert_eq!(blocks.len(), 8);
        let pasted = format!("set -e\nexport ORGMEM_URL=http://{}\n{}", server.address(), blocks.concat());
        let output = shell.enter(&pasted).await.success();
        for promised in [
            "candidate for a skill\nversion 1: 5 uses, 5 successes, 0 failures, 0 open",
            "5 runs, 2 sessions",
            "roll-back  draft  version 1",
            "roll-back  active  version 1",
            "name: roll-back",
            "+3. Start the workers.",
            "roll-back  active  version 2",
            "source_removed",
        ] {
            assert!(output.out.contains(promised), "`{promised}` is not in {output:#?}");
        }
        let changes: Vec<_> = output.err.lines().filter(|line| line.starts_with("roll-back: ")).collect();
        let versions = ["version 1", "version 2", "removed", "version 2", "removed"];
        assert_eq!(changes, versions.map(|version| format!("roll-back: {version}")), "{output:#?}");
        assert!(!shell.home().join("skills/roll-back").exists());
        // nothing of its text is left in an answer about it
        let after = output.out.rsplit("withdrawn-").next().unwrap_or_default();
        assert!(!after.contains("workers"), "{output:#?}");
        server.stop().await;
    });
}

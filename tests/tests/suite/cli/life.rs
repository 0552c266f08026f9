//! How a server of its own begins and ends.

use std::os::unix::fs::PermissionsExt;

use orgmem_tests::{On, Program, Shell, TestApp, for_each_store, run};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

for_each_store!(sigterm_finishes_what_was_accepted);

/// A request whose body is on its way when the signal comes is answered, and what it wrote is there afterwards.
async fn sigterm_finishes_what_was_accepted(on: On) {
    let mut app = TestApp::builder(on).as_program().start().await;
    let bot = app.plant("acme\n  bot").await.id("bot");
    let address = app.address().trim_start_matches("http://").to_owned();
    let body = json!({"content": "accepted before the end", "scope": "TEAM"}).to_string();
    let (first, rest) = body.split_at(body.len() / 2);
    let head = format!(
        "POST /workspaces/{bot}/memories HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        app.token("agent", Some(bot)).text(),
        body.len()
    );
    let mut line = TcpStream::connect(&address).await.expect("it listens");
    line.write_all(head.as_bytes()).await.expect("the head is taken");
    // the server asks for the body, so it has accepted the request
    assert_eq!(answer(&mut line).await.lines().next(), Some("HTTP/1.1 100 Continue"));
    line.write_all(first.as_bytes()).await.expect("half of the body is taken");
    app.program().terminate().await;
    while TcpStream::connect(&address).await.is_ok() {
        // once it has heard the signal it accepts nobody else
        tokio::task::yield_now().await;
    }
    line.write_all(rest.as_bytes()).await.expect("the other half is taken");
    let answered = answer(&mut line).await;
    assert_eq!(answered.lines().next(), Some("HTTP/1.1 201 Created"), "{answered}");
    app.ended().await;
    app.restart().await;
    let found = app.agent(bot).search(bot, &[("q", "accepted")]).await.items();
    assert_eq!(found.len(), 1, "{found:?}");
}

/// Up to the end of the head.
async fn answer(line: &mut TcpStream) -> String {
    let mut read = Vec::new();
    while !read.ends_with(b"\r\n\r\n") {
        read.push(line.read_u8().await.expect("an answer is on its way"));
    }
    String::from_utf8(read).expect("a head is text")
}

#[test]
fn a_second_server_on_the_same_data_folder_refuses_and_harms_nobody() {
    run(async {
        let app = TestApp::builder(On::Sqlite).as_program().start().await;
        let bot = app.plant("acme\n  bot").await.id("bot");
        let folder = app.folder().display();
        let second = Shell::new().enter(&format!("orgmem serve --listen 127.0.0.1:0 --data-dir {folder}")).await;
        assert_eq!(second.code, Some(4), "{second:#?}");
        let told = format!("error: another server uses `{folder}/orgmem.lock`; stop it, or name another data folder\n");
        assert_eq!(second.err, told);
        app.agent(bot).commit(bot, "LOCAL", "the first goes on").await;
    });
}

#[test]
fn a_port_that_is_taken_is_told() {
    run(async {
        let app = TestApp::builder(On::Sqlite).as_program().start().await;
        let taken = app.address().trim_start_matches("http://");
        let said = Shell::new().enter(&format!("orgmem serve --listen {taken}")).await;
        assert_eq!(said.code, Some(4), "{said:#?}");
        let told = said.err.lines().last().unwrap_or_default();
        assert!(told.starts_with(&format!("error: cannot listen on `{taken}`: ")), "{said:#?}");
        assert!(told.ends_with("stop what does, or set `listen` to another address"), "{said:#?}");
    });
}

/// `orgmem serve` without flags, settings or environment, but for a port that is free.
#[test]
fn the_first_start_makes_a_private_folder_with_a_token_and_tells_where_it_is() {
    run(async {
        let shell = Shell::new().with("ORGMEM_LISTEN", "127.0.0.1:0").with("XDG_DATA_HOME", "");
        let start = async || {
            let mut command = shell.command("orgmem");
            command.arg("serve");
            Program::spawn(command, "listens on http://").await
        };
        let first = start().await;
        let folder = shell.home().join(".local/share/orgmem");
        let mode = |path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        assert_eq!(mode(folder.clone()), 0o700);
        for file in ["admin.token", "jwt.secret"] {
            assert_eq!(mode(folder.join(file)), 0o600, "{file}");
        }
        let token = std::fs::read_to_string(folder.join("admin.token")).expect("a token");
        let here = |server: &Program| format!("export ORGMEM_URL=http://{}; ", server.address());
        let made = shell.enter(&(here(&first) + "orgmem workspace create Acme && orgmem doctor")).await.well();
        assert!(!made.out.contains(token.trim()) && !made.err.contains(token.trim()), "{made:#?}");
        let taken = shell.enter("orgmem serve").await;
        assert_eq!(taken.code, Some(4), "{taken:#?}");
        first.stop().await;
        // the second start makes nothing anew
        let second = start().await;
        assert_eq!(std::fs::read_to_string(folder.join("admin.token")).expect("a token"), token);
        let listed = shell.enter(&(here(&second) + "orgmem workspace list")).await.well();
        assert!(listed.out.contains("Acme"), "{listed:#?}");
        second.stop().await;
    });
}

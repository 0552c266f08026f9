//! How a server of its own begins and ends.

use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use orgmem_tests::{On, Program, Shell, TestApp, for_each_store, run};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
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
        assert!(told.ends_with("stop the other process, or set `listen` to another address"), "{said:#?}");
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

/// As in `orgmem serve | head -1`, or where the output is a file on a full disk.
#[test]
fn a_start_that_nobody_reads_about_is_a_start() {
    run(async {
        let shell = Shell::new().with("ORGMEM_LISTEN", "127.0.0.1:0");
        let full = std::fs::File::options().write(true).open("/dev/full").expect("there is one");
        let mut command = shell.command("orgmem");
        let mut server = command.arg("serve").stdout(full).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut log = BufReader::new(server.stderr.take().expect("its log is piped")).lines();
        // the last that a first start tells, after what it prints
        while !log.next_line().await.expect("text").expect("it goes on").contains("migrated") {}
        let noted = shell.home().join(".local/share/orgmem/server.address");
        let address = std::fs::read_to_string(noted).expect("it noted where it listens");
        let _ = shell.enter(&format!("orgmem health --url http://{}", address.trim())).await.well();
        server.kill().await.expect("it runs");
    });
}

#[test]
fn what_a_server_writes_is_private_even_in_a_folder_that_is_open_to_others() {
    run(async {
        let shell = Shell::new().with("ORGMEM_LISTEN", "127.0.0.1:0").with("ORGMEM_DATA_DIR", "data");
        let _ = shell.enter("mkdir -m 755 data").await.well();
        let server = Program::spawn(started(&shell), "listens on http://").await;
        let here = format!("export ORGMEM_URL=http://{}; ", server.address());
        let _ = shell.enter(&(here + "orgmem workspace create Acme && orgmem commit -w Acme remembered")).await.well();
        let said = shell.enter("ls data && find data -type f -perm /077").await.well();
        assert!(said.out.contains("orgmem.db-wal"), "{said:#?}");
        assert!(!said.out.contains("data/"), "these can be read by others: {said:#?}");
        server.stop().await;
    });
}

#[test]
fn the_links_of_a_server_that_listens_everywhere_lead_to_it() {
    run(async {
        let shell = Shell::new().with("ORGMEM_LISTEN", "0.0.0.0:0");
        let server = Program::spawn(started(&shell), "interface    http://").await;
        let port = server.address().port();
        assert_eq!(server.address().to_string(), format!("127.0.0.1:{port}"));
        let console = format!("  console      http://127.0.0.1:{port}/console/#code=");
        assert!(server.announced().contains(&console), "{}", server.announced());
        server.stop().await;
    });
}

/// Anybody may listen at another port of the machine.
#[test]
fn the_admin_token_goes_to_the_server_of_its_folder_and_to_no_other() {
    run(async {
        let shell = Shell::new().with("ORGMEM_LISTEN", "127.0.0.1:0");
        let server = Program::spawn(started(&shell), "listens on http://").await;
        let other = TestApp::builder(On::Sqlite).as_program().start().await;
        let at = async |address: &str| shell.enter(&format!("ORGMEM_URL={address} orgmem workspace list")).await;
        let _ = at(&format!("http://{}", server.address())).await.well();
        let _ = at(&format!("http://localhost:{}", server.address().port())).await.well();
        let said = at(other.address()).await;
        assert_eq!(said.code, Some(1), "{said:#?}");
        assert!(said.err.starts_with("error: a token is required"), "{said:#?}");
        server.stop().await;
    });
}

#[test]
fn the_doctor_sees_that_the_admin_token_was_revoked() {
    run(async {
        let shell = Shell::new().with("ORGMEM_LISTEN", "127.0.0.1:0");
        let server = Program::spawn(started(&shell), "listens on http://").await;
        let here = format!("export ORGMEM_URL=http://{}; ", server.address());
        let _ = shell.enter(&(here.clone() + "orgmem doctor")).await.well();
        let claims = "cut -d. -f2 .local/share/orgmem/admin.token | tr -- -_ +/ | base64 -d 2>/dev/null";
        let revoked = format!("orgmem token revoke $({claims} | sed 's/.*\"jti\":\"\\([^\"]*\\)\".*/\\1/')");
        let _ = shell.enter(&(here.clone() + &revoked)).await.well();
        let said = shell.enter(&(here.clone() + "orgmem doctor")).await;
        assert!(said.out.contains("✘ admin token  the token was revoked"), "{said:#?}");
        let said = shell.enter(&(here + "orgmem workspace list")).await;
        assert!(said.err.contains("the next start of the server"), "{said:#?}");
        server.stop().await;
        let again = Program::spawn(started(&shell), "listens on http://").await;
        let here = format!("export ORGMEM_URL=http://{}; ", again.address());
        let _ = shell.enter(&(here + "orgmem doctor")).await.well();
        again.stop().await;
    });
}

/// `orgmem serve`, typed into this shell.
fn started(shell: &Shell) -> tokio::process::Command {
    let mut command = shell.command("orgmem");
    command.arg("serve");
    command
}

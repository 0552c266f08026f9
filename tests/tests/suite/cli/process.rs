//! Start and end of the server process.

use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use orgmem_tests::{On, Program, Shell, TestApp, for_each_store, run};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

for_each_store!(sigterm_finishes_accepted_requests);

/// A request whose body arrives during the signal is completed and stored.
async fn sigterm_finishes_accepted_requests(on: On) {
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
    // `100 Continue` shows that the server has accepted the request
    assert_eq!(response(&mut line).await.lines().next(), Some("HTTP/1.1 100 Continue"));
    line.write_all(first.as_bytes()).await.expect("half of the body is taken");
    app.program().terminate().await;
    while TcpStream::connect(&address).await.is_ok() {
        // after the signal it accepts no connection
        tokio::task::yield_now().await;
    }
    line.write_all(rest.as_bytes()).await.expect("the other half is taken");
    let answered = response(&mut line).await;
    assert_eq!(answered.lines().next(), Some("HTTP/1.1 201 Created"), "{answered}");
    app.wait_for_exit().await;
    app.restart().await;
    let found = app.agent(bot).search(bot, &[("q", "accepted")]).await.items();
    assert_eq!(found.len(), 1, "{found:?}");
}

async fn response(line: &mut TcpStream) -> String {
    let mut read = Vec::new();
    while !read.ends_with(b"\r\n\r\n") {
        read.push(line.read_u8().await.expect("a response is on its way"));
    }
    String::from_utf8(read).expect("a head is text")
}

#[test]
fn second_server_on_same_data_folder_is_refused() {
    run(async {
        let app = TestApp::builder(On::Sqlite).as_program().start().await;
        let bot = app.plant("acme\n  bot").await.id("bot");
        let folder = app.folder().display();
        let second = Shell::new().enter(&format!("orgmem serve --listen 127.0.0.1:0 --data-dir {folder}")).await;
        assert_eq!(second.code, Some(4), "{second:#?}");
        let message =
            format!("error: another server uses `{folder}/orgmem.lock`; stop it, or name another data folder\n");
        assert_eq!(second.err, message);
        app.agent(bot).commit(bot, "LOCAL", "the first goes on").await;
    });
}

#[test]
fn taken_port_is_reported() {
    run(async {
        let app = TestApp::builder(On::Sqlite).as_program().start().await;
        let taken = app.address().trim_start_matches("http://");
        let output = Shell::new().enter(&format!("orgmem serve --listen {taken}")).await;
        assert_eq!(output.code, Some(4), "{output:#?}");
        let message = output.err.lines().last().unwrap_or_default();
        assert!(message.starts_with(&format!("error: cannot listen on `{taken}`: ")), "{output:#?}");
        assert!(message.ends_with("stop the other process, or set `listen` to another address"), "{output:#?}");
    });
}

/// `orgmem serve` without flags and settings, except a free port.
#[test]
fn first_start_creates_private_folder_and_token_and_prints_their_paths() {
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
        let made = shell.enter(&(here(&first) + "orgmem workspace create Acme && orgmem doctor")).await.success();
        assert!(!made.out.contains(token.trim()) && !made.err.contains(token.trim()), "{made:#?}");
        let taken = shell.enter("orgmem serve").await;
        assert_eq!(taken.code, Some(4), "{taken:#?}");
        first.stop().await;
        // the second start creates nothing
        let second = start().await;
        assert_eq!(std::fs::read_to_string(folder.join("admin.token")).expect("a token"), token);
        let listed = shell.enter(&(here(&second) + "orgmem workspace list")).await.success();
        assert!(listed.out.contains("Acme"), "{listed:#?}");
        second.stop().await;
    });
}

/// As in `orgmem serve | head -1`, or with the output on a full disk.
#[test]
fn start_succeeds_without_a_reader_of_its_output() {
    run(async {
        let shell = Shell::new().with("ORGMEM_LISTEN", "127.0.0.1:0");
        let full = std::fs::File::options().write(true).open("/dev/full").expect("there is one");
        let mut command = shell.command("orgmem");
        let mut server = command.arg("serve").stdout(full).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut log = BufReader::new(server.stderr.take().expect("its log is piped")).lines();
        // the last file that a first start writes, after its output
        while !log.next_line().await.expect("text").expect("it goes on").contains("migrated") {}
        let address_file = shell.home().join(".local/share/orgmem/server.address");
        let address = std::fs::read_to_string(address_file).expect("the address is written");
        let _ = shell.enter(&format!("orgmem health --url http://{}", address.trim())).await.success();
        server.kill().await.expect("it runs");
    });
}

#[test]
fn files_are_private_in_a_public_folder() {
    run(async {
        let shell = Shell::new().with("ORGMEM_LISTEN", "127.0.0.1:0").with("ORGMEM_DATA_DIR", "data");
        let _ = shell.enter("mkdir -m 755 data").await.success();
        let server = Program::spawn(started(&shell), "listens on http://").await;
        let here = format!("export ORGMEM_URL=http://{}; ", server.address());
        let _ =
            shell.enter(&(here + "orgmem workspace create Acme && orgmem commit -w Acme remembered")).await.success();
        let output = shell.enter("ls data && find data -type f -perm /077").await.success();
        assert!(output.out.contains("orgmem.db-wal"), "{output:#?}");
        assert!(!output.out.contains("data/"), "these can be read by others: {output:#?}");
        server.stop().await;
    });
}

#[test]
fn links_of_server_on_all_interfaces_are_reachable() {
    run(async {
        let shell = Shell::new().with("ORGMEM_LISTEN", "0.0.0.0:0");
        let server = Program::spawn(started(&shell), "interface    http://").await;
        let port = server.address().port();
        assert_eq!(server.address().to_string(), format!("127.0.0.1:{port}"));
        let console = format!("  console      http://127.0.0.1:{port}/console/#code=");
        assert!(server.startup_output().contains(&console), "{}", server.startup_output());
        server.stop().await;
    });
}

/// A program of another user may listen on another port.
#[test]
fn admin_token_is_sent_only_to_the_server_of_its_folder() {
    run(async {
        let shell = Shell::new().with("ORGMEM_LISTEN", "127.0.0.1:0");
        let server = Program::spawn(started(&shell), "listens on http://").await;
        let other = TestApp::builder(On::Sqlite).as_program().start().await;
        let at = async |address: &str| shell.enter(&format!("ORGMEM_URL={address} orgmem workspace list")).await;
        let _ = at(&format!("http://{}", server.address())).await.success();
        let _ = at(&format!("http://localhost:{}", server.address().port())).await.success();
        let output = at(other.address()).await;
        assert_eq!(output.code, Some(1), "{output:#?}");
        assert!(output.err.starts_with("error: a token is required"), "{output:#?}");
        server.stop().await;
    });
}

#[test]
fn doctor_reports_revoked_admin_token() {
    run(async {
        let shell = Shell::new().with("ORGMEM_LISTEN", "127.0.0.1:0");
        let server = Program::spawn(started(&shell), "listens on http://").await;
        let here = format!("export ORGMEM_URL=http://{}; ", server.address());
        let _ = shell.enter(&(here.clone() + "orgmem doctor")).await.success();
        let claims = "cut -d. -f2 .local/share/orgmem/admin.token | tr -- -_ +/ | base64 -d 2>/dev/null";
        let revoked = format!("orgmem token revoke $({claims} | sed 's/.*\"jti\":\"\\([^\"]*\\)\".*/\\1/')");
        let _ = shell.enter(&(here.clone() + &revoked)).await.success();
        let output = shell.enter(&(here.clone() + "orgmem doctor")).await;
        assert!(output.out.contains("✘ admin token  the token was revoked"), "{output:#?}");
        let output = shell.enter(&(here + "orgmem workspace list")).await;
        assert!(output.err.contains("restart the server with this data folder"), "{output:#?}");
        server.stop().await;
        let again = Program::spawn(started(&shell), "listens on http://").await;
        let here = format!("export ORGMEM_URL=http://{}; ", again.address());
        let _ = shell.enter(&(here + "orgmem doctor")).await.success();
        again.stop().await;
    });
}

fn started(shell: &Shell) -> tokio::process::Command {
    let mut command = shell.command("orgmem");
    command.arg("serve");
    command
}

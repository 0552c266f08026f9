use std::ffi::OsString;
use std::fs;
use std::time::Duration;

use secrecy::ExposeSecret;

use super::layers::{DEFAULTS, variable_of};
use super::*;

const DATA_DIR: (&str, &str) = ("ORGMEM_DATA_DIR", "/srv/data");

fn sources(variables: &[(&str, &str)]) -> Sources {
    let mut sources = Sources::empty("/nowhere");
    sources.variables = variables.iter().map(|(name, value)| (name.into(), value.into())).collect();
    sources
}

pub(super) fn load(variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    Config::load(&sources(&[variables, &[DATA_DIR]].concat()))
}

/// Loads a settings file with this text.
pub(super) fn load_file(text: &str) -> Result<Config, String> {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("orgmem.toml"), text).expect("a file");
    let sources =
        Sources { folder: folder.path().to_owned(), ..sources(&[("HOME", "/home/ada"), ("APPDATA", "/data")]) };
    Config::load(&sources).map_err(|error| error.to_string().replace(&*folder.path().to_string_lossy(), "."))
}

/// Checks that a variable stops the start with this line.
#[track_caller]
fn check(variable: &str, value: &str, line: &str) {
    assert_eq!(load(&[(variable, value)]).expect_err("the start must stop").to_string(), line);
}

/// Checks that a settings file stops the start with this line.
#[track_caller]
pub(super) fn check_file(text: &str, line: &str) {
    assert_eq!(load_file(text).expect_err("the start must stop"), line);
}

#[test]
fn defaults_come_from_the_default_file() {
    let settings = load(&[]).expect("the defaults are right").settings;
    assert_eq!(settings.listen.to_string(), "127.0.0.1:7070");
    assert!(settings.database_url.is_none() && settings.workers.is_none() && settings.jwt.secret.is_none());
    assert_eq!(settings.limits.content, orgmem_policies::DraftLimits::default());
    assert_eq!(settings.limits.tree, orgmem_hierarchy::TreeLimits::default());
    assert_eq!(settings.jwt.agent_lifetime, Duration::from_secs(24 * 60 * 60));
    assert_eq!(settings.jwt.max_lifetime, Duration::from_secs(365 * 24 * 60 * 60));
}

#[test]
fn later_source_overrides_earlier_one() {
    #[track_caller]
    fn check(sources: &Sources, listen: &str, origin: &str) {
        let config = Config::load(sources).expect("right");
        assert_eq!(config.settings.listen.to_string(), listen);
        let shown = config.origin("listen").map(ToString::to_string).expect("a setting");
        assert_eq!(shown.replace(&*sources.folder.to_string_lossy(), "."), origin);
    }

    let folder = tempfile::tempdir().expect("a folder");
    let mut sources = Sources { folder: folder.path().to_owned(), ..sources(&[DATA_DIR]) };
    check(&sources, "127.0.0.1:7070", "default");
    fs::write(folder.path().join("orgmem.toml"), "# mine\n\nlisten = \"127.0.0.1:1\"\n").expect("a file");
    check(&sources, "127.0.0.1:1", "./orgmem.toml, line 3");
    sources.variables.push(("ORGMEM_LISTEN".into(), "127.0.0.1:2".into()));
    check(&sources, "127.0.0.1:2", "ORGMEM_LISTEN");
    sources.flags.push(FlagValue { flag: "--listen", setting: "listen", value: "localhost:3".into() });
    check(&sources, "127.0.0.1:3", "--listen");
}

#[test]
fn named_file_replaces_the_one_in_the_folder_and_must_exist() {
    let folder = tempfile::tempdir().expect("a folder");
    let named = folder.path().join("named.toml");
    fs::write(folder.path().join("orgmem.toml"), "workers = 1").expect("a file");
    fs::write(&named, "workers = 2").expect("a file");
    let mut sources = Sources { folder: folder.path().to_owned(), ..sources(&[DATA_DIR]) };
    sources.variables.push(("ORGMEM_CONFIG".into(), named.into()));
    assert_eq!(Config::load(&sources).expect("right").settings.workers, Some(2));
    sources.file = Some("/nowhere/orgmem.toml".into());
    let error = Config::load(&sources).expect_err("there is no such file");
    assert_eq!(
        error.to_string(),
        "cannot read the settings file `/nowhere/orgmem.toml`: No such file or directory (os error 2)"
    );
}

#[test]
fn alternative_variables_are_read() {
    let secret = "s".repeat(32);
    let config = load(&[
        ("DATABASE_URL", "postgres://orgmem@db/orgmem"),
        ("ORGMEM_JWT_SECRET", &secret),
        ("ORGMEM_JWKS", "https://idp.example.org/jwks.json"),
        ("ORGMEM_LOG", "debug"),
    ])
    .expect("right");
    let settings = &config.settings;
    assert_eq!(settings.data_dir.to_str(), Some("/srv/data"));
    assert_eq!(settings.database_url.as_ref().map(|url| url.expose_secret()), Some("postgres://orgmem@db/orgmem"));
    assert_eq!(settings.jwt.secret.as_ref().map(|secret| secret.expose_secret().len()), Some(32));
    assert_eq!(settings.jwt.jwks, Some(Jwks::Address("https://idp.example.org/jwks.json".into())));
    assert_eq!(settings.logging.filter, "debug");
}

#[test]
fn regular_variable_takes_precedence_over_database_url() {
    let config = load(&[("ORGMEM_DATABASE_URL", "postgres://ours/a"), ("DATABASE_URL", "postgres://any/b")]);
    let url = config.expect("right").settings.database_url.expect("set");
    assert_eq!(url.expose_secret(), "postgres://ours/a");
}

#[test]
fn framers_are_normalized_like_in_browsers() {
    let framers = "https://App.Example.org:443, http://localhost:3000,http://10.0.0.5:80";
    let settings = load(&[("ORGMEM_CONSOLE_FRAMERS", framers)]).expect("right").settings;
    assert_eq!(settings.console.framers, ["https://app.example.org", "http://localhost:3000", "http://10.0.0.5"]);
    assert_eq!(load(&[]).expect("right").settings.console.framers, [""; 0]);
}

#[test]
fn empty_variable_counts_as_absent() {
    let config = load(&[("ORGMEM_LISTEN", ""), ("ORGMEM_EMBEDDER", ""), ("ORGMEM_NONSENSE", "")]).expect("right");
    assert_eq!(config.origin("listen"), Some(&SettingOrigin::Default));
}

#[test]
fn kubernetes_service_links_are_ignored() {
    let links = [
        ("ORGMEM_SERVICE_HOST", "10.0.0.5"),
        ("ORGMEM_SERVICE_PORT", "7070"),
        ("ORGMEM_SERVICE_PORT_HTTP", "7070"),
        ("ORGMEM_PORT", "tcp://10.0.0.5:7070"),
        ("ORGMEM_PORT_7070_TCP", "tcp://10.0.0.5:7070"),
        ("ORGMEM_PORT_7070_TCP_PROTO", "tcp"),
        ("ORGMEM_PORT_7070_TCP_PORT", "7070"),
        ("ORGMEM_PORT_7070_TCP_ADDR", "10.0.0.5"),
    ];
    assert_eq!(load(&links).expect("right").origin("listen"), Some(&SettingOrigin::Default));
    for (name, value) in [("ORGMEM_PORT", "8080"), ("ORGMEM_PORT_HTTP", "80"), ("ORGMEM_SERVICE_HOSTS", "x")] {
        let error = load(&[(name, value)]).expect_err("no such setting").to_string();
        assert!(error.starts_with(&format!("`{name}` is not a setting")), "{error}");
    }
}

#[test]
fn lists_are_separated_by_commas_in_the_environment() {
    let config = load(&[("ORGMEM_ACTIVITY_TYPES", "deploy, rollback")]).expect("right");
    assert_eq!(config.settings.episode_types, ["deploy", "rollback"]);
    let config = load_file("[activity]\ntypes = [\"deploy\", \"rollback\"]").expect("right");
    assert_eq!(config.settings.episode_types, ["deploy", "rollback"]);
}

#[test]
fn invalid_variable_is_refused_in_one_line() {
    check(
        "ORGMEM_LISTEN",
        "7070",
        "`listen` (ORGMEM_LISTEN) must be an address and a port such as `127.0.0.1:7070`, not `7070`",
    );
    check("ORGMEM_LISTEM", "127.0.0.1:1", "`ORGMEM_LISTEM` is not a setting; the nearest is `ORGMEM_LISTEN`");
    check("ORGMEM_WORKERS", "many", "`workers` (ORGMEM_WORKERS) must be a whole number from 0 to 1024, not `many`");
    check(
        "ORGMEM_LIMITS_BODY_BYTES",
        "1",
        "`limits.body_bytes` (ORGMEM_LIMITS_BODY_BYTES) must be a whole number from 1024 to 1073741824, not `1`",
    );
    check(
        "ORGMEM_LIMITS_CONTENT_BYTES",
        "9999999999",
        "`limits.content_bytes` (ORGMEM_LIMITS_CONTENT_BYTES) must be a whole number from 1 to 2097152, not `9999999999`",
    );
    check(
        "ORGMEM_LOG",
        "info,orgmem=loud",
        "`log` (ORGMEM_LOG) must be a level such as `info`, or levels by module such as `info,orgmem::http=debug`, not `info,orgmem=loud`",
    );
    check(
        "ORGMEM_LOG",
        "inof",
        "`log` (ORGMEM_LOG) must be a level such as `info`, or levels by module such as `info,orgmem::http=debug`, not `inof`",
    );
    check("ORGMEM_LOG_FORMAT", "xml", "`log_format` (ORGMEM_LOG_FORMAT) must be `text` or `json`, not `xml`");
    check(
        "ORGMEM_OTLP_ENDPOINT",
        "collector",
        "`otlp_endpoint` (ORGMEM_OTLP_ENDPOINT) must be an http(s) address without a password, such as `http://127.0.0.1:4318`, not `collector`",
    );
    check(
        "ORGMEM_JWKS",
        "ftp://idp/keys",
        "`jwt.jwks` (ORGMEM_JWKS) must be a path, or an http(s) address without a password, not `ftp://idp/keys`",
    );
    check("ORGMEM_JWT_ISSUER", " ", "`jwt.issuer` (ORGMEM_JWT_ISSUER) must be text that is not blank, not ` `");
    check(
        "ORGMEM_JWT_MAX_LIFETIME_SECONDS",
        "99999999999",
        "`jwt.max_lifetime_seconds` (ORGMEM_JWT_MAX_LIFETIME_SECONDS) must be a whole number from 60 to 31536000, not `99999999999`",
    );
    check(
        "ORGMEM_MCP_ALLOWED_HOSTS",
        "memory.example.org, https://x",
        "`mcp.allowed_hosts` (ORGMEM_MCP_ALLOWED_HOSTS) must be a list, each a host, with its port or without, such as `memory.example.org`, not `memory.example.org, https://x`",
    );
    check(
        "ORGMEM_MCP_ALLOWED_ORIGINS",
        "https://app.example.org/",
        "`mcp.allowed_origins` (ORGMEM_MCP_ALLOWED_ORIGINS) must be a list, each an origin without a path, such as `https://app.example.org`, not `https://app.example.org/`",
    );
    for not_an_origin in ["*", "https://*.example.org", "https://app.example.org/", "https://a.example; script-src *"] {
        check(
            "ORGMEM_CONSOLE_FRAMERS",
            not_an_origin,
            &format!(
                "`console.framers` (ORGMEM_CONSOLE_FRAMERS) must be a list, each an http(s) origin as browsers name it, without a path, such as `https://app.example.org`, not `{not_an_origin}`"
            ),
        );
    }
    check(
        "ORGMEM_ACTIVITY_TYPES",
        "Deploy",
        "`activity.types` (ORGMEM_ACTIVITY_TYPES) must be a list, each lower-case letters, digits and `_`, a letter first, at most 50, not `Deploy`",
    );
    check(
        "ORGMEM_EMBEDDER",
        "hub:../secrets",
        "`embedder` (ORGMEM_EMBEDDER) must be the folder of a model, `hub:` and its name such as `hub:sentence-transformers/all-MiniLM-L6-v2`, or the http(s) address of an endpoint without a password, not `hub:../secrets`",
    );
    for not_a_reranker in ["hub:cross-encoder/ms-marco-MiniLM-L6-v2", "https://me:secret@rerank.example/v1"] {
        let shown = not_a_reranker.replace("secret", "****");
        check(
            "ORGMEM_RERANKER",
            not_a_reranker,
            &format!(
                "`reranker` (ORGMEM_RERANKER) must be the folder of a cross-encoder, or the http(s) address of an endpoint without a password, not `{shown}`"
            ),
        );
    }
    check(
        "ORGMEM_RERANKING_TIMEOUT_MS",
        "0",
        "`reranking.timeout_ms` (ORGMEM_RERANKING_TIMEOUT_MS) must be a whole number from 10 to 10000, not `0`",
    );
    check(
        "ORGMEM_PLUGIN_LISTEN",
        "0.0.0.0:9100",
        "`plugin.listen` (ORGMEM_PLUGIN_LISTEN) must be a loopback address and a port such as `127.0.0.1:9100`; with `plugin.allow_remote = \"yes\"` any address, not `0.0.0.0:9100`",
    );
}

#[test]
fn invalid_file_is_refused_with_the_line() {
    check_file(
        "listen = 7070",
        "`listen` (./orgmem.toml, line 1) must be an address and a port such as `127.0.0.1:7070`, not `7070`",
    );
    check_file(
        "\n[limits]\nbody_byte = 5000",
        "`limits.body_byte` (./orgmem.toml, line 3) is not a setting; the nearest is `limits.body_bytes`",
    );
    check_file(
        "[limits]\nbody_bytes = \"5000\"",
        "`limits.body_bytes` (./orgmem.toml, line 2) must be a whole number from 1024 to 1073741824, not `\"5000\"`",
    );
    check_file("workers = 2.5", "`workers` (./orgmem.toml, line 1) must be a whole number from 0 to 1024, not `2.5`");
    check_file("limits = 5", "`limits` (./orgmem.toml, line 1) is not a setting; the nearest is `listen`");
    check_file(
        "[jwt]\npublic_keys = [\"a.pem\",\n  3]",
        "`jwt.public_keys` (./orgmem.toml, line 2) must be a list, each a path, not `[\"a.pem\", 3]`",
    );
    check_file("listen = \"127.0.0.1:1\"\nlisten = \"127.0.0.1:2\"", "./orgmem.toml, line 2: duplicate key");
    check_file("listen 7070", "./orgmem.toml, line 1: key with no value, expected `=`");
}

#[test]
fn plugin_listens_beyond_loopback_only_where_that_is_meant() {
    assert_eq!(load(&[]).expect("right").settings.plugin.listen, None);
    let listen = |variables: &[(&str, &str)]| load(variables).expect("right").settings.plugin.listen;
    let shown = |address: Option<std::net::SocketAddr>| address.map(|address| address.to_string());
    assert_eq!(shown(listen(&[("ORGMEM_PLUGIN_LISTEN", "[::1]:9100")])).as_deref(), Some("[::1]:9100"));
    let meant = [("ORGMEM_PLUGIN_LISTEN", "0.0.0.0:9100"), ("ORGMEM_PLUGIN_ALLOW_REMOTE", "yes")];
    assert_eq!(shown(listen(&meant)).as_deref(), Some("0.0.0.0:9100"));
}

#[test]
fn invalid_secret_is_masked() {
    check(
        "ORGMEM_JWT_SECRET",
        "hunter2",
        "`jwt.secret` (ORGMEM_JWT_SECRET) must be at least 32 bytes long, not `****`",
    );
    check(
        "DATABASE_URL",
        "mysql://root:hunter2@db/orgmem",
        "`database_url` (DATABASE_URL) must be an address such as `postgres://user:password@host/database`, not `mysql://root:****@db/orgmem`",
    );
    check(
        "ORGMEM_JWKS",
        "https://user:hunter2@idp.example.org/keys",
        "`jwt.jwks` (ORGMEM_JWKS) must be a path, or an http(s) address without a password, not `https://user:****@idp.example.org/keys`",
    );
    check(
        "DATABASE_URL",
        "host=db password=hunter2 user=orgmem",
        "`database_url` (DATABASE_URL) must be an address such as `postgres://user:password@host/database`, not `host=db password=**** user=orgmem`",
    );
}

#[test]
fn show_masks_secrets() {
    let secret = "hunter2-".repeat(4);
    let config = load(&[
        ("DATABASE_URL", "postgres://orgmem:hunter2@db:5432/orgmem?sslpassword=hunter2&password=hunter2"),
        ("ORGMEM_JWT_SECRET", &secret),
        ("ORGMEM_RERANKING_KEY", &secret),
    ])
    .expect("right");
    let shown: Vec<_> = config.show().into_iter().filter(|line| line.origin != "default").collect();
    let lines: Vec<_> =
        shown.iter().map(|line| format!("{} = {} ({})", line.setting, line.value, line.origin)).collect();
    assert_eq!(
        lines,
        [
            "data_dir = /srv/data (ORGMEM_DATA_DIR)",
            "database_url = postgres://orgmem:****@db:5432/orgmem?sslpassword=****&password=**** (DATABASE_URL)",
            "jwt.secret = **** (ORGMEM_JWT_SECRET)",
            "reranking.key = **** (ORGMEM_RERANKING_KEY)",
        ]
    );
    assert!(!format!("{config:?} {:?}", config.settings).contains("hunter2"));
}

#[test]
fn data_folder_defaults_to_the_platforms() {
    #[track_caller]
    fn check(variables: &[(&str, &str)], folder: Option<&str>) {
        let config = Config::load(&sources(variables)).ok();
        let found = config.map(|config| config.settings.data_dir.to_string_lossy().into_owned());
        assert_eq!(found.as_deref(), folder);
    }

    check(&[("ORGMEM_DATA_DIR", "here"), ("HOME", "/home/ada")], Some("here"));
    if cfg!(target_os = "linux") {
        check(&[("HOME", "/home/ada")], Some("/home/ada/.local/share/orgmem"));
        check(&[("HOME", "/home/ada"), ("XDG_DATA_HOME", "/data")], Some("/data/orgmem"));
        check(&[("HOME", "/home/ada"), ("XDG_DATA_HOME", "relative")], Some("/home/ada/.local/share/orgmem"));
    }
    check(&[], None);
}

#[test]
fn every_setting_is_validated() {
    for setting in load(&[]).expect("right").show().into_iter().map(|line| line.setting) {
        let table = setting.rsplit_once('.').map_or(String::new(), |(table, _)| format!("[{table}]\n"));
        let key = setting.rsplit('.').next().expect("a name");
        let text = load_file(&format!("{table}{key} = 1979-05-27")).expect_err("no setting is a date");
        assert!(text.starts_with(&format!("`{setting}` (./orgmem.toml, line ")) && text.contains("must be"), "{text}");
    }
}

#[test]
fn every_default_has_a_comment() {
    let mut explained = false;
    for line in DEFAULTS.lines() {
        match line.split_once(" = ") {
            Some(_) if !line.starts_with('#') => assert!(explained, "no comment before {line}"),
            _ => explained = line.starts_with('#') || (explained && !line.is_empty()),
        }
    }
}

#[test]
fn value_that_is_not_utf8_is_refused() {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        let mut sources = sources(&[DATA_DIR]);
        sources.variables.push((variable_of("log").into(), OsString::from_vec(vec![0xff])));
        let error = Config::load(&sources).expect_err("not UTF-8");
        assert_eq!(error.to_string(), "`log` (ORGMEM_LOG) must be UTF-8, not other bytes");
    }
}

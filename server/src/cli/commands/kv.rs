use chrono::{DateTime, Utc};
use clap::{Args, Subcommand};
use orgmem_types::{Entry, ListEntries, PutEntry};
use serde_json::Value;

use super::commit::redaction_lines;
use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::paging::first_rows;
use crate::cli::print::{Align, Paint, Table, ago, json, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;
use crate::cli::{forms, input};
use crate::client::ClientError;

/// The server's maximum page size.
const PAGE: usize = 200;
/// Characters of a value that a list shows.
const SHOWN: usize = 60;

/// Read and write the key/value state of a workspace
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Kv {
    #[command(subcommand)]
    verb: KvCommand,
}

#[derive(Subcommand, Debug)]
enum KvCommand {
    /// Print the value of a key as JSON
    Get {
        /// Name of the key
        key: String,
        #[command(flatten)]
        acting: Acting,
        /// Print the whole entry, with its version and times
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        server: Server,
    },
    /// Set a key
    Set {
        /// Name of the key
        key: String,
        /// JSON, or text that does not look like JSON; `-` reads it from standard input
        #[arg(allow_hyphen_values = true)]
        value: String,
        /// Store the value as text, even if it looks like JSON
        #[arg(long)]
        text: bool,
        /// Expire it after this time: 90s, 15m, 12h, 7d
        #[arg(long, value_name = "SPAN", value_parser = forms::seconds, allow_hyphen_values = true)]
        ttl: Option<i64>,
        /// Only if the key has this version; 0: only if it does not exist
        #[arg(long, value_name = "VERSION")]
        if_version: Option<i64>,
        /// Id of the end user that it is about
        #[arg(long)]
        subject: Option<String>,
        #[command(flatten)]
        acting: Acting,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
    /// List keys
    List {
        /// Only keys with this prefix
        prefix: Option<String>,
        /// Maximum number of keys
        #[arg(short, long, default_value_t = 200, value_parser = forms::limit)]
        limit: usize,
        #[command(flatten)]
        acting: Acting,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
    /// Delete a key
    Delete {
        /// Name of the key
        key: String,
        #[command(flatten)]
        acting: Acting,
        #[command(flatten)]
        server: Server,
    },
}

impl Kv {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            KvCommand::Get { key, acting, json: whole, server } => {
                let remote = server.connect(local)?;
                let entry = remote.client.read_entry(remote.acting(&acting).await?, &key).await?;
                terminal.print(&if whole { json(&entry) } else { json(&entry.value) })
            }
            KvCommand::Set { key, value, text, ttl, if_version, subject, acting, format, server } => {
                let key = addressable(key)?;
                let value = value_of(input::text(value, std::io::stdin().lock())?, text)?;
                let remote = server.connect(local)?;
                let workspace = remote.acting(&acting).await?;
                let entry = PutEntry { key, value, ttl_seconds: ttl, if_match_version: if_version, subject };
                let put = remote.client.put_entry(workspace, &entry, None, None, None).await?;
                format.print(terminal, &put, |put, _| {
                    format!("{} is at version {}\n{}", line(&put.key), put.version, redaction_lines(&put.redactions))
                })
            }
            KvCommand::List { prefix, limit, acting, format, server } => {
                let remote = server.connect(local)?;
                let workspace = remote.acting(&acting).await?;
                let listed = first_rows(limit, PAGE, async |limit, cursor| {
                    let query = ListEntries { prefix: prefix.clone(), limit: Some(limit), cursor };
                    remote.client.list_entries(workspace, &query).await
                })
                .await?;
                listed.print(terminal, format, "no keys", |entries, paint| render(entries, terminal.now, paint))
            }
            KvCommand::Delete { key, acting, server } => {
                let remote = server.connect(local)?;
                remote.client.drop_entry(remote.acting(&acting).await?, &key, None).await?;
                terminal.print(&format!("deleted {}\n", line(&key)))
            }
        }
    }
}

/// Refuses the keys that no URL can contain: `kv get` and `kv delete` could not name them.
fn addressable(key: String) -> Result<String, ClientError> {
    if matches!(key.as_str(), "." | "..") { Err(ClientError::Unaddressable(key)) } else { Ok(key) }
}

fn value_of(argument: String, is_text: bool) -> Result<Value, CliError> {
    if is_text { Ok(Value::String(argument)) } else { input::json(&argument).map_err(CliError::Usage) }
}

fn render(entries: &[Entry], now: DateTime<Utc>, paint: Paint) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let columns = [
        ("key", Align::Left),
        ("version", Align::Right),
        ("updated", Align::Left),
        ("expires", Align::Left),
        ("value", Align::Left),
    ];
    let mut table = Table::new(&columns);
    for entry in entries {
        table.row([
            line(&entry.key),
            entry.version.to_string(),
            ago(entry.updated_at, now),
            entry.expires_at.map(|then| ago(then, now)).unwrap_or_default(),
            shortened(&line(&entry.value.to_string())),
        ]);
    }
    table.render(paint)
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::cli::samples;

    #[test]
    fn key_that_is_invalid_in_a_url_is_not_set() {
        for key in [".", ".."] {
            assert!(matches!(addressable(key.to_owned()), Err(ClientError::Unaddressable(_))), "{key}");
        }
        assert!(addressable("a/b".to_owned()).is_ok());
    }

    #[test]
    fn keys_are_listed_with_shortened_values() {
        let entry = |key: &str, value: Value| Entry {
            key: key.into(),
            value: value.into(),
            version: 3,
            expires_at: (key == "b").then(|| samples::now() + chrono::TimeDelta::hours(2)),
            subject: None,
            updated_at: samples::now(),
        };
        let entries = [entry("a", json!({"x": 1})), entry("b", json!("é".repeat(100)))];
        let lines = [
            "key  version  updated   expires  value".to_owned(),
            "a          3  just now           {\"x\":1}".to_owned(),
            format!("b          3  just now  in 2h    \"{}…", "é".repeat(59)),
        ];
        assert_eq!(render(&entries, samples::now(), Paint::none()).lines().collect::<Vec<_>>(), lines);
    }
}

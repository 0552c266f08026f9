use std::io::Read;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use orgmem_types::{ImportQuery, ImportResponse, ImportTemplate, ListErasures, OrgMatches, SearchOrgs};

use super::commit::redaction_lines;
use super::{erase, search};
use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::paging::first_rows;
use crate::cli::print::{Paint, line};
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;
use crate::client::Document;

/// The server's maximum number of orgs in a page of a search.
const PAGE: usize = 20;

/// Import and search whole orgs, and list what was erased
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Org {
    #[command(subcommand)]
    verb: OrgCommand,
}

#[derive(Subcommand, Debug)]
enum OrgCommand {
    /// Create or complete an org from a document, all or nothing; a repeated import adds nothing twice
    Import {
        /// YAML or JSON document; `-` reads it from standard input
        file: PathBuf,
        /// Import nothing; show the outcome
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
    /// Create an org from a template of the older platform, or from one in the server's folder of templates
    ImportTemplate {
        /// YAML or JSON document; `-` reads it from standard input
        #[arg(required_unless_present = "name", conflicts_with = "name")]
        file: Option<PathBuf>,
        /// Name of a template in the folder of the setting `templates_dir`
        #[arg(long)]
        name: Option<String>,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
    /// Search the memories of all workspaces that you may read, org by org
    Search {
        /// Question or words; without it the newest memories, pinned ones first
        query: Option<String>,
        /// Maximum number of results in each org, at most 20
        #[arg(short, long, default_value_t = 5, value_name = "COUNT")]
        limit: u64,
        /// Maximum number of orgs
        #[arg(long, default_value_t = 20, value_parser = forms::limit, value_name = "COUNT")]
        orgs: usize,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
    /// List the receipts of erasures in an org, newest first
    Erasures {
        /// Root of the org: its id or name
        org: String,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        server: Server,
    },
}

impl Org {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            OrgCommand::Import { file, dry_run, format, server } => {
                let document = read(&file)?;
                let remote = server.connect(local)?;
                let query = ImportQuery { dry_run, ungated: false };
                let response = remote.client.import_org(&query, Document::File(document), None).await?;
                format.print(terminal, &response, |response, _| render(response))
            }
            OrgCommand::ImportTemplate { file, name, format, server } => {
                let named = ImportTemplate { dir: name, template: None };
                let document = match &file {
                    Some(file) => Document::File(read(file)?),
                    None => Document::Value(&named),
                };
                let response = server.connect(local)?.client.import_template(document, None).await?;
                format.print(terminal, &response, |response, _| render(response))
            }
            OrgCommand::Search { query, limit, orgs, format, server } => {
                let remote = server.connect(local)?;
                let found = first_rows(orgs, PAGE, async |_, cursor| {
                    let request = SearchOrgs { q: query.clone(), limit: Some(limit), cursor };
                    remote.client.search_orgs(&request).await
                })
                .await?;
                found.print_blocks(terminal, format, "no matching memories that you may read", |org, paint| {
                    render_matches(org, terminal, paint)
                })
            }
            OrgCommand::Erasures { org, format, server } => {
                let remote = server.connect(local)?;
                let org_id = remote.workspace(&org).await?;
                let receipts = remote.client.list_erasures(&ListErasures { org_id }).await?;
                format.print(terminal, &receipts, |receipts, _| {
                    receipts.iter().map(|receipt| erase::render(receipt, false)).collect()
                })?;
                if receipts.is_empty() {
                    terminal.note("no erasures");
                }
                Ok(())
            }
        }
    }
}

pub(super) fn read(file: &PathBuf) -> Result<Vec<u8>, CliError> {
    let mut document = Vec::new();
    let read = match file.as_os_str() == "-" {
        true => std::io::stdin().lock().read_to_end(&mut document).map(|_| document),
        false => std::fs::read(file),
    };
    read.map_err(|error| CliError::Io { action: format!("read {}", file.display()), error })
}

fn render_matches(org: &OrgMatches, terminal: &Terminal, paint: Paint) -> String {
    let memories = org.memories.iter().map(|memory| search::render(memory, terminal.now, paint));
    let more = if org.more { "  and more\n" } else { "" };
    let name = paint.strong(&format!("in {}", line(&org.workspace_name)));
    format!("{name}\n{}{more}", memories.collect::<Vec<_>>().join("\n"))
}

/// The number of new and of existing rows, and the id of the org.
fn render(response: &ImportResponse) -> String {
    let verb = if response.dry_run { "would import" } else { "imported" };
    let ImportResponse { workspaces_created, memories_committed, entries_put, episodes_appended, .. } = response;
    let mut text = format!(
        "{verb} {workspaces_created} workspaces, {memories_committed} memories, {entries_put} entries, \
         {episodes_appended} episodes\n"
    );
    if response.workspaces_kept + response.memories_kept > 0 {
        let ImportResponse { workspaces_kept, memories_kept, .. } = response;
        text.push_str(&format!("{workspaces_kept} workspaces and {memories_kept} memories existed already\n"));
    }
    if !response.dry_run {
        text.push_str(&format!("org {}\n", response.org_id));
    }
    text + &redaction_lines(&response.redactions)
}

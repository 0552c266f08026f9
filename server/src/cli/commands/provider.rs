//! Providers: figures, promotion and demotion.

use clap::{Args, Subcommand};
use orgmem_types::{ChangeProvider, ProviderReport, ProviderState, ProviderSurface};

use crate::cli::error::CliError;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::print::{Paint, line};
use crate::cli::remote::Server;
use crate::cli::terminal::Terminal;

/// List, compare, promote and demote providers
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Provider {
    #[command(subcommand)]
    verb: ProviderCommand,
}

#[derive(Subcommand, Debug)]
enum ProviderCommand {
    List(List),
    Report(Report),
    Promote(Promote),
    Demote(Demote),
}

/// List the providers and the state of their surfaces
#[derive(Args, Debug)]
pub(crate) struct List {
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Show the figures of a provider, surface by surface
#[derive(Args, Debug)]
pub(crate) struct Report {
    /// Name of the provider in the settings
    name: String,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Let a provider answer the reads of a surface
#[derive(Args, Debug)]
pub(crate) struct Promote {
    #[command(flatten)]
    change: Change,
}

/// Let the built-in provider answer the reads of a surface again
#[derive(Args, Debug)]
pub(crate) struct Demote {
    #[command(flatten)]
    change: Change,
}

#[derive(Args, Debug)]
struct Change {
    /// Name of the provider in the settings
    name: String,
    /// A channel that it shadows
    surface: String,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Provider {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            ProviderCommand::List(list) => list.run(terminal, local).await,
            ProviderCommand::Report(report) => report.run(terminal, local).await,
            ProviderCommand::Promote(Promote { change }) => {
                let remote = change.server.connect(local)?;
                let request = ChangeProvider { surface: change.surface };
                let changed = remote.client.promote_provider(&change.name, &request).await?;
                change.format.print(terminal, &changed, summary)
            }
            ProviderCommand::Demote(Demote { change }) => {
                let remote = change.server.connect(local)?;
                let request = ChangeProvider { surface: change.surface };
                let changed = remote.client.demote_provider(&change.name, &request).await?;
                change.format.print(terminal, &changed, summary)
            }
        }
    }
}

impl List {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let list = self.server.connect(local)?.client.list_providers().await?;
        self.format.print(terminal, &list, |list, paint| {
            list.providers.iter().map(|provider| block(provider, paint, summary)).collect()
        })
    }
}

impl Report {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let list = self.server.connect(local)?.client.list_providers().await?;
        let known: Vec<String> = list.providers.iter().map(|provider| provider.name.clone()).collect();
        let found = list.providers.into_iter().find(|provider| provider.name == self.name);
        let found = found.ok_or_else(|| {
            CliError::Usage(format!("no provider `{}`; the settings have {}", self.name, known.join(", ")))
        })?;
        self.format.print(terminal, &found, |found, paint| block(found, paint, figures))
    }
}

/// The provider, then its surfaces.
fn block(provider: &ProviderReport, paint: Paint, surface: impl Fn(&ProviderSurface, Paint) -> String) -> String {
    let health = match (&provider.error, &provider.version) {
        (Some(error), _) => format!("does not answer: {}", line(error)),
        (None, version) => format!("version {}", line(version.as_deref().unwrap_or("-"))),
    };
    let waiting = match provider.thresholds {
        None => String::new(),
        Some(_) => format!("  {} waiting, {} dropped", provider.outbox.rows, provider.outbox.dropped),
    };
    let surfaces: String = provider.surfaces.iter().map(|of| format!("  {}", surface(of, paint))).collect();
    format!("{}  {health}{waiting}\n{surfaces}", paint.strong(&line(&provider.name)))
}

fn state(surface: &ProviderSurface) -> &'static str {
    match surface.state {
        ProviderState::Shadow => "shadow",
        ProviderState::Promoted => "promoted",
        ProviderState::Disqualified => "disqualified",
    }
}

fn summary(surface: &ProviderSurface, paint: Paint) -> String {
    let figures = &surface.figures;
    format!(
        "{}  {}  {} compared, agreement {:.3}, error rate {:.3}\n",
        line(&surface.surface),
        paint.strong(state(surface)),
        figures.samples,
        figures.agreement,
        figures.error_rate,
    )
}

fn figures(surface: &ProviderSurface, paint: Paint) -> String {
    let figures = &surface.figures;
    let refusal = match (&surface.refusal, surface.state) {
        (Some(refusal), ProviderState::Shadow) => format!("    not to be promoted: {}\n", line(refusal)),
        _ => String::new(),
    };
    format!(
        "{}    overlap {:.3}, rank agreement {:.3}, {} misses, {} withheld\n    {} calls, {} errors, {} refusals, \
         latency {:.1} ms on average and {:.1} ms at most\n{refusal}",
        summary(surface, paint),
        figures.overlap,
        figures.rank_agreement,
        figures.misses,
        figures.withheld,
        figures.calls,
        figures.errors,
        figures.refusals,
        figures.latency_mean_ms,
        figures.latency_max_ms,
    )
}

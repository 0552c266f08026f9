//! Reviews of stale claims.

use clap::{Args, Subcommand};
use orgmem_types::{DecideReview, ListReviews, Review, ReviewDecision, ReviewStatus};
use uuid::Uuid;

use crate::cli::error::CliError;
use crate::cli::forms;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::paging::first_rows;
use crate::cli::print::{Paint, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;

/// The server's maximum page size.
const PAGE: usize = 200;

/// List and decide differences between claims and records
#[derive(Args, Debug)]
#[command(disable_help_subcommand = true)]
pub(crate) struct Reviews {
    #[command(subcommand)]
    verb: ReviewsCommand,
}

#[derive(Subcommand, Debug)]
enum ReviewsCommand {
    List(List),
    Decide(Decide),
}

/// List the reviews of a workspace, newest first
#[derive(Args, Debug)]
pub(crate) struct List {
    /// Only this state: open, record_wins, memory_was_right or dismissed
    #[arg(long, value_parser = status)]
    status: Option<ReviewStatus>,
    /// Only about this entity
    #[arg(long)]
    entity: Option<String>,
    /// Include the workspaces below
    #[arg(long)]
    subtree: bool,
    /// Maximum number of reviews
    #[arg(short, long, default_value_t = 20, value_parser = forms::limit)]
    limit: usize,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

/// Decide a review: record_wins, memory_was_right or dismissed
#[derive(Args, Debug)]
pub(crate) struct Decide {
    /// Id of the review
    #[arg(value_parser = forms::id)]
    review: Uuid,
    /// The decision
    #[arg(value_parser = decision)]
    decision: ReviewDecision,
    /// One line about the reason
    #[arg(long)]
    note: Option<String>,
    #[command(flatten)]
    acting: Acting,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

fn status(text: &str) -> Result<ReviewStatus, String> {
    match text {
        "open" => Ok(ReviewStatus::Open),
        "record_wins" => Ok(ReviewStatus::RecordWins),
        "memory_was_right" => Ok(ReviewStatus::MemoryWasRight),
        "dismissed" => Ok(ReviewStatus::Dismissed),
        _ => Err("`open`, `record_wins`, `memory_was_right` or `dismissed`".to_owned()),
    }
}

fn decision(text: &str) -> Result<ReviewDecision, String> {
    match text {
        "record_wins" => Ok(ReviewDecision::RecordWins),
        "memory_was_right" => Ok(ReviewDecision::MemoryWasRight),
        "dismissed" => Ok(ReviewDecision::Dismissed),
        _ => Err("`record_wins`, `memory_was_right` or `dismissed`".to_owned()),
    }
}

impl Reviews {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        match self.verb {
            ReviewsCommand::List(list) => list.run(terminal, local).await,
            ReviewsCommand::Decide(decide) => decide.run(terminal, local).await,
        }
    }
}

impl List {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let query = ListReviews {
            status: self.status,
            entity: self.entity,
            subtree: self.subtree.then_some(true),
            ..ListReviews::default()
        };
        let found = first_rows(self.limit, PAGE, async |limit, cursor| {
            let page = ListReviews { limit: Some(limit), cursor, ..query.clone() };
            remote.client.list_reviews(workspace, &page).await
        })
        .await?;
        found.print_blocks(terminal, self.format, "no reviews", render)
    }
}

impl Decide {
    async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let workspace = remote.acting(&self.acting).await?;
        let request = DecideReview { decision: self.decision, note: self.note };
        let decided = remote.client.decide_review(workspace, self.review, &request).await?;
        self.format.print(terminal, &decided, |decided, paint| {
            let confidence = decided.confidence.map(|confidence| format!("  confidence {confidence}\n"));
            render(&decided.review, paint) + &confidence.unwrap_or_default()
        })
    }
}

/// The review with its item, then what the claim and the record say.
fn render(review: &Review, paint: Paint) -> String {
    let status = match review.status {
        ReviewStatus::Open => "open",
        ReviewStatus::RecordWins => "record_wins",
        ReviewStatus::MemoryWasRight => "memory_was_right",
        ReviewStatus::Dismissed => "dismissed",
    };
    let kind = format!("{:?}", review.item_kind).to_lowercase();
    let claim = &review.claim;
    let record = claim.record.as_ref().map_or_else(String::new, |record| {
        let unit = record.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
        format!("{}{unit}", record.value)
    });
    format!(
        "{}  {}  {kind} {} version {}\n  {} {}: claim {}, record {}\n",
        review.id,
        paint.strong(status),
        review.item_id,
        review.item_version,
        line(&claim.entity),
        line(&claim.field),
        line(&claim.value.to_string()),
        line(&record),
    )
}

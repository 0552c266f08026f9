use chrono::{DateTime, Utc};
use clap::Args;
use orgmem_types::{ListMemories, Memory, Neighbour, Order, PassagePlace, SearchedItems};

use crate::cli::error::CliError;
use crate::cli::filters::Filters;
use crate::cli::local::Local;
use crate::cli::output_format::OutputFormat;
use crate::cli::paging::first_rows;
use crate::cli::print::{Paint, ago, block, line};
use crate::cli::remote::{Acting, Server};
use crate::cli::terminal::Terminal;
use crate::cli::{forms, words};

/// The server's maximum page size.
const PAGE: usize = 50;

/// Search the memories that a workspace can read, best first
#[derive(Args, Debug)]
pub(crate) struct Search {
    /// Question or words; without it the newest memories, pinned ones first
    query: Option<String>,
    #[command(flatten)]
    acting: Acting,
    /// What to search [default: memories]
    #[arg(long = "in", value_name = "ITEMS", value_parser = words::of::<SearchedItems>(&words::SEARCHED_ITEMS))]
    items: Option<SearchedItems>,
    #[command(flatten)]
    filters: Filters,
    /// Order of the results [default: relevance with a query, else recent]
    #[arg(long, value_parser = words::of::<Order>(&words::ORDERS))]
    order: Option<Order>,
    /// Maximum number of results
    #[arg(short, long, default_value_t = 10, value_parser = forms::limit)]
    limit: usize,
    /// Also show this many memories before and after each in its session, at most 5
    #[arg(long, value_name = "COUNT")]
    neighbours: Option<u8>,
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    server: Server,
}

impl Search {
    pub(crate) async fn run(self, terminal: &Terminal, local: &Local) -> Result<(), CliError> {
        let remote = self.server.connect(local)?;
        let reader = remote.acting(&self.acting).await?;
        let filtered = self.filters.resolve(&remote, self.query, terminal.now).await?;
        let (items, order, neighbours) = (self.items, self.order, self.neighbours);
        let query = ListMemories { items, order, neighbours, ..ListMemories::from(filtered) };
        let found = first_rows(self.limit, PAGE, async |limit, cursor| {
            let page = ListMemories { limit: Some(limit), cursor, ..query.clone() };
            remote.client.search_memories(reader, &page).await
        })
        .await?;
        found.print_blocks(
            terminal,
            self.format,
            match self.items {
                None | Some(SearchedItems::Memories) => "no matching memories that this workspace can read",
                Some(SearchedItems::Documents) => "no matching documents that this workspace can read",
                Some(SearchedItems::Pages) => "no matching pages that this workspace can read",
                Some(SearchedItems::MemoriesAndDocuments) => {
                    "no matching memories or documents that this workspace can read"
                }
                Some(SearchedItems::MemoriesAndPages) => "no matching memories or pages that this workspace can read",
                Some(SearchedItems::PagesAndDocuments) => "no matching pages or documents that this workspace can read",
                Some(SearchedItems::All) => "no matching memories, pages or documents that this workspace can read",
            },
            |memory, paint| render(memory, terminal.now, paint),
        )
    }
}

/// One memory: author and reach, content, labels.
pub(super) fn render(memory: &Memory, now: DateTime<Utc>, paint: Paint) -> String {
    let mut head = vec![
        paint.strong(&line(&memory.workspace_name)),
        format!("{} via {}", memory.scope, memory.via.as_str()),
        ago(memory.created_at, now),
    ];
    if memory.pin {
        head.push("pinned".to_owned());
    }
    let mut foot = vec![memory.id.to_string(), line(&memory.namespace), line(&memory.kind)];
    foot.push(format!("confidence {}", memory.confidence));
    foot.extend(memory.tags.iter().map(|tag| format!("#{}", line(tag))));
    foot.extend(memory.expires_at.map(|then| format!("expires {}", ago(then, now))));
    let understood = memory.understood.iter().flatten();
    foot.extend(understood.map(|(word, meant)| format!("understood {} as {}", line(word), line(meant))));
    let to_read = |passage: &PassagePlace| format!("document {} from {}", passage.document_id, passage.from);
    foot.extend(memory.passage.as_ref().map(to_read));
    foot.extend(memory.page.as_ref().map(|page| match page.source_count {
        1 => "a page of 1 episode".to_owned(),
        count => format!("a page of {count} episodes"),
    }));
    foot.extend(memory.outdated_by.map(|newer| format!("outdated by {newer}")));
    foot.extend(memory.collapsed.as_ref().map(|collapsed| format!("and {} with the same content", collapsed.count)));
    let neighbours = |matches: fn(i32) -> bool| -> String {
        let neighbours = memory.neighbours.iter().flatten().filter(|neighbour| matches(neighbour.offset));
        neighbours.map(|neighbour| render_neighbour(neighbour, now, paint)).collect()
    };
    let (before, after) = (neighbours(|offset| offset < 0), neighbours(|offset| offset > 0));
    let title = memory.title.clone().or_else(|| memory.passage.as_ref().map(place));
    let title = title.map(|title| format!("  {}\n", paint.strong(&line(&title)))).unwrap_or_default();
    let content = block(&memory.content, 2);
    format!("{}\n{before}{title}{content}{after}  {}\n", head.join("  "), paint.faint(&foot.join("  ")))
}

/// The title of the document, and the headings above the passage.
fn place(passage: &PassagePlace) -> String {
    let headings = passage.heading.iter().filter(|heading| **heading != passage.title);
    std::iter::once(&passage.title).chain(headings).map(String::as_str).collect::<Vec<_>>().join(" › ")
}

fn render_neighbour(neighbour: &Neighbour, now: DateTime<Utc>, paint: Paint) -> String {
    let author = line(&neighbour.workspace_name);
    let head = format!("{:+}  {author}  {}", neighbour.offset, ago(neighbour.created_at, now));
    format!("    {}\n{}", paint.faint(&head), block(&neighbour.content, 6))
}

use serde::Serialize;

use super::error::CliError;
use super::output_format::OutputFormat;
use super::print::Paint;
use super::terminal::Terminal;
use crate::client::{ClientError, Page};

/// The first rows of a list.
#[derive(Debug)]
pub(crate) struct ListedRows<T> {
    pub(crate) items: Vec<T>,
    /// Whether the list has further rows.
    pub(crate) more: bool,
    /// The requested number of rows.
    max: usize,
}

impl<T: Serialize> ListedRows<T> {
    /// Prints the rows as JSON or as `text`, then a note if there are none (`none`) or further rows.
    ///
    /// # Errors
    /// Those of [`OutputFormat::print`].
    pub(crate) fn print(
        &self,
        terminal: &Terminal,
        format: OutputFormat,
        none: &str,
        text: impl FnOnce(&[T], Paint) -> String,
    ) -> Result<(), CliError> {
        format.print(terminal, &self.items, |rows, paint| text(rows, paint))?;
        if self.items.is_empty() {
            terminal.note(none);
        } else if self.more {
            terminal.note(&format!("only the first {}; --limit shows more", self.max));
        }
        Ok(())
    }

    /// As [`print`](Self::print), with the text of each row, separated by empty lines.
    ///
    /// # Errors
    /// Those of [`OutputFormat::print`].
    pub(crate) fn print_blocks(
        &self,
        terminal: &Terminal,
        format: OutputFormat,
        none: &str,
        block: impl Fn(&T, Paint) -> String,
    ) -> Result<(), CliError> {
        self.print(terminal, format, none, |rows, paint| {
            rows.iter().map(|row| block(row, paint)).collect::<Vec<_>>().join("\n")
        })
    }
}

/// Fetches the first `max` rows of a list, in pages of at most `page_size` rows, with `page(limit, cursor)`.
///
/// # Errors
/// Those of `page`.
pub(crate) async fn first_rows<T>(
    max: usize,
    page_size: usize,
    mut page: impl AsyncFnMut(u64, Option<String>) -> Result<Page<T>, ClientError>,
) -> Result<ListedRows<T>, ClientError> {
    let mut items = Vec::new();
    let mut cursor = None;
    loop {
        let missing = max.saturating_sub(items.len()).min(page_size);
        let listed = page(missing as u64, cursor).await?;
        items.extend(listed.items);
        cursor = listed.next;
        if cursor.is_none() || items.len() >= max {
            let more = cursor.is_some() || items.len() > max;
            items.truncate(max);
            return Ok(ListedRows { items, more, max });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fetches `max` of the numbers 0 to 6, at most three per page.
    async fn fetch(max: usize) -> (Vec<usize>, bool) {
        let listed = first_rows(max, 3, async |limit, cursor| {
            let start: usize = cursor.map_or(0, |cursor| cursor.parse().expect("ours"));
            let end = (start + limit as usize).min(7);
            Ok(Page { items: (start..end).collect(), next: (end < 7).then(|| end.to_string()) })
        })
        .await;
        let listed = listed.expect("pages");
        (listed.items, listed.more)
    }

    #[tokio::test]
    async fn pages_are_fetched_up_to_the_maximum() {
        assert_eq!(fetch(2).await, (vec![0, 1], true));
        assert_eq!(fetch(5).await, (vec![0, 1, 2, 3, 4], true));
        assert_eq!(fetch(7).await, (vec![0, 1, 2, 3, 4, 5, 6], false));
        assert_eq!(fetch(100).await, (vec![0, 1, 2, 3, 4, 5, 6], false));
    }
}

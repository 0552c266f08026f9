use crate::client::{ClientError, Page};

/// The rows of a list, as many as were wanted.
#[derive(Debug)]
pub(crate) struct ListedRows<T> {
    /// The rows.
    pub(crate) items: Vec<T>,
    /// Whether there are more.
    pub(crate) more: bool,
}

/// The first `wanted` rows of a list, asked for in pages of at most `page_size` by `page(limit, cursor)`.
///
/// # Errors
/// Those of `page`.
pub(crate) async fn up_to<T>(
    wanted: usize,
    page_size: usize,
    mut page: impl AsyncFnMut(u64, Option<String>) -> Result<Page<T>, ClientError>,
) -> Result<ListedRows<T>, ClientError> {
    let mut items = Vec::new();
    let mut cursor = None;
    loop {
        let missing = wanted.saturating_sub(items.len()).min(page_size);
        let answer = page(missing as u64, cursor).await?;
        items.extend(answer.items);
        cursor = answer.next;
        if cursor.is_none() || items.len() >= wanted {
            let more = cursor.is_some() || items.len() > wanted;
            items.truncate(wanted);
            return Ok(ListedRows { items, more });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks for `wanted` of the numbers 0 to 6, three a page at most.
    async fn ask(wanted: usize) -> (Vec<usize>, bool) {
        let listed = up_to(wanted, 3, async |limit, cursor| {
            let start: usize = cursor.map_or(0, |cursor| cursor.parse().expect("ours"));
            let end = (start + limit as usize).min(7);
            Ok(Page { items: (start..end).collect(), next: (end < 7).then(|| end.to_string()) })
        })
        .await;
        let listed = listed.expect("pages");
        (listed.items, listed.more)
    }

    #[tokio::test]
    async fn pages_are_followed_until_enough_is_there() {
        assert_eq!(ask(2).await, (vec![0, 1], true));
        assert_eq!(ask(5).await, (vec![0, 1, 2, 3, 4], true));
        assert_eq!(ask(7).await, (vec![0, 1, 2, 3, 4, 5, 6], false));
        assert_eq!(ask(100).await, (vec![0, 1, 2, 3, 4, 5, 6], false));
    }
}

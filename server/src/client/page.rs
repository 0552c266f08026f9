use reqwest::Url;
use reqwest::header::{HeaderMap, LINK};

/// One page of a list.
#[derive(Clone, Debug)]
pub struct Page<T> {
    /// The rows.
    pub items: Vec<T>,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<String>,
}

/// The cursor of the next page, from `Link: <…?cursor=…>; rel="next"` (RFC 8288).
pub(super) fn next_cursor(headers: &HeaderMap, request_url: &Url) -> Option<String> {
    let links = headers.get_all(LINK).iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    let target = links.filter_map(|link| {
        let (target, parameters) = link.trim().strip_prefix('<')?.split_once('>')?;
        let is_next = parameters.split(';').any(|parameter| matches!(parameter.trim(), r#"rel="next""# | "rel=next"));
        is_next.then_some(target)
    });
    let url = request_url.join(target.into_iter().next()?).ok()?;
    url.query_pairs().find(|(name, _)| name == "cursor").map(|(_, cursor)| cursor.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(link: &str, cursor: Option<&str>) {
        let headers = HeaderMap::from_iter([(LINK, link.parse().expect("a header"))]);
        let request_url = Url::parse("http://host/workspaces?limit=2").expect("a URL");
        assert_eq!(next_cursor(&headers, &request_url).as_deref(), cursor, "{link}");
    }

    #[test]
    fn next_cursor_is_read_from_link() {
        check(r#"</workspaces?limit=2&cursor=a%2Bb>; rel="next""#, Some("a+b"));
        check(r#"<?cursor=x>; title="more"; rel="next""#, Some("x"));
        check(r#"</workspaces?cursor=w>; rel="prev", <http://host/workspaces?cursor=y>; rel="next""#, Some("y"));
    }

    #[test]
    fn page_without_next_link_is_the_last() {
        check(r#"</workspaces?cursor=w>; rel="prev""#, None);
        check("nonsense", None);
        check(r#"</workspaces>; rel="next""#, None);
    }
}

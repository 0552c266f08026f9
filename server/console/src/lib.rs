#![doc = include_str!("../README.md")]

use std::borrow::Cow;
use std::sync::LazyLock;

use sha2::{Digest, Sha256};

const PAGE: &str = include_str!("../dist/index.html");
/// How the page says where the console's folder is, seen from its own address.
const BASE: &str = r#"<base href="./">"#;

/// Where the page to embed is, before the id of the workspace that it shows.
const TO_EMBED: &str = "embed/w/";

/// A file of the console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// What it holds.
    pub bytes: Cow<'static, [u8]>,
    /// Its media type, with the character set of a text.
    pub media_type: &'static str,
    /// Changes with what it holds. It is weak, since the same bytes may be sent compressed.
    pub etag: String,
}

impl File {
    fn new(bytes: impl Into<Cow<'static, [u8]>>, media_type: &'static str) -> Self {
        let bytes = bytes.into();
        let digest = hex::encode(Sha256::digest(&bytes));
        Self { etag: format!("W/\"{}\"", &digest[..16]), bytes, media_type }
    }

    /// The page as it stands this many folders below the console's, with what else it says of itself.
    fn page(depth: usize, said: &str) -> Self {
        let up = if depth == 0 { "./".to_owned() } else { "../".repeat(depth) };
        let text = PAGE.replacen(BASE, &format!(r#"<base href="{up}">{said}"#), 1);
        Self::new(text.into_bytes(), "text/html; charset=utf-8")
    }
}

/// The files that do not depend on their address, by path.
static ASSETS: LazyLock<[(&str, File); 3]> = LazyLock::new(|| {
    let script = include_bytes!("../dist/console.js").as_slice();
    let style = include_bytes!("../dist/console.css").as_slice();
    let icon = include_bytes!("../dist/icon.svg").as_slice();
    [
        ("console.js", File::new(script, "text/javascript; charset=utf-8")),
        ("console.css", File::new(style, "text/css; charset=utf-8")),
        ("icon.svg", File::new(icon, "image/svg+xml")),
    ]
});

/// The file at a path below the console's folder.
///
/// # Arguments
/// `path`: without a slash before it; empty for the folder itself.
///
/// # Returns
/// An asset; the page, at every path that one can look at, which is any without a dot in its last part; else `None`.
///
/// # Source
/// console.md, section 1: it works under a path prefix, so nothing in the page names a place from the root.
///
/// ```
/// let page = orgmem_console::file("w/5/memories").expect("a place one can look at");
/// assert!(String::from_utf8_lossy(&page.bytes).contains(r#"<base href="../../">"#));
/// assert_eq!(orgmem_console::file("secret.txt"), None);
/// ```
#[must_use]
pub fn file(path: &str) -> Option<File> {
    if let Some((_, asset)) = ASSETS.iter().find(|(name, _)| *name == path) {
        return Some(asset.clone());
    }
    let last = path.rsplit('/').next().unwrap_or_default();
    (path == "index.html" || !last.contains('.')).then(|| File::page(path.matches('/').count(), ""))
}

/// The page that shows the memories of one workspace within another product, when this is its path. It says by itself whose
/// pages those may be, as it believes no others.
///
/// # Arguments
/// `path`: without a slash before it. `framers`: origins, as browsers name them.
///
/// # Returns
/// The page at `embed/w/` and the id of a workspace; at every other path `None`.
///
/// # Source
/// console.md, section 2.
///
/// ```
/// let framers = ["https://app.example.org".to_owned()];
/// let page = orgmem_console::page_to_embed("embed/w/5", &framers).expect("the page to embed");
/// let text = String::from_utf8_lossy(&page.bytes);
/// assert!(text.contains(r#"<meta name="orgmem-framers" content="https://app.example.org">"#));
/// assert_eq!(orgmem_console::page_to_embed("w/5/memories", &framers), None);
/// ```
#[must_use]
pub fn page_to_embed(path: &str, framers: &[String]) -> Option<File> {
    let id = path.strip_prefix(TO_EMBED)?;
    let is_id = !id.is_empty() && !id.contains(['/', '.']);
    let origins = framers.join(" ").replace('&', "&amp;").replace('"', "&quot;");
    let said = format!(r#"<meta name="orgmem-framers" content="{origins}">"#);
    is_id.then(|| File::page(path.matches('/').count(), &said))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &str) -> String {
        String::from_utf8(file(path).expect("there").bytes.into_owned()).expect("text")
    }

    #[test]
    fn the_page_finds_its_folder_from_everywhere() {
        for (path, base) in
            [("", "./"), ("index.html", "./"), ("system", "./"), ("w/1", "../"), ("w/1/reach", "../../")]
        {
            assert!(text(path).contains(&format!(r#"<base href="{base}">"#)), "{path}");
        }
    }

    #[test]
    fn what_the_page_asks_for_is_there() {
        let page = text("");
        let asked = page.split('"').filter(|part| part.contains('.') && !part.contains('/') && !part.contains(' '));
        let asked: Vec<_> = asked.collect();
        assert_eq!(asked, ["icon.svg", "console.css", "console.js"]);
        assert!(asked.iter().all(|name| file(name).is_some()));
    }

    #[test]
    fn nothing_runs_or_is_styled_inline() {
        let page = text("");
        let attributes = page.split('<').skip(1).filter_map(|element| element.split_once('>')).map(|(tag, _)| tag);
        let inline = |tag: &str| tag.starts_with("style") || tag.contains(" style=") || tag.contains(" on");
        assert_eq!(attributes.filter(|tag| inline(tag)).collect::<Vec<_>>(), [""; 0]);
        assert_eq!(page.matches("<script").count(), page.matches("></script>").count(), "{page}");
    }

    #[test]
    fn a_file_that_is_not_there_is_not_the_page() {
        assert_eq!(file("w/1/console.map"), None);
        assert_eq!(file("../Cargo.toml"), None);
    }

    #[test]
    fn one_page_is_made_to_be_embedded() {
        let framers = [r#"https://a.example"><script>"#.to_owned()];
        let page = page_to_embed("embed/w/5", &framers).expect("the page to embed");
        let page = String::from_utf8(page.bytes.into_owned()).expect("text");
        assert!(page.contains(r#"content="https://a.example&quot;><script>"#), "{page}");
        assert!(page.contains(r#"<base href="../../">"#), "{page}");
        for path in ["", "embed", "embed/w", "embed/w/", "embed/w/5/", "embed/w/5/state", "w/5", "embed/w/console.js"] {
            assert_eq!(page_to_embed(path, &framers), None, "{path}");
        }
        assert!(!text("w/5").contains("orgmem-framers"));
    }

    #[test]
    fn tags_differ_as_contents_do() {
        assert_eq!(file("a"), file("b"));
        assert_ne!(file("a").expect("there").etag, file("a/b").expect("there").etag);
    }
}

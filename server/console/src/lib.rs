#![doc = include_str!("../README.md")]

use std::borrow::Cow;
use std::sync::LazyLock;

use sha2::{Digest, Sha256};

const PAGE: &str = include_str!("../dist/index.html");
/// The element that gives the page its path to the console's folder.
const BASE: &str = r#"<base href="./">"#;

/// Path of the embedded view, before the id of the workspace.
const EMBED_PREFIX: &str = "embed/w/";

/// A file of the console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The content, uncompressed.
    pub bytes: Cow<'static, [u8]>,
    /// Includes the character set for text.
    pub media_type: &'static str,
    /// A hash of the content. Weak, because the same bytes may be sent compressed.
    pub etag: String,
}

impl File {
    fn new(bytes: impl Into<Cow<'static, [u8]>>, media_type: &'static str) -> Self {
        let bytes = bytes.into();
        let digest = hex::encode(Sha256::digest(&bytes));
        Self { etag: format!("W/\"{}\"", &digest[..16]), bytes, media_type }
    }

    /// The page at this many folders below the console's folder, with additional elements for its head.
    fn page(depth: usize, head: &str) -> Self {
        let up = if depth == 0 { "./".to_owned() } else { "../".repeat(depth) };
        let text = PAGE.replacen(BASE, &format!(r#"<base href="{up}">{head}"#), 1);
        Self::new(text.into_bytes(), "text/html; charset=utf-8")
    }
}

/// Files with the same content at every address, by path.
static ASSETS: LazyLock<[(&str, File); 5]> = LazyLock::new(|| {
    let script = include_bytes!("../dist/console.js").as_slice();
    let style = include_bytes!("../dist/console.css").as_slice();
    let script_map = include_bytes!("../dist/console.js.map").as_slice();
    let style_map = include_bytes!("../dist/console.css.map").as_slice();
    let icon = include_bytes!("../dist/icon.svg").as_slice();
    [
        ("console.js", File::new(script, "text/javascript; charset=utf-8")),
        ("console.css", File::new(style, "text/css; charset=utf-8")),
        ("console.js.map", File::new(script_map, "application/json")),
        ("console.css.map", File::new(style_map, "application/json")),
        ("icon.svg", File::new(icon, "image/svg+xml")),
    ]
});

/// Returns the file at a path below the console's folder.
///
/// # Arguments
/// `path`: without a leading slash; empty for the folder itself.
///
/// # Returns
/// An asset; the page, for every path without a dot in its last segment; otherwise `None`.
///
/// # Source
/// `docs/spec/console.md`, "Addresses": the console works under a path prefix, so the page contains no absolute path.
///
/// ```
/// let page = orgmem_console::file("w/5/memories").expect("a view");
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

/// Returns the embedded view of one workspace. Its head lists the origins that it accepts messages from.
///
/// # Arguments
/// `path`: without a leading slash. `framers`: origins in the form that browsers use.
///
/// # Returns
/// The page for `embed/w/` and an id; `None` for every other path.
///
/// # Source
/// `docs/spec/console.md`, "Embedding".
///
/// ```
/// let framers = ["https://app.example.org".to_owned()];
/// let page = orgmem_console::page_to_embed("embed/w/5", &framers).expect("the embedded view");
/// let text = String::from_utf8_lossy(&page.bytes);
/// assert!(text.contains(r#"<meta name="orgmem-framers" content="https://app.example.org">"#));
/// assert_eq!(orgmem_console::page_to_embed("w/5/memories", &framers), None);
/// ```
#[must_use]
pub fn page_to_embed(path: &str, framers: &[String]) -> Option<File> {
    let id = path.strip_prefix(EMBED_PREFIX)?;
    let is_id = !id.is_empty() && !id.contains(['/', '.']);
    let origins = framers.join(" ").replace('&', "&amp;").replace('"', "&quot;");
    let head = format!(r#"<meta name="orgmem-framers" content="{origins}">"#);
    is_id.then(|| File::page(path.matches('/').count(), &head))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &str) -> String {
        String::from_utf8(file(path).expect("exists").bytes.into_owned()).expect("text")
    }

    #[test]
    fn page_at_every_depth_has_the_base_of_the_console() {
        for (path, base) in
            [("", "./"), ("index.html", "./"), ("system", "./"), ("w/1", "../"), ("w/1/reach", "../../")]
        {
            assert!(text(path).contains(&format!(r#"<base href="{base}">"#)), "{path}");
        }
    }

    #[test]
    fn every_file_that_the_page_references_exists() {
        let page = text("");
        let names = page.split('"').filter(|part| part.contains('.') && !part.contains('/') && !part.contains(' '));
        let names: Vec<_> = names.collect();
        assert_eq!(names, ["icon.svg", "console.css", "console.js"]);
        assert!(names.iter().all(|name| file(name).is_some()));
    }

    #[test]
    fn source_map_that_a_file_names_exists_and_names_no_absolute_path() {
        for name in ["console.js", "console.css"] {
            let (_, map) =
                text(name).rsplit_once("sourceMappingURL=").map(|(a, b)| (a.len(), b.to_owned())).expect(name);
            let map = map.trim_end().trim_end_matches(" */");
            assert_eq!(map, format!("{name}.map"));
            let sources = text(map).split_once("\"sourcesContent\"").expect("sources").0.to_owned();
            assert!(sources.contains("\"../web/src/"), "{sources}");
            assert!(!sources.contains("\"/"), "{sources}");
        }
    }

    #[test]
    fn page_has_no_inline_script_or_style() {
        let page = text("");
        let attributes = page.split('<').skip(1).filter_map(|element| element.split_once('>')).map(|(tag, _)| tag);
        let inline = |tag: &str| tag.starts_with("style") || tag.contains(" style=") || tag.contains(" on");
        assert_eq!(attributes.filter(|tag| inline(tag)).collect::<Vec<_>>(), [""; 0]);
        assert_eq!(page.matches("<script").count(), page.matches("></script>").count(), "{page}");
    }

    #[test]
    fn path_of_a_missing_file_returns_none() {
        assert_eq!(file("w/1/console.map"), None);
        assert_eq!(file("../Cargo.toml"), None);
    }

    #[test]
    fn embedded_view_lists_escaped_origins_and_has_one_path() {
        let framers = [r#"https://a.example"><script>"#.to_owned()];
        let page = page_to_embed("embed/w/5", &framers).expect("the embedded view");
        let page = String::from_utf8(page.bytes.into_owned()).expect("text");
        assert!(page.contains(r#"content="https://a.example&quot;><script>"#), "{page}");
        assert!(page.contains(r#"<base href="../../">"#), "{page}");
        for path in ["", "embed", "embed/w", "embed/w/", "embed/w/5/", "embed/w/5/state", "w/5", "embed/w/console.js"] {
            assert_eq!(page_to_embed(path, &framers), None, "{path}");
        }
        assert!(!text("w/5").contains("orgmem-framers"));
    }

    #[test]
    fn etags_differ_when_contents_differ() {
        assert_eq!(file("a"), file("b"));
        assert_ne!(file("a").expect("exists").etag, file("a/b").expect("exists").etag);
    }
}

//! The text of HTML pages.

use orgmem_extract::{ExtractError, Extracted, Format, Limits, MediaType, extract};

fn html(source: &str) -> Extracted {
    extract(source.as_bytes(), &Format::Html.into(), &Limits::default()).expect("the page has text")
}

fn text(source: &str) -> String {
    html(source).text
}

#[test]
fn page_becomes_headings_paragraphs_lists_and_tables() {
    let page = html(
        "<!DOCTYPE html><html><head><title>Pumps &amp; valves</title><meta charset=utf-8>\n\
         <style>p { color: red }</style><script>if (a < b) document.write('<p>no</p>')</script></head>\n\
         <body><h1>Pumps</h1><p>The <b>pump</b>\n  of hall&nbsp;3 runs <a href='/x'>hot</a>.<br>Check it.</p>\n\
         <h2>Limits</h2><ul><li>90 °C</li><li><p>8 bar</p></li></ul><ol><li>stop</li><li>drain</li></ol>\n\
         <table><tr><th>Part</th><th>Count</th></tr><tr><td><p>seal</p></td><td>4</td></tr></table>\n\
         <!-- nobody reads this --><img src=a.png alt='the inlet'></body></html>",
    );
    assert_eq!(page.title.as_deref(), Some("Pumps & valves"));
    let expected = "# Pumps\n\n\
        The pump of hall 3 runs hot.\nCheck it.\n\n\
        ## Limits\n\n\
        - 90 °C\n\n- 8 bar\n\n\
        1. stop\n2. drain\n\n\
        Part | Count\nseal | 4\n\n\
        the inlet";
    assert_eq!(page.text, expected);
}

#[test]
fn preformatted_text_is_indented_and_is_no_heading() {
    let page = text("<p>Run:</p><pre>\n# as root\n\n  systemctl stop pump\n</pre><p>Done.</p>");
    assert_eq!(page, "Run:\n\n    # as root\n\n      systemctl stop pump\n\nDone.");
}

#[test]
fn paragraph_that_imitates_a_heading_is_escaped() {
    assert_eq!(text("<p># not a heading</p><p>```</p><p>~/.profile</p>"), "\\# not a heading\n\n\\```\n\n~/.profile");
}

#[test]
fn heading_with_blocks_inside_stays_on_one_line() {
    assert_eq!(text("<h2><div>Part</div><br><span>two</span></h2>x"), "## Part two\n\nx");
}

#[test]
fn unclosed_heading_ends_at_the_next_list_or_heading() {
    assert_eq!(text("<h1>One<h2>Two<ul><li>three</ul>"), "# One\n\n## Two\n\n- three");
}

#[test]
fn encoding_of_the_media_type_wins_over_that_of_the_page() {
    let source = b"<meta charset=\"windows-1251\"><p>\xcf\xf0\xe8\xe2\xe5\xf2</p>";
    let of_page = extract(source, &Format::Html.into(), &Limits::default()).expect("the page has text");
    assert_eq!(of_page.text, "Привет");
    let stated = MediaType::parse("text/html; charset=\"iso-8859-1\"").expect("a supported media type");
    let of_sender = extract(source, &stated, &Limits::default()).expect("the page has text");
    assert_eq!(of_sender.text, "Ïðèâåò");
}

#[test]
fn unknown_encoding_of_a_page_is_named() {
    let source = b"<meta http-equiv=content-type content='text/html; charset=klingon'>x";
    let refused = extract(source, &Format::Html.into(), &Limits::default());
    assert_eq!(refused, Err(ExtractError::UnknownCharset { value: "klingon".to_owned() }));
}

#[test]
fn page_of_scripts_only_has_no_text() {
    let refused = extract(b"<script>let a = 1</script>", &Format::Html.into(), &Limits::default());
    assert_eq!(refused, Err(ExtractError::NoText { media_type: "text/html" }));
}

#[test]
fn million_nested_tags_are_read_within_the_limits() {
    let depth = 1_000_000;
    for tag in ["div", "ol", "h1", "pre"] {
        let source = format!("{}deep{}", format!("<{tag}>").repeat(depth), format!("</{tag}>").repeat(depth));
        let page = text(&source);
        assert!(page.trim_start_matches(['#', ' ']).starts_with("deep"), "{tag}: {page}");
    }
}

#[test]
fn million_attributes_are_read_within_the_limits() {
    let source = format!("<p {}>many</p>", "a=b ".repeat(1_000_000));
    assert_eq!(text(&source), "many");
}

#[test]
fn page_with_more_text_than_the_limit_is_refused() {
    let limits = Limits { output_bytes: 100, ..Limits::default() };
    let page = "<li>".repeat(10) + &"<li>x".repeat(60);
    let refused = extract(page.as_bytes(), &Format::Html.into(), &limits);
    assert_eq!(refused, Err(ExtractError::OutputTooLarge { limit: 100 }));
}

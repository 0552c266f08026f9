//! The operations as Rust source: one file for each tag, formatted as rustfmt does.

use std::collections::BTreeMap;

use crate::operations::{Body, Operation, PathParameter, Response};

const WIDTH: usize = 120;

/// The content of each file, by name.
pub(crate) fn files(operations: &[Operation]) -> BTreeMap<String, String> {
    let mut by_tag: BTreeMap<String, Vec<&Operation>> = BTreeMap::new();
    for operation in operations {
        by_tag.entry(operation.tag.replace(' ', "_")).or_default().push(operation);
    }
    let modules: String = by_tag.keys().map(|tag| format!("mod {tag};\n")).collect();
    let root = "//! One method for each operation of `/openapi.json`, by tag. A test writes these files and compares them with the\n\
                //! description: `ORGMEM_REVIEW=1 cargo test -p orgmem-tests --test typed_client`.\n\n";
    let mut files: BTreeMap<String, String> =
        by_tag.into_iter().map(|(tag, operations)| (format!("{tag}.rs"), file(&operations))).collect();
    files.insert("mod.rs".to_owned(), format!("{root}{modules}"));
    files
}

fn file(operations: &[&Operation]) -> String {
    let methods: Vec<String> = operations.iter().map(|operation| method(operation)).collect();
    let head = "//! Written from `/openapi.json`, not by hand; see the folder's `mod.rs`.\n\n";
    let methods = methods.join("\n");
    format!("{head}{}\n\nimpl Client {{\n{methods}}}\n", imports(&methods))
}

/// The imports that the methods need.
fn imports(methods: &str) -> String {
    let id = if methods.contains("Uuid") { "\nuse uuid::Uuid;" } else { "" };
    let others = [
        ("Document", "Document<"),
        ("Page", "Page<"),
        ("RequestParts", ".document("),
        ("RequestParts", "_key("),
        ("RequestParts", ".if_match("),
    ];
    let mut names = vec!["Client", "ClientError"];
    names.extend(others.iter().filter(|(_, usage)| methods.contains(usage)).map(|(name, _)| *name));
    names.dedup();
    format!("use orgmem_types as wire;\nuse reqwest::Method;{id}\n\nuse crate::client::{{{}}};", names.join(", "))
}

fn method(operation: &Operation) -> String {
    let Operation { name, method, address, .. } = operation;
    let path: Vec<String> = address.trim_start_matches('/').split('/').map(|part| segment(operation, part)).collect();
    let read = if matches!(operation.response, Response::Page(_)) { "page" } else { "answer" };
    let lines = [
        doc(&operation.summary),
        "    ///\n".to_owned(),
        format!("    /// `{method} {address}`\n"),
        signature(name, &parameters(operation), &result(&operation.response)),
        format!("        let path = [{}];\n", path.join(", ")),
        request(operation),
        format!("        self.{read}(request).await\n    }}\n"),
    ];
    lines.concat()
}

/// A doc comment, wrapped.
fn doc(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        if lines[lines.len() - 1].len() + word.len() + "    /// ".len() >= WIDTH {
            lines.push(String::new());
        }
        let line = lines.last_mut().expect("at least one line");
        line.push(' ');
        line.push_str(word);
    }
    lines.iter().map(|line| format!("    ///{line}\n")).collect()
}

fn signature(name: &str, parameters: &[String], result: &str) -> String {
    let one_line = format!("    pub async fn {name}({}) -> {result} {{\n", parameters.join(", "));
    if one_line.trim_end().chars().count() <= WIDTH {
        return one_line;
    }
    let parameters: String = parameters.iter().map(|parameter| format!("        {parameter},\n")).collect();
    format!("    pub async fn {name}(\n{parameters}    ) -> {result} {{\n")
}

fn parameters(operation: &Operation) -> Vec<String> {
    let mut parameters = vec!["&self".to_owned()];
    let of_path =
        |PathParameter { name, is_id }: &PathParameter| format!("{name}: {}", if *is_id { "Uuid" } else { "&str" });
    parameters.extend(operation.path.iter().map(of_path));
    parameters.extend(operation.query.map(|name| format!("query: &wire::{name}")));
    parameters.extend(operation.body.as_ref().map(|body| match body {
        Body::Json(name) => format!("body: &wire::{name}"),
        Body::List(row) => format!("body: &[wire::{row}]"),
        Body::Document(name) => format!("body: Document<'_, wire::{name}>"),
    }));
    let value = |header: &str| if header == "If-Match" { "i64" } else { "&str" };
    parameters.extend(operation.headers.iter().map(|header| format!("{}: Option<{}>", snake(header), value(header))));
    parameters
}

fn result(response: &Response) -> String {
    let response = match response {
        Response::One(name) => format!("wire::{name}"),
        Response::All(row) => format!("Vec<wire::{row}>"),
        Response::Page(row) => format!("Page<wire::{row}>"),
    };
    format!("Result<{response}, ClientError>")
}

/// A segment of the path as an expression.
fn segment(operation: &Operation, part: &str) -> String {
    let Some(name) = part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) else {
        return format!("\"{part}\"");
    };
    let parameter = operation.path.iter().find(|parameter| parameter.name == name);
    let parameter = parameter.unwrap_or_else(|| panic!("{} does not describe `{name}`", operation.address));
    if parameter.is_id { format!("&{name}.to_string()") } else { name.to_owned() }
}

fn request(operation: &Operation) -> String {
    let mut calls = Vec::new();
    calls.extend(operation.query.map(|_| ".query(query)".to_owned()));
    calls.extend(operation.body.as_ref().map(|body| match body {
        Body::Json(_) | Body::List(_) => ".json(body)".to_owned(),
        Body::Document(_) => ".document(body)".to_owned(),
    }));
    calls.extend(operation.headers.iter().map(|header| format!(".{0}({0})", snake(header))));
    let start = format!(".request(Method::{}, &path)?", operation.method);
    let one_line = format!("        let request = self{start}{};\n", calls.concat());
    if one_line.trim_end().len() <= WIDTH {
        return one_line;
    }
    let calls: Vec<String> = std::iter::once(start).chain(calls).map(|call| format!("            {call}")).collect();
    format!("        let request = self\n{};\n", calls.join("\n"))
}

/// The name of a header as an identifier.
fn snake(header: &str) -> String {
    header.to_lowercase().replace('-', "_")
}

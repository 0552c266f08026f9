//! The wording of facts.

use crate::error::DefinitionError;

/// Names besides those of the dimensions.
const COMMON: [&str; 5] = ["count", "first_seen", "last_seen", "severity", "confidence"];

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Text(String),
    Name(String),
}

/// A text with names in braces.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Template(Vec<Part>);

impl Template {
    /// Parses a template that may use the names of the dimensions.
    pub(crate) fn parse(text: &str, dimensions: &[&str]) -> Result<Self, DefinitionError> {
        let known =
            || dimensions.iter().chain(&COMMON).map(|name| format!("`{{{name}}}`")).collect::<Vec<_>>().join(", ");
        let fail = |fault: String| DefinitionError::Template { fault, known: known() };
        let mut parts = Vec::new();
        let mut plain = String::new();
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            match c {
                '{' | '}' if rest.next_if_eq(&c).is_some() => plain.push(c),
                '}' => return Err(fail("has a `}` without `{`".to_owned())),
                '{' => {
                    let mut name = String::new();
                    loop {
                        match rest.next() {
                            Some('}') => break,
                            Some(c) if c != '{' => name.push(c),
                            _ => return Err(fail(format!("has a `{{{name}` without `}}`"))),
                        }
                    }
                    if !dimensions.contains(&name.as_str()) && !COMMON.contains(&name.as_str()) {
                        return Err(fail(format!("has the unknown name `{{{name}}}`")));
                    }
                    if !plain.is_empty() {
                        parts.push(Part::Text(std::mem::take(&mut plain)));
                    }
                    parts.push(Part::Name(name));
                }
                _ => plain.push(c),
            }
        }
        if !plain.is_empty() {
            parts.push(Part::Text(plain));
        }
        let unnamed = dimensions.iter().find(|name| !parts.iter().any(|part| *part == Part::Name((**name).to_owned())));
        match unnamed {
            // two groups would have one text
            Some(name) => Err(fail(format!("does not contain the dimension `{{{name}}}`"))),
            None => Ok(Self(parts)),
        }
    }

    /// The text with the value of each name.
    pub(crate) fn fill(&self, value: impl Fn(&str) -> String) -> String {
        let parts = self.0.iter().map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::Name(name) => value(name),
        });
        parts.collect()
    }
}

/// At most `most` characters; the last one of a cut text is `…`.
pub(crate) fn cut(text: String, most: usize) -> (String, bool) {
    if text.chars().count() <= most {
        return (text, false);
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    short.truncate(short.trim_end().len());
    short.push('…');
    (short, true)
}

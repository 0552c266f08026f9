use std::io::IsTerminal;

/// Colours, or none: a pipe, a file, `NO_COLOR` and a dumb terminal get plain text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint(bool);

impl Paint {
    /// As `stream` and the environment allow.
    pub(crate) fn on(stream: &impl IsTerminal) -> Self {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self(stream.is_terminal() && !is_set("NO_COLOR") && !is_dumb)
    }

    /// None.
    #[cfg(test)]
    pub(crate) const fn none() -> Self {
        Self(false)
    }

    /// What is looked for.
    pub(crate) fn strong(self, text: &str) -> String {
        self.styled("1", text)
    }

    /// What is rarely looked for.
    pub(crate) fn faint(self, text: &str) -> String {
        self.styled("2", text)
    }

    /// What is well.
    pub(crate) fn good(self, text: &str) -> String {
        self.styled("32", text)
    }

    /// What is not.
    pub(crate) fn bad(self, text: &str) -> String {
        self.styled("31", text)
    }

    fn styled(self, code: &str, text: &str) -> String {
        if self.0 && !text.is_empty() { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colours_text_is_text() {
        assert_eq!(Paint::none().strong("a") + &Paint::none().bad("b"), "ab");
    }

    #[test]
    fn a_colour_ends_where_its_text_ends() {
        assert_eq!(Paint(true).good("✔"), "\u{1b}[32m✔\u{1b}[0m");
    }
}

use std::io::IsTerminal;

/// Colours. Pipes, files, `NO_COLOR` and dumb terminals get plain text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint(bool);

impl Paint {
    /// Colours if `stream` and the environment allow them.
    pub(crate) fn on(stream: &impl IsTerminal) -> Self {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self(stream.is_terminal() && !is_set("NO_COLOR") && !is_dumb)
    }

    #[cfg(test)]
    pub(crate) const fn none() -> Self {
        Self(false)
    }

    /// For names and headings.
    pub(crate) fn strong(self, text: &str) -> String {
        self.styled("1", text)
    }

    /// For details.
    pub(crate) fn faint(self, text: &str) -> String {
        self.styled("2", text)
    }

    pub(crate) fn good(self, text: &str) -> String {
        self.styled("32", text)
    }

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
    fn text_without_colours_is_unchanged() {
        assert_eq!(Paint::none().strong("a") + &Paint::none().bad("b"), "ab");
    }

    #[test]
    fn colour_ends_with_its_text() {
        assert_eq!(Paint(true).good("✔"), "\u{1b}[32m✔\u{1b}[0m");
    }
}

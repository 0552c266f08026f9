use unicode_width::UnicodeWidthStr;

use super::Paint;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Rows in aligned columns, also with characters two cells wide.
pub(crate) struct Table {
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(columns: &[(&'static str, Align)]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// Adds a row. Cells must be single lines and escaped.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    pub(crate) fn render(&self, paint: Paint) -> String {
        let heading: Vec<_> = self.columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        let lines = std::iter::once(&heading).chain(&self.rows);
        let width = |column: usize| lines.clone().filter_map(|row| row.get(column)).map(|cell| cell.width()).max();
        let widths: Vec<_> = (0..self.columns.len()).map(|column| width(column).unwrap_or_default()).collect();

        let mut text = paint.faint(&self.line(&heading, &widths)) + "\n";
        for row in &self.rows {
            text.push_str(&self.line(row, &widths));
            text.push('\n');
        }
        text
    }

    fn line(&self, cells: &[String], widths: &[usize]) -> String {
        let padded = cells.iter().zip(widths).zip(&self.columns).map(|((cell, width), (_, align))| {
            let gap = " ".repeat(width - cell.width());
            if *align == Align::Left { format!("{cell}{gap}") } else { format!("{gap}{cell}") }
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_with_wide_characters() {
        let mut table = Table::new(&[("name", Align::Left), ("memories", Align::Right), ("role", Align::Left)]);
        table.row(["青森".to_owned(), "7".to_owned(), "crew".to_owned()]);
        table.row(["Bot-7".to_owned(), "12345678901".to_owned(), String::new()]);
        let lines = [
            "name      memories  role", //
            "青森             7  crew",
            "Bot-7  12345678901",
        ];
        assert_eq!(table.render(Paint::none()).lines().collect::<Vec<_>>(), lines);
    }
}

//! Tables for people: on the terminal, and in Markdown.

use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

use super::visible;

/// A table of text, its cells as they were found.
pub(super) struct Grid {
    pub(super) header: Vec<Heading>,
    pub(super) rows: Vec<Vec<String>>,
}

/// The head of a column.
pub(super) struct Heading {
    pub(super) name: &'static str,
    pub(super) kind: Cells,
}

/// What the cells of a column hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cells {
    /// Names and other words, of the logs too.
    Words,
    /// Numbers, under each other.
    Numbers,
}

impl Heading {
    pub(super) const fn new(name: &'static str, kind: Cells) -> Self {
        Self { name, kind }
    }
}

impl Grid {
    /// For a terminal of this width.
    pub(super) fn text(&self, width: u16) -> String {
        let line = LineStyle::none().fill('─').junction('─');
        let mut table = Table::new();
        table
            .load_style(TableStyle::new().header_separator(line))
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(width)
            .set_header(
                self.header
                    .iter()
                    .map(|head| aligned(head.name.to_owned(), head.kind)),
            );
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        for row in &self.rows {
            let cells = row.iter().zip(&self.header);
            table.add_row(cells.map(|(cell, head)| aligned(visible::line(cell), head.kind)));
        }
        format!("{}\n", table.trim_fmt())
    }

    /// For a pull request or a page: a table as GitHub reads it.
    pub(super) fn markdown(&self) -> String {
        let names = self.header.iter().map(|head| head.name.replace('\n', " "));
        let rules = self.header.iter().map(|head| match head.kind {
            Cells::Numbers => "--:".to_owned(),
            Cells::Words => "---".to_owned(),
        });
        let mut text = markdown_row(names) + &markdown_row(rules);
        for row in &self.rows {
            let cells = row.iter().zip(&self.header);
            text += &markdown_row(cells.map(|(cell, head)| match head.kind {
                Cells::Words => code_span(&visible::line(cell.trim())),
                Cells::Numbers => cell.clone(),
            }));
        }
        text
    }
}

fn aligned(text: String, kind: Cells) -> Cell {
    let cell = Cell::new(text);
    match kind {
        Cells::Numbers => cell.set_alignment(CellAlignment::Right),
        Cells::Words => cell,
    }
}

fn markdown_row(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<_> = cells.collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Words of a log as code, in which nothing is a link, a mention or HTML.
fn code_span(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let longest = text
        .split(|character| character != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    let text = text.replace('|', "\\|");
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_log_are_words_in_markdown() {
        let grid = Grid {
            header: vec![
                Heading::new("model", Cells::Words),
                Heading::new("with\ncalls", Cells::Numbers),
            ],
            rows: vec![
                vec!["<b>@me</b> | `x`".into(), "1".into()],
                vec![String::new(), "2".into()],
            ],
        };
        let expected = "| model | with calls |\n| --- | --: |\n| `` <b>@me</b> \\| `x` `` | 1 |\n|  | 2 |\n";
        assert_eq!(grid.markdown(), expected);
    }
}

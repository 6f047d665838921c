//! Tables as Markdown and as CSV.

/// A table of text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The rows, each as long as the header.
    pub rows: Vec<Vec<String>>,
}

impl Grid {
    /// Creates a table without rows.
    pub fn new(header: &[&str]) -> Self {
        Self { header: header.iter().map(|&name| name.to_owned()).collect(), rows: Vec::new() }
    }

    /// Formats the table as Markdown. Aligns the first column left, and the others, which are
    /// numbers, right.
    pub fn to_markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = |i: usize| if i == 0 { "---" } else { "---:" }.to_owned();
        let rules: Vec<String> = (0..self.header.len()).map(rule).collect();
        let rows: String = self.rows.iter().map(|row| line(row)).collect();
        format!("{}{}{rows}", line(&self.header), line(&rules))
    }

    /// Formats the table as comma-separated values.
    pub fn to_csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in std::iter::once(&self.header).chain(&self.rows) {
            writer.write_record(row).expect("memory takes every row");
        }
        let bytes = writer.into_inner().expect("memory takes every row");
        String::from_utf8(bytes).expect("cells are text")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_commas_and_bars_stay_one_cell() {
        let mut grid = Grid::new(&["target", "x"]);
        grid.rows.push(vec!["a, b|c".to_owned(), "1".to_owned()]);
        assert_eq!(grid.to_csv(), "target,x\n\"a, b|c\",1\n");
        assert_eq!(grid.to_markdown(), "| target | x |\n| --- | ---: |\n| a, b\\|c | 1 |\n");
    }
}

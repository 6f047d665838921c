//! Collects the text of a page as words, lines and paragraphs.

/// The text of a page, collected piece by piece.
#[derive(Debug, Default)]
pub(super) struct FlowingText {
    text: String,
    /// The separator to put before the next word.
    pending: Break,
    /// The number of open elements that preserve line breaks.
    preformatted: usize,
}

/// What separates two pieces of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Break {
    #[default]
    None,
    Space,
    Line,
    Paragraph,
}

/// Returns the separator between an element and its neighbours.
#[rustfmt::skip]
fn break_around(element: &str) -> Break {
    match element {
        "address" | "article" | "aside" | "blockquote" | "body" | "caption" | "center" | "details"
        | "dialog" | "div" | "dl" | "fieldset" | "figcaption" | "figure" | "footer" | "form" | "h1"
        | "h2" | "h3" | "h4" | "h5" | "h6" | "head" | "header" | "hr" | "html" | "legend" | "main"
        | "menu" | "nav" | "noscript" | "ol" | "p" | "pre" | "section" | "summary" | "table"
        | "textarea" | "title" | "ul" => Break::Paragraph,
        "br" | "dd" | "dt" | "li" | "option" | "tr" => Break::Line,
        "button" | "iframe" | "img" | "input" | "select" | "td" | "th" => Break::Space,
        _ => Break::None,
    }
}

impl FlowingText {
    /// Adds text. Line breaks become spaces, except in preformatted elements.
    pub(super) fn push(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '\n' if self.preformatted > 0 && self.pending >= Break::Line => {
                    self.separate(Break::Paragraph);
                }
                '\n' if self.preformatted > 0 => self.separate(Break::Line),
                ' ' | '\t' | '\n' | '\r' | '\x0c' => self.separate(Break::Space),
                _ => {
                    if !self.text.is_empty() {
                        self.text += match self.pending {
                            Break::None => "",
                            Break::Space => " ",
                            Break::Line => "\n",
                            Break::Paragraph => "\n\n",
                        };
                    }
                    self.pending = Break::None;
                    self.text.push(character);
                }
            }
        }
    }

    /// Begins an element.
    pub(super) fn open(&mut self, element: &str) {
        self.separate(break_around(element));
        self.preformatted += usize::from(is_preformatted(element));
    }

    /// Ends an element, even one that never began.
    pub(super) fn close(&mut self, element: &str) {
        self.separate(break_around(element));
        let closed = usize::from(is_preformatted(element));
        self.preformatted = self.preformatted.saturating_sub(closed);
    }

    /// Returns the whole text.
    pub(super) fn into_string(self) -> String {
        self.text
    }

    fn separate(&mut self, how: Break) {
        self.pending = self.pending.max(how);
    }
}

fn is_preformatted(element: &str) -> bool {
    matches!(element, "pre" | "textarea")
}

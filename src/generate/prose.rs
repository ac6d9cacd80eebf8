//! Words, sentences, code: what stands around calls and in their arguments. Nothing here looks like a marker.

use super::random::Random;

const WORDS: &[&str] = &[
    "city",
    "query",
    "path",
    "notes",
    "invoice",
    "café",
    "naïve",
    "Zürich",
    "東京",
    "данные",
    "paragraph",
    "weather",
    "limit",
    "search",
    "ticket",
    "report",
    "garden",
    "window",
    "river",
    "table",
    "music",
    "señal",
    "αρχή",
    "🌧️",
    "morning",
    "answer",
    "reason",
    "village",
    "engine",
    "letter",
    "planet",
    "summary",
    "colour",
    "résumé",
];

const OPENINGS: &[&str] = &[
    "Let me have a look at",
    "I think we should check",
    "First, we need",
    "The next step is about",
    "Here is what I know of",
    "Great question! It concerns",
    "To answer that, consider",
    "Now I will update",
];

const ENDINGS: &[&str] = &[
    "before going on.",
    "and then decide.",
    "as you asked.",
    "— it won't take long.",
    "(see below).",
    "\"soon\", I hope.",
    "in `config.toml` or nearby.",
    "for 3 of 4 cases.",
    "which costs < 5 € & is fine.",
];

const NAMES: &[&str] = &[
    "search",
    "read_file",
    "write_file",
    "get_weather",
    "run_query",
    "list_dir",
    "send_mail",
    "create_event",
    "lookup",
    "translate",
    "fetch_page",
    "update_row",
    "plan",
    "summarize",
];

const CODE: &[&str] = &[
    "def add(a, b):\n    return a + b",
    "for i in range(3):\n    print(i, \"ok\")",
    "SELECT name, count(*)\nFROM t\nWHERE x = 'y' AND z < 3;",
    "{\n  \"a\": [1, 2, {\"b\": null}]\n}",
    "<ul>\n  <li>one &amp; two</li>\n</ul>",
    "#!/bin/sh\necho \"$HOME\" | tr 'a-z' 'A-Z'\\\n  > out.txt",
];

const BLOCKS: &[&str] = &[
    "```python\nprint(\"hello\")\n```\n\n",
    "- one\n- two\n  - three\n\n",
    "> quoted text\n> goes on\n\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n\n",
    "## A heading\n\n",
];

/// Text that reads like a model's.
pub(super) struct Prose;

impl Prose {
    pub(super) fn word(random: &mut Random) -> &'static str {
        random.pick(WORDS)
    }

    pub(super) fn name(random: &mut Random) -> String {
        random.pick(NAMES).to_owned()
    }

    pub(super) fn sentence(random: &mut Random) -> String {
        let (opening, word, other, ending) = (
            random.pick(OPENINGS),
            random.pick(WORDS),
            random.pick(WORDS),
            random.pick(ENDINGS),
        );
        format!("{opening} the {word} and {other} {ending}")
    }

    /// A paragraph, now and then with a code block or a list behind it, and an empty line.
    pub(super) fn paragraph(random: &mut Random, out: &mut String) {
        for index in 0..random.below(5) + 1 {
            if index > 0 {
                out.push(' ');
            }
            out.push_str(&Self::sentence(random));
        }
        out.push_str("\n\n");
        if random.chance(0.15) {
            out.push_str(random.pick(BLOCKS));
        }
    }

    /// Several lines.
    pub(super) fn code(random: &mut Random) -> String {
        random.pick(CODE).to_owned()
    }

    /// The digits of an integer or a decimal number.
    pub(super) fn number(random: &mut Random) -> String {
        match random.below(3) {
            0 => format!("{}", random.below(100)),
            1 => format!("-{}", random.below(100_000) + 1),
            _ => format!("{}.{}", random.below(1000), random.below(98) + 1),
        }
    }
}

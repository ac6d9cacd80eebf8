//! Synthetic logs with a known truth: sound calls, and completions with one fault each.
//!
//! The same settings give the same bytes, for ever: the random numbers are our own.

use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::diagnostic::Code;
use crate::syntax::{Draft, SharedSyntax, Value, Written};

mod prose;
mod random;

use prose::Prose;
use random::Random;

/// What to generate.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the random numbers begin.
    pub seed: u64,
    /// Share of the completions that hold no call, 0 to 1.
    pub no_call_rate: f64,
    /// Share of the others that hold a fault, 0 to 1.
    pub fault_rate: f64,
    /// Number of models; each is asked for one syntax.
    pub model_count: usize,
    /// Largest number of paragraphs around the calls.
    pub paragraphs: usize,
}

/// Makes one log record after the other.
pub struct Generator {
    settings: Settings,
    syntaxes: Vec<SharedSyntax>,
    faults: Vec<Vec<Fault>>,
    random: Random,
    made: usize,
}

/// A log record and what is true of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// The record, as a log would have it.
    pub record: Json,
    /// The calls written and the fault injected.
    pub truth: Json,
}

/// Where a fault's text may stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Place {
    #[default]
    Anywhere,
    Alone,
    End,
    Whole,
}

/// A text with one fault.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fault {
    syntax: String,
    codes: Vec<String>,
    detail: Option<String>,
    #[serde(default)]
    place: Place,
    rows: Option<usize>,
    text: String,
}

#[derive(Deserialize)]
struct Faults {
    fault: Vec<Fault>,
}

/// The codes that the generator can provoke.
pub fn codes() -> Vec<Code> {
    let mut codes: Vec<_> = read_faults()
        .iter()
        .flat_map(|fault| {
            fault
                .codes
                .iter()
                .map(|name| Code::from_name(name).expect("faults name true codes"))
        })
        .collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

fn read_faults() -> Vec<Fault> {
    let faults: Faults =
        toml::from_str(include_str!("faults.toml")).expect("the faults are well-formed TOML");
    faults.fault
}

impl Generator {
    /// A generator for these syntaxes (a syntax may stand there more than once, to come more often).
    pub fn new(settings: Settings, syntaxes: Vec<SharedSyntax>) -> Self {
        let all = read_faults();
        let of = |name: &str| all.iter().filter(|fault| fault.syntax == name).cloned().collect();
        let faults = syntaxes.iter().map(|syntax| of(syntax.name())).collect();
        let random = Random::new(settings.seed);
        Self {
            settings,
            syntaxes,
            faults,
            random,
            made: 0,
        }
    }

    /// The next record.
    pub fn make(&mut self) -> Made {
        let number = self.made;
        self.made += 1;
        let model = self.random.below(self.settings.model_count.max(1));
        // A model mostly keeps to the syntax that it was asked for.
        let own = model % self.syntaxes.len();
        let place = if self.random.chance(0.9) {
            own
        } else {
            self.random.below(self.syntaxes.len())
        };
        let mut draft = Text {
            random: &mut self.random,
            paragraphs: self.settings.paragraphs,
            text: String::new(),
        };
        let mut calls = Vec::new();
        let mut fault = None;
        if draft.random.chance(self.settings.no_call_rate) {
            draft.prose();
        } else if draft.random.chance(self.settings.fault_rate) && !self.faults[place].is_empty() {
            let faults = &self.faults[place];
            fault = Some(&faults[draft.random.below(faults.len())]);
            calls = draft.faulty(&*self.syntaxes[place], fault.expect("just chosen"));
        } else {
            calls = draft.sound(&*self.syntaxes[place]);
        }
        let text = draft.text;
        let id = format!("r{number:07}");
        let finish = if fault.is_some_and(|fault| fault.place == Place::End) {
            "length"
        } else {
            "stop"
        };
        Made {
            record: json!({
                "id": id,
                "model": format!("model-{}", model + 1),
                "expected_syntax": self.syntaxes[own].name(),
                "prompt": Prose::sentence(&mut self.random),
                "completion": text,
                "finish_reason": finish,
            }),
            truth: json!({
                "id": id,
                "syntax": self.syntaxes[place].name(),
                "calls": calls.iter().map(truth_of_call).collect::<Vec<_>>(),
                "fault": fault.map(|fault| json!({
                    "codes": fault.codes,
                    "detail": fault.detail,
                    "rows": fault.rows,
                })),
            }),
        }
    }
}

fn truth_of_call(call: &Written) -> Json {
    json!({ "name": call.name, "arguments": call.arguments, "body": call.body })
}

/// A completion being written.
struct Text<'r> {
    random: &'r mut Random,
    paragraphs: usize,
    text: String,
}

impl Text<'_> {
    /// A few paragraphs of prose.
    fn prose(&mut self) {
        let count = self.random.below(self.paragraphs.max(1)) + 1;
        for _ in 0..count {
            Prose::paragraph(self.random, &mut self.text);
        }
    }

    /// One to three blocks of sound calls, with prose around them.
    fn sound(&mut self, syntax: &dyn crate::syntax::Syntax) -> Vec<Written> {
        if syntax.needs_text_start() {
            let calls = self.block(syntax);
            self.prose();
            return calls;
        }
        let mut calls = Vec::new();
        self.prose();
        for _ in 0..self.random.below(3) + 1 {
            calls.extend(self.block(syntax));
            if self.random.chance(0.5) {
                self.prose();
            }
        }
        calls
    }

    /// One block of one to three calls, on lines of its own.
    fn block(&mut self, syntax: &dyn crate::syntax::Syntax) -> Vec<Written> {
        let count = self.random.below(3) + 1;
        let drafts: Vec<_> = (0..count).map(|_| draft(self.random)).collect();
        let calls = syntax.write(&drafts, &mut self.text);
        self.text.push('\n');
        calls
    }

    /// A fault with what may stand beside it.
    fn faulty(&mut self, syntax: &dyn crate::syntax::Syntax, fault: &Fault) -> Vec<Written> {
        let text = fill(self.random, &fault.text);
        match fault.place {
            Place::Whole => {
                self.text.push_str(&text);
                Vec::new()
            }
            Place::Alone => {
                self.prose();
                self.text.push_str(&text);
                self.text.push('\n');
                self.prose();
                Vec::new()
            }
            Place::End => {
                let calls = self.sound(syntax);
                self.text.push_str(&text);
                calls
            }
            Place::Anywhere => {
                let mut calls = self.sound(syntax);
                self.text.push_str(&text);
                self.text.push('\n');
                calls.extend(self.sound(syntax));
                calls
            }
        }
    }
}

/// Puts names, words and sentences into a fault's text.
fn fill(random: &mut Random, template: &str) -> String {
    let name = Prose::name(random);
    let mut text = template.replace("@NAME", &name);
    while let Some(at) = text.find("@WORD") {
        text.replace_range(at..at + "@WORD".len(), Prose::word(random));
    }
    while let Some(at) = text.find("@PROSE") {
        text.replace_range(at..at + "@PROSE".len(), &Prose::sentence(random));
    }
    text
}

fn draft(random: &mut Random) -> Draft {
    let count = random.below(4) + 1;
    let mut arguments: Vec<(String, Value)> = Vec::new();
    for index in 0..count {
        arguments.push((format!("{}_{index}", Prose::word(random)), value(random, 0)));
    }
    Draft {
        name: Prose::name(random),
        arguments,
    }
}

fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth < 2 { 8 } else { 6 }) {
        0 | 1 => Value::Text(Prose::word(random).to_owned()),
        2 => Value::Text(Prose::sentence(random)),
        3 => Value::Text(Prose::code(random)),
        4 => Value::Number(Prose::number(random)),
        5 => Value::Boolean(random.chance(0.5)),
        6 => Value::List(
            (0..random.below(3) + 1)
                .map(|_| value(random, depth + 1))
                .collect(),
        ),
        _ => {
            let count = random.below(3) + 1;
            Value::Object(
                (0..count)
                    .map(|i| (format!("{}{i}", Prose::word(random)), value(random, depth + 1)))
                    .collect(),
            )
        }
    }
}

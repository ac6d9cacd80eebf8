//! The one table of diagnostic codes. The docs page, `toolscan codes` and the tables are made from it.
//!
//! A code is for ever: it may be added to, never given a new meaning.

use super::Severity;

/// What a code stands for.
#[derive(Clone, Copy, Debug)]
pub struct CodeInfo {
    /// The code itself.
    pub code: Code,
    /// Its stable name.
    pub name: &'static str,
    /// Severity unless a syntax lowers it.
    pub severity: Severity,
    /// The syntaxes that lower an error to a warning, for some or all of its causes.
    pub lowered_by: &'static [&'static str],
    /// One line: what it means.
    pub meaning: &'static str,
    /// What comes of it, and where it comes from.
    pub why: &'static str,
    /// One line: how to mend it.
    pub mend: &'static str,
    /// Something that earns it.
    pub example: Example,
}

/// The smallest input that earns a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Example {
    /// The text of a completion.
    Text(&'static str),
    /// The text of a completion that was offered [`EXAMPLE_TOOLS`].
    Judged(&'static str),
    /// One line of a log.
    Record(&'static [u8]),
    /// Something that happens to a source, in words.
    Event(&'static str),
}

/// The tools of the examples that need some, as a file for `--tools`.
pub const EXAMPLE_TOOLS: &str = r#"{
  "write_file": {
    "type": "object",
    "properties": {
      "path": {"type": "string"},
      "mode": {"type": "integer"},
      "content": {"type": "string"}
    },
    "required": ["path"],
    "additionalProperties": false
  }
}
"#;

macro_rules! codes {
    ($($variant:ident = $name:literal, $severity:ident $(lowered by [$($lowered:literal),+])? {
        meaning: $meaning:literal,
        why: $why:literal,
        mend: $mend:literal,
        example: $example:ident($input:literal),
    })+) => {
        /// A kind of finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Code {
            $(#[doc = $meaning] $variant,)+
        }

        /// Every code, in the order of [`Code`].
        pub const CODES: &[CodeInfo] = &[
            $(CodeInfo {
                code: Code::$variant,
                name: $name,
                severity: Severity::$severity,
                lowered_by: &[$($($lowered),+)?],
                meaning: $meaning,
                why: $why,
                mend: $mend,
                example: Example::$example($input),
            },)+
        ];
    };
}

codes! {
    UnclosedHeader = "unclosed_header", Error {
        meaning: "A header opens and its line ends before the header does.",
        why: "A parser that looks for the header's end on its line finds none and drops the call. Often the text was cut, or the model broke the line.",
        mend: "Close the header on the line where it begins.",
        example: Text("🛠️[search rust\nlooking for it"),
    }
    EmptyHeader = "empty_header", Error {
        meaning: "A header holds no tool name.",
        why: "There is nothing to dispatch to. The brackets alone are read as no call.",
        mend: "Write the tool's name into the header.",
        example: Text("🛠️[ ]\n🛠️[/end]"),
    }
    UnclosedBlock = "unclosed_block", Error {
        meaning: "A block opens and never closes.",
        why: "The text was cut by a token limit, or the model forgot the marker. Whatever could be read of the block is shown, and its calls are invalid, since the rest is missing.",
        mend: "Write the closing marker; if the text was cut, raise the token limit.",
        example: Text("<execute>[{\"name\": \"ls\", \"args\": {}}, {\"name\": \"cat\", \"args\": {\"pa"),
    }
    InvalidToolName = "invalid_tool_name", Warning {
        meaning: "A tool name has characters outside the format's rule.",
        why: "The format's own rule for names is narrower. The call stands, but a stricter dispatcher may refuse it.",
        mend: "Use letters, digits, `_` and `-`, and begin with a letter.",
        example: Text("🛠️[web.search rust]\n🛠️[/end]"),
    }
    NestedMarker = "nested_marker", Warning {
        meaning: "An opening marker stands inside the body of an open block and is plain text there.",
        why: "Blocks do not nest. The second marker is content of the first block, so the call that the model meant to write there is none.",
        mend: "Close the first block before opening the next.",
        example: Text("🛠️[outer]\n🛠️[inner]\n🛠️[/end]"),
    }
    MarkerVariant = "marker_variant", Warning {
        meaning: "A marker is written in a variant that is accepted.",
        why: "Tokenizers and editors drop the invisible variation selector, or add a space. Parsers that compare bytes miss such a marker; toolscan takes it.",
        mend: "Write the marker exactly, variation selector included.",
        example: Text("🛠[ls]\n🛠[/end]"),
    }
    SelfClosingCall = "self_closing_call", Warning {
        meaning: "A header closes itself and the call has no body.",
        why: "A later version of the format lets a header close itself. The seed version of it does not know that, so the call is taken and flagged.",
        mend: "Nothing, if the stack accepts the later form; else write the end marker.",
        example: Text("🛠️[ls -la /]"),
    }
    NearMiss = "near_miss", Warning {
        meaning: "Something is nearly a marker of a format, and no parser would take it for one.",
        why: "A model that nearly follows a format is what prompt and data work can mend soonest. Nothing is run, since no parser takes it.",
        mend: "Write the marker exactly.",
        example: Text("<Execute>[{\"name\": \"ls\", \"args\": {}}]"),
    }
    MojibakeMarker = "mojibake_marker", Error {
        meaning: "A marker was encoded twice and is no longer one.",
        why: "The log, or the prompt with its examples, was read in one encoding and written in another. The model may even have learnt the broken form.",
        mend: "Read and write the log as UTF-8.",
        example: Text("ðŸ›\u{a0}ï¸\u{8f}[ls]"),
    }
    StrayEndMarker = "stray_end_marker", Warning {
        meaning: "A closing marker stands where no block is open.",
        why: "Most often the opening marker was forgotten or misspelled, and the call before it is lost.",
        mend: "Remove it, or write the opening marker.",
        example: Text("done\n</execute>"),
    }
    StrayMarker = "stray_marker", Warning {
        meaning: "A marker stands in plain text and opens nothing: a mention.",
        why: "Models explain formats; an explanation is no call. It is listed so that a call that was taken for a mention can be found.",
        mend: "Nothing, if it is an explanation of the format.",
        example: Text("Write `<execute>` and then the batch."),
    }
    InsideCodeFence = "inside_code_fence", Warning {
        meaning: "A call stands inside a Markdown code fence.",
        why: "The format is read anywhere, also in a code fence, but a fence often means that the model shows an example.",
        mend: "Write the call outside of code fences.",
        example: Text("```\n<execute>[{\"name\": \"ls\", \"args\": {}}]</execute>\n```"),
    }
    InInlineCode = "in_inline_code", Warning {
        meaning: "A whole call stands inside inline code.",
        why: "A whole call in backticks is read, but backticks often mean that the model shows an example.",
        mend: "Write the call without backticks around it.",
        example: Text("Run `<execute>[{\"name\": \"ls\", \"args\": {}}]</execute>` now."),
    }
    CallInThink = "call_in_think", Warning {
        meaning: "A call stands inside hidden reasoning.",
        why: "What stands in the reasoning is not run. A model that plans its calls there and does not repeat them has called nothing.",
        mend: "Write the call behind the end of the reasoning.",
        example: Text("<think><execute>[{\"name\": \"ls\", \"args\": {}}]</execute></think>"),
    }
    UnexpectedInfo = "unexpected_info", Warning {
        meaning: "The info string of a tool fence holds more than a name and an id.",
        why: "The parser takes a name and an id and ignores the rest, so what the model meant with it is lost.",
        mend: "Move the rest into the fence's body.",
        example: Text("```tool search call_1 now please\n```"),
    }
    ConflictingField = "conflicting_field", Warning {
        meaning: "Two places give the same field different values.",
        why: "One of the two values wins silently in the format's parser. The info string wins over the body, a long field name over its short one.",
        mend: "Give the field once.",
        example: Text("```tool search\nname: find\n```"),
    }
    WrongType = "wrong_type", Error lowered by ["markdown_fence"] {
        meaning: "A field has a value of the wrong type.",
        why: "A parser with a schema refuses the call.",
        mend: "Give the type that the format asks for.",
        example: Text("<execute>[{\"name\": \"ls\", \"args\": [\"-l\"]}]</execute>"),
    }
    InvalidState = "invalid_state", Error {
        meaning: "The state is none of those the format knows.",
        why: "The state decides which events a call emits; an unknown one emits the wrong ones.",
        mend: "Use one of the format's states.",
        example: Text("```tool search call_1\nstate: done\n```"),
    }
    InvalidYaml = "invalid_yaml", Error {
        meaning: "The body is not YAML, or not YAML within the limits.",
        why: "The parser can read nothing of the body.",
        mend: "Mend the YAML at the place shown.",
        example: Text("```tool search\ninput: {query: cats\n```"),
    }
    NotAMapping = "not_a_mapping", Error {
        meaning: "The YAML is no mapping.",
        why: "The body must be fields with values; a list or a sentence is none.",
        mend: "Write `key: value` lines.",
        example: Text("```tool search\n- cats\n- dogs\n```"),
    }
    DuplicateKey = "duplicate_key", Error lowered by ["execute_block", "scissors_cat"] {
        meaning: "A key stands twice in one object.",
        why: "Parsers disagree on which of the two counts: some take the last, some the first, some refuse.",
        mend: "Keep one of the two.",
        example: Text("```tool search\nstate: input-available\nstate: output-available\n```"),
    }
    InvalidJson = "invalid_json", Error {
        meaning: "The content is not JSON; the detail says why.",
        why: "The parser can read nothing of the block. The detail names the habit: `trailing_comma`, `single_quotes`, `python_literal`, `unescaped_control` and so on.",
        mend: "Mend the JSON at the place shown.",
        example: Text("<execute>[{\"name\": \"ls\", \"args\": {},}]</execute>"),
    }
    NotAnArray = "not_an_array", Error {
        meaning: "The content is JSON, but no array.",
        why: "The format wants a batch, also for one call.",
        mend: "Wrap the call in `[` and `]`.",
        example: Text("<execute>{\"name\": \"ls\", \"args\": {}}</execute>"),
    }
    NotAnObject = "not_an_object", Error {
        meaning: "An element of the array is no object.",
        why: "An element that is no object has neither a name nor arguments.",
        mend: "Write each call as an object.",
        example: Text("<execute>[\"ls\"]</execute>"),
    }
    MissingName = "missing_name", Error {
        meaning: "A call has no tool name.",
        why: "There is nothing to dispatch to.",
        mend: "Name the tool.",
        example: Text("<execute>[{\"args\": {\"path\": \".\"}}]</execute>"),
    }
    EmptyName = "empty_name", Error {
        meaning: "A call's tool name is empty.",
        why: "There is nothing to dispatch to.",
        mend: "Name the tool.",
        example: Text("<execute>[{\"name\": \"\", \"args\": {}}]</execute>"),
    }
    MissingArgs = "missing_args", Error {
        meaning: "A call has no arguments object.",
        why: "The format wants the arguments also where there are none. `arguments` or `parameters` instead of `args` is the usual cause.",
        mend: "Write `\"args\": {}` for a call without arguments.",
        example: Text("<execute>[{\"name\": \"ls\", \"arguments\": {}}]</execute>"),
    }
    UnexpectedField = "unexpected_field", Warning {
        meaning: "A call has a field that the format does not know.",
        why: "A lenient parser ignores it, a strict one refuses the call. It is kept in the column `extra`.",
        mend: "Remove the field, or move it into the arguments.",
        example: Text("<execute>[{\"name\": \"ls\", \"args\": {}, \"id\": 1}]</execute>"),
    }
    BatchRejected = "batch_rejected", Error {
        meaning: "A sound call stands in a batch that is rejected because of another.",
        why: "This format runs a batch as a whole or not at all, so that one bad call takes the others with it.",
        mend: "Mend the other call of the batch.",
        example: Text("<execute>[{\"name\": \"ls\", \"args\": {}}, {\"name\": \"cat\"}]</execute>"),
    }
    JsonInCodeFence = "json_in_code_fence", Error {
        meaning: "The JSON stands inside a Markdown code fence.",
        why: "The parser hands the fence to the JSON parser, which refuses the first backtick. Chat models love fences.",
        mend: "Write the JSON without a fence.",
        example: Text("<execute>\n```json\n[{\"name\": \"ls\", \"args\": {}}]\n```\n</execute>"),
    }
    EmptyBatch = "empty_batch", Warning {
        meaning: "A batch holds no call.",
        why: "It runs nothing and costs tokens.",
        mend: "Leave the block out where there is nothing to call.",
        example: Text("<execute>[]</execute>"),
    }
    InvalidResults = "invalid_results", Warning {
        meaning: "A results block cannot be read.",
        why: "Results that cannot be read are paired with no call. The calls themselves stand.",
        mend: "Write a JSON array of results and close the block.",
        example: Text("<execute>[{\"name\": \"ls\", \"args\": {}}]</execute>\n<results>a.txt b.txt</results>"),
    }
    ResultsCountMismatch = "results_count_mismatch", Warning {
        meaning: "There are more or fewer results than calls.",
        why: "Results are paired with calls by their place; with another number of them some call has none.",
        mend: "Write one result a call, in order.",
        example: Text("<execute>[{\"name\": \"ls\", \"args\": {}}]</execute>\n<results>[]</results>"),
    }
    ResultNameMismatch = "result_name_mismatch", Warning {
        meaning: "A result names another tool than the call in its place.",
        why: "Results are paired with calls by their place; another name there means that the order is wrong or that a model made the results up.",
        mend: "Keep the results in the order of the calls.",
        example: Text("<execute>[{\"name\": \"ls\", \"args\": {}}]</execute>\n<results>[{\"tool\": \"cat\", \"status\": \"success\", \"content\": \"\"}]</results>"),
    }
    InvalidResultStatus = "invalid_result_status", Warning {
        meaning: "A result's status is neither `success` nor `failure`.",
        why: "The status says whether the content is an output or an error.",
        mend: "Use one of the two.",
        example: Text("<execute>[{\"name\": \"ls\", \"args\": {}}]</execute>\n<results>[{\"tool\": \"ls\", \"status\": \"ok\", \"content\": \"\"}]</results>"),
    }
    OrphanResults = "orphan_results", Warning {
        meaning: "A results block has no batch of calls before it.",
        why: "Results without calls are usually made up by the model, which should have waited for them.",
        mend: "Write results behind the calls that they belong to.",
        example: Text("<results>[{\"tool\": \"ls\", \"status\": \"success\", \"content\": \"\"}]</results>"),
    }
    MissingField = "missing_field", Error {
        meaning: "A call lacks a field that the format requires.",
        why: "The format's schema refuses a call without it.",
        mend: "Write the field.",
        example: Text("[{\"id\": \"c1\", \"type\": \"search\", \"parameters\": {\"query\": \"cats\"}}]\n✂️🐱\nLet me look."),
    }
    UnknownType = "unknown_type", Error {
        meaning: "A call's type is not in the format's catalogue.",
        why: "The format's schema knows 37 types and refuses every other.",
        mend: "Use one of the catalogue's types.",
        example: Text("[{\"id\": \"c1\", \"type\": \"find\", \"operation\": \"Find cats\", \"parameters\": {}}]\n✂️🐱\nLet me look."),
    }
    DuplicateCallId = "duplicate_call_id", Error lowered by ["scissors_cat", "markdown_fence", "native"] {
        meaning: "Two calls of one completion have the same id.",
        why: "Results and dependencies name a call by its id; with two of them it is open which is meant.",
        mend: "Give every call an id of its own.",
        example: Text("!!!GADGET_START:read:r1\n!!!ARG:path\na\n!!!GADGET_END\n!!!GADGET_START:read:r1\n!!!ARG:path\nb\n!!!GADGET_END"),
    }
    TextBeforeJson = "text_before_json", Error {
        meaning: "Text stands before the JSON of the calls.",
        why: "The parser hands everything before the delimiter to the JSON parser, which refuses the first word.",
        mend: "Begin the text with the JSON.",
        example: Text("Sure, here it is:\n[{\"id\": \"c1\", \"type\": \"search\", \"operation\": \"Find cats\", \"parameters\": {}}]\n✂️🐱\nLet me look."),
    }
    TextAfterJson = "text_after_json", Error {
        meaning: "Text stands between the JSON of the calls and the delimiter.",
        why: "The parser hands everything before the delimiter to the JSON parser, which refuses what follows the value.",
        mend: "Write the delimiter right behind the JSON.",
        example: Text("[{\"id\": \"c1\", \"type\": \"search\", \"operation\": \"Find cats\", \"parameters\": {}}]\nOne moment.\n✂️🐱\nLet me look."),
    }
    RepeatedDelimiter = "repeated_delimiter", Warning {
        meaning: "The delimiter stands a second time.",
        why: "The first delimiter counts; the second is shown to the reader as text.",
        mend: "Write the delimiter once.",
        example: Text("[]\n✂️🐱\nHello.\n✂️🐱\nAgain."),
    }
    MissingDelimiter = "missing_delimiter", Error {
        meaning: "Calls stand at the text's start and no delimiter follows.",
        why: "Without a delimiter the parser takes the whole text for Markdown and runs nothing.",
        mend: "Write the delimiter behind the calls.",
        example: Text("[{\"id\": \"c1\", \"type\": \"search\", \"operation\": \"Find cats\", \"parameters\": {}}]\nLet me look."),
    }
    DependencySeparator = "dependency_separator", Warning {
        meaning: "Dependencies are separated by a colon.",
        why: "The format separates dependencies by commas. The call stands with all of them.",
        mend: "Separate them by commas.",
        example: Text("!!!GADGET_START:read:r1\n!!!GADGET_END\n!!!GADGET_START:read:r2\n!!!GADGET_END\n!!!GADGET_START:merge:m1:r1:r2\n!!!GADGET_END"),
    }
    InvalidIdentifier = "invalid_identifier", Warning {
        meaning: "A name, id or dependency is no identifier.",
        why: "The call stands, but a stricter parser may refuse a name or id with such characters.",
        mend: "Use letters, digits and `_`, and do not begin with a digit.",
        example: Text("!!!GADGET_START:read-file:r1\n!!!ARG:path\na\n!!!GADGET_END"),
    }
    EmptyCallId = "empty_call_id", Warning {
        meaning: "The header has a colon and no id behind it.",
        why: "The call is numbered as if it had no id, and nothing can depend on it by name.",
        mend: "Write the id or leave the colon out.",
        example: Text("!!!GADGET_START:read:\n!!!ARG:path\na\n!!!GADGET_END"),
    }
    TextBeforeArguments = "text_before_arguments", Warning {
        meaning: "Text stands between the header and the first argument.",
        why: "It belongs to no argument and is dropped. A model that writes JSON or prose there has passed nothing.",
        mend: "Begin with the first argument.",
        example: Text("!!!GADGET_START:read\n{\"path\": \"a\"}\n!!!GADGET_END"),
    }
    EmptyPointer = "empty_pointer", Warning {
        meaning: "An argument has no pointer and is skipped.",
        why: "A value without a name goes nowhere.",
        mend: "Name the argument.",
        example: Text("!!!GADGET_START:read\n!!!ARG:\na\n!!!GADGET_END"),
    }
    InlineValue = "inline_value", Warning {
        meaning: "An argument's value seems to stand on the pointer's line.",
        why: "The whole line is the argument's name, so the value is missing and the name is wrong.",
        mend: "Write the value on the line below.",
        example: Text("!!!GADGET_START:read\n!!!ARG:path: a.txt\n!!!GADGET_END"),
    }
    DuplicatePointer = "duplicate_pointer", Error {
        meaning: "An argument is given twice.",
        why: "It is open which of the two values is meant, so the arguments are null.",
        mend: "Keep one of the two.",
        example: Text("!!!GADGET_START:read\n!!!ARG:path\na\n!!!ARG:path\nb\n!!!GADGET_END"),
    }
    ArrayIndexGap = "array_index_gap", Error {
        meaning: "An array index skips places.",
        why: "An array cannot have holes, so the arguments are null.",
        mend: "Number the elements from 0 without gaps.",
        example: Text("!!!GADGET_START:read\n!!!ARG:paths/0\na\n!!!ARG:paths/2\nc\n!!!GADGET_END"),
    }
    InvalidArrayIndex = "invalid_array_index", Error {
        meaning: "A pointer segment is no index of the array it points into.",
        why: "An array has no place of that name, so the arguments are null.",
        mend: "Use 0, 1, 2 and so on.",
        example: Text("!!!GADGET_START:read\n!!!ARG:paths/0\na\n!!!ARG:paths/last\nb\n!!!GADGET_END"),
    }
    PointerConflict = "pointer_conflict", Error {
        meaning: "A pointer treats a plain value as a container, replaces one, or is too deep.",
        why: "One path cannot be a plain value and a container at once, so the arguments are null.",
        mend: "Give each path one kind of value.",
        example: Text("!!!GADGET_START:read\n!!!ARG:path\na\n!!!ARG:path/name\nb\n!!!GADGET_END"),
    }
    FencedArguments = "fenced_arguments", Warning {
        meaning: "A Markdown fence is wrapped around the arguments.",
        why: "A fence is no part of the format. toolscan takes it off; a stricter parser has it in a value.",
        mend: "Write the arguments without a fence.",
        example: Text("!!!GADGET_START:read\n```\n!!!ARG:path\na\n```\n!!!GADGET_END"),
    }
    UnknownDependency = "unknown_dependency", Warning {
        meaning: "A dependency names no call of the conversation so far.",
        why: "A call that waits for an id nobody has never runs, or runs too soon.",
        mend: "Depend on ids that exist.",
        example: Text("!!!GADGET_START:read:r1:r0\n!!!ARG:path\na\n!!!GADGET_END"),
    }
    DependencyCycle = "dependency_cycle", Error {
        meaning: "Calls wait for each other in a circle.",
        why: "None of them can be the first to run.",
        mend: "Break the circle.",
        example: Text("!!!GADGET_START:a:a1:b1\n!!!GADGET_END\n!!!GADGET_START:b:b1:a1\n!!!GADGET_END"),
    }
    UnknownTool = "unknown_tool", Error {
        meaning: "A call names a tool that was not offered.",
        why: "The dispatcher has nothing to run. Models invent tools, or misspell them; where a known name is near, the message says which. In scissors_cat, whose format has a catalogue of types, the same is `unknown_type`.",
        mend: "Name one of the tools that were offered; if it exists, add it to the file given as `--tools`.",
        example: Judged("<execute>[{\"name\": \"write_fiel\", \"args\": {\"path\": \"a.txt\"}}]</execute>"),
    }
    MissingArgument = "missing_argument", Error {
        meaning: "An argument that the tool's schema requires is not there.",
        why: "The schema lists it as `required`, at the top or inside of an object, and the tool would refuse the call.",
        mend: "Write the argument.",
        example: Judged("<execute>[{\"name\": \"write_file\", \"args\": {\"content\": \"x\"}}]</execute>"),
    }
    UnexpectedArgument = "unexpected_argument", Error {
        meaning: "A call has an argument that the tool's schema does not allow.",
        why: "The schema says `additionalProperties: false`, or a positional call has more tokens than the schema has properties. A strict tool refuses the call, a lax one ignores what the model meant to say.",
        mend: "Leave the argument out, or write the name that the schema knows.",
        example: Judged("<execute>[{\"name\": \"write_file\", \"args\": {\"path\": \"a.txt\", \"encoding\": \"utf8\"}}]</execute>"),
    }
    InvalidArgument = "invalid_argument", Error {
        meaning: "An argument is not what the tool's schema wants.",
        why: "The message names the place as a JSON Pointer, what the schema wants in its own words, and what stands there. The detail is the keyword of the schema.",
        mend: "Write the value that the schema asks for.",
        example: Judged("<execute>[{\"name\": \"write_file\", \"args\": {\"path\": \"a.txt\", \"mode\": \"octal\"}}]</execute>"),
    }
    UnsafePath = "unsafe_path", Warning {
        meaning: "An argument that is a path climbs up with `..`, or is absolute.",
        why: "Tools that take paths from a model cut such parts out (seed 003, Path Sanitization) or refuse them. An argument counts as a path by its name (`path`, `filePath`, `output_dir`, `filename` …) or by the `format` of its schema.",
        mend: "Write a path below the working folder, without `..` and without a leading slash.",
        example: Judged("<execute>[{\"name\": \"write_file\", \"args\": {\"path\": \"../a.txt\"}}]</execute>"),
    }
    LossyCoercion = "lossy_coercion", Warning {
        meaning: "A value that is written without a type loses something in the type that it gets.",
        why: "Formats without types leave it to the reader what a value is. Leading zeros go, integers beyond 2^53 lose digits in 64-bit floats, and the word `null` may have been meant as text. Told for tools whose schema is known.",
        mend: "Let the schema say `string` where every character matters.",
        example: Judged("!!!GADGET_START:write_file\n!!!ARG:path\na.txt\n!!!ARG:mode\n0644\n!!!GADGET_END"),
    }
    InvalidRecord = "invalid_record", Error {
        meaning: "A line of the log is not JSON.",
        why: "Nothing can be read of it. It is one row in the errors, and the next line is read.",
        mend: "Mend or drop the line.",
        example: Record(b"{\"completion\": \"hello\""),
    }
    InvalidUtf8 = "invalid_utf8", Error {
        meaning: "The text holds bytes that are not UTF-8; they became U+FFFD.",
        why: "Some writer cut a text in the middle of a character, or used another encoding. The text is scanned with U+FFFD in the place of the bytes.",
        mend: "Write the log as UTF-8.",
        example: Record(b"{\"completion\": \"caf\xe9\"}"),
    }
    MissingText = "missing_text", Error {
        meaning: "No completion text was found in the record.",
        why: "The record has none of the fields that usually hold the text, or there is no text in it. It has no row among the completions.",
        mend: "Name the field with `--text-field`.",
        example: Record(b"{\"id\": \"7\", \"answer\": \"hello\"}"),
    }
    RecordTooLarge = "record_too_large", Error {
        meaning: "A record is larger than the limit and was skipped.",
        why: "The limit bounds the memory that one broken file can ask for. The record is skipped and the next is read.",
        mend: "Raise `--max-record-bytes`.",
        example: Event("A line longer than `--max-record-bytes` (64 MiB)."),
    }
    SourceTruncated = "source_truncated", Error {
        meaning: "A source broke off in the middle; what was read stays.",
        why: "A download that stopped, a disk that failed. What was read is in the tables, and the run ends with exit code 1.",
        mend: "Fetch the source again.",
        example: Event("A source that fails while it is read."),
    }
    RepeatedRecord = "repeated_record", Warning {
        meaning: "A record repeats answers that the file has already given.",
        why: "Some harnesses log one answer several times, once for each way of judging it. It is counted once, where it stands first in the file.",
        mend: "Nothing; or log each answer once.",
        example: Event("A second `filter` of the same answers in a `--log_samples` file of lm-eval."),
    }
    TruncatedCall = "truncated_call", Warning {
        meaning: "The model was stopped by a limit in the middle of a call.",
        why: "`finish_reason` says that a limit cut the completion, and the cut goes through a call: what is wrong with the call is the limit's doing, not the model's.",
        mend: "Raise the limit of tokens.",
        example: Event("`<execute>[{\"name\": \"ls\", \"args\": {` with the `finish_reason` `length`."),
    }
    LeakedCall = "leaked_call", Warning {
        meaning: "Calls stand in the text although the provider was to parse them.",
        why: "The record has calls that the provider parsed, or tools that it was offered, and yet a call is left in the text: the provider's parser missed it, and so does whoever reads the parsed calls alone.",
        mend: "Use a parser, or a template, that fits the model.",
        example: Event("A message whose `content` holds an `<execute>` block and whose `tool_calls` hold a call."),
    }
    LossyText = "lossy_text", Warning {
        meaning: "The text holds a lone surrogate, which became U+FFFD.",
        why: "Half of a character beyond the basic plane was escaped, which is no text. The text is scanned with U+FFFD in its place.",
        mend: "Write whole surrogate pairs.",
        example: Record(b"{\"completion\": \"ok \\ud83d\"}"),
    }
}

impl Code {
    /// The code's entry in [`CODES`].
    pub const fn info(self) -> &'static CodeInfo {
        &CODES[self as usize]
    }

    /// Whether it says that a call does not fit the tools that were offered, not that its text is malformed.
    pub const fn is_about_tools(self) -> bool {
        matches!(
            self,
            Self::UnknownTool
                | Self::UnknownType
                | Self::MissingArgument
                | Self::UnexpectedArgument
                | Self::InvalidArgument
                | Self::UnsafePath
                | Self::LossyCoercion
        )
    }

    /// The code's stable name.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// The code with this name.
    pub fn from_name(name: &str) -> Option<Code> {
        CODES.iter().find(|info| info.name == name).map(|info| info.code)
    }
}

/// A set of codes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeSet(u128);

impl CodeSet {
    /// Adds a code.
    pub fn insert(&mut self, code: Code) {
        self.0 |= 1 << code as u8;
    }

    /// Whether the code is in the set.
    pub fn contains(self, code: Code) -> bool {
        self.0 & (1 << code as u8) != 0
    }

    /// Whether the set holds no code.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The names of the codes, sorted by name.
    pub fn names(self) -> Vec<&'static str> {
        if self.is_empty() {
            return Vec::new();
        }
        let mut names: Vec<_> = CODES
            .iter()
            .filter(|info| self.contains(info.code))
            .map(|info| info.name)
            .collect();
        names.sort_unstable();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_fit_the_set() {
        let mut names: Vec<_> = CODES.iter().map(|info| info.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), CODES.len());
        assert!(CODES.len() <= 128);
        for info in CODES {
            assert_eq!(Code::from_name(info.name), Some(info.code));
        }
    }
}

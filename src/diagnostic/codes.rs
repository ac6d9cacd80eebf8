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
    /// One line: what it means.
    pub meaning: &'static str,
    /// One line: how to mend it.
    pub mend: &'static str,
}

macro_rules! codes {
    ($($variant:ident = $name:literal, $severity:ident, $meaning:literal, $mend:literal;)+) => {
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
                meaning: $meaning,
                mend: $mend,
            },)+
        ];
    };
}

codes! {
    UnclosedHeader = "unclosed_header", Error,
        "A header opens and its line ends before the header does.",
        "Close the header on the line where it begins.";
    EmptyHeader = "empty_header", Error,
        "A header holds no tool name.",
        "Write the tool's name into the header.";
    UnclosedBlock = "unclosed_block", Error,
        "A block opens and never closes.",
        "Write the closing marker; if the text was cut, raise the token limit.";
    InvalidToolName = "invalid_tool_name", Warning,
        "A tool name has characters outside the format's rule.",
        "Use letters, digits, `_` and `-`, and begin with a letter.";
    NestedMarker = "nested_marker", Warning,
        "An opening marker stands inside the body of an open block and is plain text there.",
        "Close the first block before opening the next.";
    MarkerVariant = "marker_variant", Warning,
        "A marker is written in a variant that is accepted.",
        "Write the marker exactly, variation selector included.";
    SelfClosingCall = "self_closing_call", Warning,
        "A header closes itself and the call has no body.",
        "Nothing, if the stack accepts the later form; else write the end marker.";
    NearMiss = "near_miss", Warning,
        "Something is nearly a marker of a format, and no parser would take it for one.",
        "Write the marker exactly.";
    MojibakeMarker = "mojibake_marker", Error,
        "A marker was encoded twice and is no longer one.",
        "Read and write the log as UTF-8.";
    StrayEndMarker = "stray_end_marker", Warning,
        "A closing marker stands where no block is open.",
        "Remove it, or write the opening marker.";
    StrayMarker = "stray_marker", Warning,
        "A marker stands in plain text and opens nothing: a mention.",
        "Nothing, if it is an explanation of the format.";
    InsideCodeFence = "inside_code_fence", Warning,
        "A call stands inside a Markdown code fence.",
        "Write the call outside of code fences.";
    InInlineCode = "in_inline_code", Warning,
        "A whole call stands inside inline code.",
        "Write the call without backticks around it.";
    CallInThink = "call_in_think", Warning,
        "A call stands inside hidden reasoning.",
        "Write the call behind the end of the reasoning.";
    UnexpectedInfo = "unexpected_info", Warning,
        "The info string of a tool fence holds more than a name and an id.",
        "Move the rest into the fence's body.";
    ConflictingField = "conflicting_field", Warning,
        "Two places give the same field different values.",
        "Give the field once.";
    WrongType = "wrong_type", Error,
        "A field has a value of the wrong type.",
        "Give the type that the format asks for.";
    InvalidState = "invalid_state", Error,
        "The state is none of those the format knows.",
        "Use one of the format's states.";
    InvalidYaml = "invalid_yaml", Error,
        "The body is not YAML, or not YAML within the limits.",
        "Mend the YAML at the place shown.";
    NotAMapping = "not_a_mapping", Error,
        "The YAML is no mapping.",
        "Write `key: value` lines.";
    DuplicateKey = "duplicate_key", Error,
        "A key stands twice in one object.",
        "Keep one of the two.";
    InvalidJson = "invalid_json", Error,
        "The content is not JSON; the detail says why.",
        "Mend the JSON at the place shown.";
    NotAnArray = "not_an_array", Error,
        "The content is JSON, but no array.",
        "Wrap the call in `[` and `]`.";
    NotAnObject = "not_an_object", Error,
        "An element of the array is no object.",
        "Write each call as an object.";
    MissingName = "missing_name", Error,
        "A call has no tool name.",
        "Name the tool.";
    EmptyName = "empty_name", Error,
        "A call's tool name is empty.",
        "Name the tool.";
    MissingArgs = "missing_args", Error,
        "A call has no arguments object.",
        "Write `\"args\": {}` for a call without arguments.";
    UnexpectedField = "unexpected_field", Warning,
        "A call has a field that the format does not know.",
        "Remove the field, or move it into the arguments.";
    BatchRejected = "batch_rejected", Error,
        "A sound call stands in a batch that is rejected because of another.",
        "Mend the other call of the batch.";
    JsonInCodeFence = "json_in_code_fence", Error,
        "The JSON stands inside a Markdown code fence.",
        "Write the JSON without a fence.";
    EmptyBatch = "empty_batch", Warning,
        "A batch holds no call.",
        "Leave the block out where there is nothing to call.";
    InvalidResults = "invalid_results", Warning,
        "A results block cannot be read.",
        "Write a JSON array of results and close the block.";
    ResultsCountMismatch = "results_count_mismatch", Warning,
        "There are more or fewer results than calls.",
        "Write one result a call, in order.";
    ResultNameMismatch = "result_name_mismatch", Warning,
        "A result names another tool than the call in its place.",
        "Keep the results in the order of the calls.";
    InvalidResultStatus = "invalid_result_status", Warning,
        "A result's status is neither `success` nor `failure`.",
        "Use one of the two.";
    OrphanResults = "orphan_results", Warning,
        "A results block has no batch of calls before it.",
        "Write results behind the calls that they belong to.";
    MissingField = "missing_field", Error,
        "A call lacks a field that the format requires.",
        "Write the field.";
    UnknownType = "unknown_type", Error,
        "A call's type is not in the format's catalogue.",
        "Use one of the catalogue's types.";
    DuplicateCallId = "duplicate_call_id", Error,
        "Two calls have the same id.",
        "Give every call an id of its own.";
    TextBeforeJson = "text_before_json", Error,
        "Text stands before the JSON of the calls.",
        "Begin the text with the JSON.";
    TextAfterJson = "text_after_json", Error,
        "Text stands between the JSON of the calls and the delimiter.",
        "Write the delimiter right behind the JSON.";
    RepeatedDelimiter = "repeated_delimiter", Warning,
        "The delimiter stands a second time.",
        "Write the delimiter once.";
    MissingDelimiter = "missing_delimiter", Error,
        "Calls stand at the text's start and no delimiter follows.",
        "Write the delimiter behind the calls.";
    DependencySeparator = "dependency_separator", Warning,
        "Dependencies are separated by a colon.",
        "Separate them by commas.";
    InvalidIdentifier = "invalid_identifier", Warning,
        "A name, id or dependency is no identifier.",
        "Use letters, digits and `_`, and do not begin with a digit.";
    EmptyCallId = "empty_call_id", Warning,
        "The header has a colon and no id behind it.",
        "Write the id or leave the colon out.";
    TextBeforeArguments = "text_before_arguments", Warning,
        "Text stands between the header and the first argument.",
        "Begin with the first argument.";
    EmptyPointer = "empty_pointer", Warning,
        "An argument has no pointer and is skipped.",
        "Name the argument.";
    InlineValue = "inline_value", Warning,
        "An argument's value seems to stand on the pointer's line.",
        "Write the value on the line below.";
    DuplicatePointer = "duplicate_pointer", Error,
        "An argument is given twice.",
        "Keep one of the two.";
    ArrayIndexGap = "array_index_gap", Error,
        "An array index skips places.",
        "Number the elements from 0 without gaps.";
    InvalidArrayIndex = "invalid_array_index", Error,
        "A pointer segment is no index of the array it points into.",
        "Use 0, 1, 2 and so on.";
    PointerConflict = "pointer_conflict", Error,
        "A pointer treats a plain value as a container, replaces one, or is too deep.",
        "Give each path one kind of value.";
    FencedArguments = "fenced_arguments", Warning,
        "A Markdown fence is wrapped around the arguments.",
        "Write the arguments without a fence.";
    UnknownDependency = "unknown_dependency", Warning,
        "A dependency names no call of the conversation so far.",
        "Depend on ids that exist.";
    DependencyCycle = "dependency_cycle", Error,
        "Calls wait for each other in a circle.",
        "Break the circle.";
    InvalidRecord = "invalid_record", Error,
        "A line of the log is not JSON.",
        "Mend or drop the line.";
    InvalidUtf8 = "invalid_utf8", Error,
        "The text holds bytes that are not UTF-8; they became U+FFFD.",
        "Write the log as UTF-8.";
    MissingText = "missing_text", Error,
        "No completion text was found in the record.",
        "Name the field with `--text-field`.";
    RecordTooLarge = "record_too_large", Error,
        "A record is larger than the limit and was skipped.",
        "Raise `--max-record-bytes`.";
    SourceTruncated = "source_truncated", Error,
        "A source broke off in the middle; what was read stays.",
        "Fetch the source again.";
    LossyText = "lossy_text", Warning,
        "The text holds a lone surrogate, which became U+FFFD.",
        "Write whole surrogate pairs.";
}

impl Code {
    /// The code's entry in [`CODES`].
    pub const fn info(self) -> &'static CodeInfo {
        &CODES[self as usize]
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

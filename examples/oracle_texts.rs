//! Writes texts and what the scanner finds in them, as JSON lines, for the comparison with a syntax's reference parser
//! (`scripts/oracles`): `oracle_texts SYNTAX COUNT SEED`.

use std::io::{self, BufWriter, Write};

use toolscan::body::json::write_string;
use toolscan::syntax::{self, SharedSyntax};
use toolscan::{Call, Scan, ScanOptions, Scanner, Span};

#[path = "../tests/scan/mutants.rs"]
mod mutants;

use mutants::Mutants;

const EXECUTE_BLOCK: &[&str] = &[
    "<execute>",
    "<execute>",
    "</execute>",
    "</execute>",
    "<execute>[",
    "]</execute>",
    "<results>",
    "</results>",
    "<results>[{\"tool\": \"a\", \"status\": \"success\", \"content\": 1}]</results>",
    "<end>",
    "<execute>[{\"name\": \"a\", \"args\": {}}]</execute>",
    "<execute>[{\"name\": \"a\", \"args\": {\"x\": \"</execute>\"}}]</execute>",
    "<execute>[]</execute>",
    "{\"name\": \"b\", \"args\": {\"k\": 1e3}}",
    "{\"name\": \"\", \"args\": {}}",
    "\"name\": \"c\"",
    "\"args\": {\"q\": [1, 2.50, \"\\ud83d\"]}",
    "\"extra\": 1,",
    "{\"args\": {\"v\": NaN}, \"name\": \"d\"}",
    "`<execute>`",
    "<thinking>",
    "</thinking>",
];

const GADGET_BLOCK: &[&str] = &[
    "!!!GADGET_START:",
    "!!!GADGET_START:G\n",
    "!!!GADGET_START:G:id_1\n",
    "!!!GADGET_START:G:id_2:id_1,id_3\n",
    "!!!GADGET_START: G : id : a:b\n",
    "!!!GADGET_START:G:\n",
    "\n!!!GADGET_END\n",
    "!!!GADGET_END",
    "!!!ARG:",
    "\n!!!ARG:a\n",
    "\n!!!ARG:a/0\n",
    "\n!!!ARG:a/1\n",
    "\n!!!ARG:a/b\n",
    "\n!!!ARG:a/-1\n",
    "\n!!!ARG:x\n007",
    "\n!!!ARG:y\n true \n",
    "\n!!!ARG:x/0/y\n-0.50",
    "12345678901234567890",
    "`!!!GADGET_START:G`",
    "!!!ARG:p!!!ARG:q",
    "!!!GADGET_START:F\n```yaml\n!!!ARG:a\nx\n```\n!!!GADGET_END\n",
    "!!!GADGET_START:F\n!!!ARG:a\n```py\nx\n```\n!!!GADGET_END\n",
    "/",
    "00",
    "<thinking>",
    "</thinking>",
];

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, count, seed] = arguments.as_slice() else {
        return Err(io::Error::other("usage: oracle_texts SYNTAX COUNT SEED"));
    };
    let wanted = |number: &str| number.parse().map_err(io::Error::other);
    let (count, seed): (u64, u64) = (wanted(count)?, wanted(seed)?);
    let own = match name.as_str() {
        "execute_block" => EXECUTE_BLOCK,
        "gadget_block" => GADGET_BLOCK,
        _ => return Err(io::Error::other(format!("{name} has no reference parser"))),
    };
    let syntax = syntax(name);
    let scanner = Scanner::new(vec![syntax.clone()], ScanOptions::default());
    let mut mutants = Mutants::new(syntax, own, seed);
    let mut out = BufWriter::new(io::stdout().lock());
    for _ in 0..count {
        let text = mutants.text();
        writeln!(out, "{}", line(&text, &scanner.scan(&text)))?;
    }
    out.flush()
}

fn syntax(name: &str) -> SharedSyntax {
    let all = syntax::all();
    let found = all.into_iter().find(|syntax| syntax.name() == name);
    found.expect("the name is one of the list")
}

fn line(text: &str, scan: &Scan) -> String {
    let calls = list(scan.calls.iter().map(call));
    let codes = list(scan.diagnostics.iter().map(|found| {
        let call = found
            .call_index
            .map_or("null".to_owned(), |index| index.to_string());
        format!(
            "{{\"code\":{},\"span\":{},\"call\":{call}}}",
            string(found.code.name()),
            range(found.span)
        )
    }));
    format!(
        "{{\"text\":{},\"calls\":{calls},\"codes\":{codes},\"think_bytes\":{}}}",
        string(text),
        scan.think_bytes
    )
}

fn call(call: &Call) -> String {
    let optional = |text: Option<&str>| text.map_or("null".to_owned(), string);
    let dependencies = call.dependencies.iter().flatten().map(|id| string(id));
    format!(
        "{{\"name\":{},\"arguments\":{},\"id\":{},\"dependencies\":{},\"raw_args\":{},\"valid\":{},\"block\":{},\
         \"span\":{},\"termination\":{},\"codes\":{}}}",
        optional(call.name.as_deref()),
        optional(call.arguments.as_deref()),
        optional(call.call_id.as_deref()),
        list(dependencies),
        optional(call.raw_args.as_deref()),
        call.is_valid(),
        call.block_index,
        call.span.map_or("null".to_owned(), range),
        optional(call.termination.map(toolscan::Termination::name)),
        list(call.codes.names().into_iter().map(string)),
    )
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

fn range(span: Span) -> String {
    format!("[{},{}]", span.start, span.end)
}

fn string(text: &str) -> String {
    let mut out = String::new();
    write_string(text, &mut out);
    out
}

// Compares the valid calls of toolscan with those of the original parser of gadget_block (llmist's GadgetCallParser).
//
// Reads on stdin the lines that examples/oracle_texts.rs writes. Where the two differ, the driver looks for edits of the
// text, each of which takes back one divergence that docs/divergences.md lists, under which both agree. A text for which
// there are none fails.
//
// usage: gadget_block.mjs PATH_OF_LLMIST < texts.jsonl

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { GadgetCallParser } = await import(pathToFileURL(`${process.argv[2]}/dist/index.js`));

// Shares of the texts that have to agree without any edit: of all, and of those in which toolscan sees a valid call.
const AGREE = 0.6;
const AGREE_WITH_CALLS = 0.4;
// Edits that are tried together at most, and how many combinations.
const EDITS = 12;
const TRIES = 5000;
// Think tags of which every reading is tried.
const TAGS = 12;

const START = "!!!GADGET_START:";
const END = "!!!GADGET_END";
const ARG = "!!!ARG:";
const LAST = "last_of_all";

/** All calls that the reference finds, broken ones too. */
function reference(text) {
  const parser = new GadgetCallParser();
  const events = [...parser.feed(text), ...parser.finalize()];
  return events.filter((event) => event.type === "gadget_call").map((event) => event.call);
}

/** The value with the members of objects in order. Numbers are f64 by nature here. */
function comparable(value) {
  if (Array.isArray(value)) return value.map(comparable);
  if (value === null || typeof value !== "object") return Object.is(value, -0) ? 0 : value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [`=${name}`, comparable(value[name])]));
}

/** Ids that the reference made up count from its start, not from the text's. Numbers them anew; `emptyIds` are ids that
 * have to be made up as well. */
function numbered(calls, emptyIds) {
  let count = 0;
  return calls.map((call) => {
    const madeUp = call.madeUp || (emptyIds && call.invocationId === "");
    return { ...call, id: madeUp ? `gadget_${++count}` : call.invocationId };
  });
}

/** Which headers have no id of their own is seen on the header alone. */
function withMadeUp(text, calls) {
  let from = 0;
  return calls.map((call) => {
    const at = text.indexOf(START, from);
    const line = text.indexOf("\n", at);
    from = line;
    const next = [text.indexOf(START, line), text.indexOf(END, line)].filter((place) => place >= 0);
    if (next.length > 0) from = Math.min(...next);
    return { ...call, madeUp: !text.slice(at + START.length, line).includes(":") };
  });
}

/** Why both see the same calls, or `null` if they do not: the kinds of divergence that lie in a call alone. */
function agreement(text, scan, { last = false, details = new Set() } = {}) {
  const found = numbered(withMadeUp(text, reference(text)), details.has("empty id"));
  const kinds = new Set(details);
  if (found.length !== scan.calls.length) return null;
  for (const [index, call] of found.entries()) {
    const expected = scan.calls[index];
    if (!expected.valid) {
      if (call.parseError !== undefined) continue;
      const kind = rejected(expected, call, scan.calls.slice(0, index));
      if (kind === null) return null;
      kinds.add(kind);
      continue;
    }
    if (call.parseError !== undefined) return null;
    const parameters = { ...call.parameters };
    if (last) delete parameters[LAST];
    const theirs = [call.gadgetName, call.id, call.dependencies, comparable(parameters)];
    const ours = [expected.name, expected.id, expected.dependencies, comparable(JSON.parse(expected.arguments))];
    if (JSON.stringify(theirs) !== JSON.stringify(ours)) return null;
  }
  return kinds;
}

/** Why toolscan rejects a call that the reference takes. */
function rejected(expected, call, earlier) {
  const pointers = expected.raw_args
    .split(ARG)
    .slice(1)
    .map((part) => part.split("\n")[0].trim())
    .filter((pointer) => pointer !== "")
    .map((pointer) => pointer.split("/").map((segment) => (/^\d+$/.test(segment) ? String(BigInt(segment)) : segment)));
  const has = (code) => expected.codes.includes(code);
  const startsWith = (long, short) => short.every((segment, place) => long[place] === segment);
  const pairs = pointers.flatMap((one, place) => pointers.slice(place + 1).map((other) => [one, other]));
  if (has("duplicate_call_id") && earlier.some(({ id }) => id === expected.id)) return "duplicate id";
  if (has("dependency_cycle") && expected.dependencies.length > 0) return "dependency cycle";
  if (has("missing_name") && call.gadgetName === "") return "empty name";
  if (has("duplicate_pointer") && pairs.some(([one, other]) => one.join("/") === other.join("/"))) return "aliased pointer";
  if (has("pointer_conflict") && pairs.some(([one, other]) => startsWith(one, other) || startsWith(other, one)))
    return "overwritten value";
  if (has("invalid_array_index") && pointers.flat().some(isLenientIndex)) return "lenient index";
  return null;
}

/** Whether JavaScript reads a number from a segment that is none, or a negative one. */
const isLenientIndex = (segment) => !/^\d+$/.test(segment) && !Number.isNaN(Number.parseInt(segment, 10));

const bytesOf = (text) => Buffer.from(text, "utf8");

/** The text with the edits made; `null` where two of them overlap. */
function apply(text, edits) {
  const pieces = [];
  let at = 0;
  for (const edit of edits.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    if (edit.start < at) return null;
    pieces.push(text.subarray(at, edit.start), bytesOf(edit.into));
    at = edit.end;
  }
  return Buffer.concat([...pieces, text.subarray(at)]).toString("utf8");
}

/** Makes plain text of a start marker, which still ends the block before it. */
const neutral = (kind, start) => ({ kind, start, end: start + START.length, into: END + START.toLowerCase() });

/** Whether backticks stand on both sides of the place, with no blank line between them; calls are opaque. */
function inBackticks(text, scan, at) {
  let [outside, from] = ["", 0];
  for (const { span } of scan.calls.filter((call) => call.span[1] <= at)) {
    outside += text.subarray(from, span[0]).toString();
    from = span[1];
  }
  const before = (outside + text.subarray(from, at).toString()).split(/\n[ \t>]*\r?\n/).at(-1);
  const after = text.subarray(at).toString().split(/\n[ \t>]*\r?\n/)[0];
  return before.includes("`") && after.includes("`");
}

/** Start markers that are plain text to toolscan. */
function mentions(text, scan) {
  const edits = [];
  for (const { code, span } of scan.codes) {
    if (text.subarray(span[0], span[1]).toString() !== START) continue;
    if (code === "stray_marker" && inBackticks(text, scan, span[0])) edits.push(neutral("inline code", span[0]));
    const line = text.subarray(span[1]).toString().split("\n", 1)[0];
    const holdsMarker = [START, END, ARG].some((marker) => line.includes(marker));
    if (code === "unclosed_header" && holdsMarker) edits.push(neutral("marker in a header", span[0]));
  }
  return edits;
}

/** Parts of headers as the reference would trim them. */
function names(text, scan) {
  const edits = [];
  for (const { span, name } of scan.calls) {
    const start = span[0] + START.length;
    const header = text.subarray(start).toString().split("\n", 1)[0];
    const blanks = /^\s*[^:]*?(\s+):/.exec(header);
    if (name === null || blanks === null) continue;
    const end = start + bytesOf(blanks[0]).length - 1;
    edits.push({ kind: "blanks behind a name", start: end - bytesOf(blanks[1]).length, end, into: "" });
  }
  return edits;
}

/** Where the argument text of a call begins and ends. */
function argumentsOf({ span, termination, raw_args: raw }) {
  const end = termination === "explicit" ? span[1] - END.length : span[1];
  return [end - bytesOf(raw).length, end];
}

/** Carriage returns in the line break in front of an argument's marker. */
function lineBreaks(text, scan) {
  return scan.calls.flatMap((call) => {
    const [start] = argumentsOf(call);
    return [...call.raw_args.matchAll(/\r(?=\n!!!ARG:)/g)].map((found) => {
      const at = start + bytesOf(call.raw_args.slice(0, found.index)).length;
      return { kind: "carriage return", start: at, end: at + 1, into: "" };
    });
  });
}

/** A last argument behind every call's own, so that the reference trims that one and not the call's. Where a fence stands
 * around the arguments, its closing line goes, as the reference would take it off. */
function lastArguments(text, scan) {
  return scan.calls.map((call) => {
    const [, end] = argumentsOf(call);
    const raw = call.raw_args;
    const closing = call.codes.includes("fenced_arguments") ? /(?:^|\n)[^\S\n]*(?:`{3,}|~{3,})\s*$/.exec(raw) : null;
    let tail = closing === null ? "" : closing[0].replace(/^\n/, "");
    const kind = closing === null ? "end of the last value" : "fence";
    let into = `${ARG}${LAST}\nx\n`;
    if (raw.slice(0, raw.length - tail.length).endsWith("\r\n")) {
      tail = `\r\n${tail}`;
      into = `\n${into}`;
    }
    return { kind, start: end - bytesOf(tail).length, end, into };
  });
}

const THINK_TAG = /<\/?think(?:ing)?>/g;

/** Ways to read the think tags in which as many bytes are hidden as in toolscan: lists of edits that hide. */
function readings(text, scan) {
  const latin = text.toString("latin1");
  const tags = [...latin.matchAll(THINK_TAG)].map((tag) => ({ start: tag.index, word: tag[0] }));
  const found = [];
  for (let chosen = tags.length > TAGS ? 0 : (1 << tags.length) - 1; chosen > 0; chosen--) {
    const regions = hidden(
      latin,
      tags.filter((_, place) => chosen & (1 << place)),
    );
    if (regions === null || regions.reduce((sum, region) => sum + region.inner, 0) !== scan.think_bytes) continue;
    // Reasoning ends a block that has no end marker.
    found.push(regions.map(({ start, end }) => ({ kind: "reasoning", start, end, into: END })));
  }
  // So do tags that hide nothing, as they stand in a code fence.
  const ending = tags.filter(({ start }) => scan.calls.some(({ span }) => span[1] === start));
  const ends = ending.map(({ start }) => ({ kind: "reasoning", start, end: start, into: END }));
  return [...found, ends];
}

/** What these tags hide; `null` where one of them is in the way. */
function hidden(text, live) {
  const regions = [];
  let at = 0;
  for (const { start, word } of live) {
    if (start < at) continue;
    if (word.startsWith("</")) {
      if (regions.length > 0) return null;
      at = start + word.length;
      regions.push({ start: 0, end: at, inner: start });
      continue;
    }
    const from = start + word.length;
    const closer = text.indexOf(`</${word.slice(1)}`, from);
    const inner = (closer < 0 ? text.length : closer) - from;
    at = closer < 0 ? text.length : closer + word.length + 1;
    regions.push({ start, end: at, inner });
  }
  return regions;
}

function* combinations(items, count, from = 0) {
  if (count === 0) {
    yield [];
    return;
  }
  for (let place = from; place <= items.length - count; place++) {
    for (const rest of combinations(items, count - 1, place + 1)) yield [items[place], ...rest];
  }
}

/** The kinds of edits under which both agree; `null` if there are none. */
function explain(scan) {
  const text = bytesOf(scan.text);
  const edits = [...mentions(text, scan), ...names(text, scan)].slice(0, EDITS);
  const codes = scan.codes.map(({ code }) => code);
  const details = new Set(codes.includes("empty_call_id") ? ["empty id"] : []);
  const breaks = lineBreaks(text, scan);
  const lasts = lastArguments(text, scan);
  let tries = 0;
  for (const reading of readings(text, scan)) {
    for (let count = 0; count <= edits.length; count++) {
      for (const chosen of combinations(edits, count)) {
        for (const values of [[], breaks, lasts, [...breaks, ...lasts]]) {
          if (++tries > TRIES) return null;
          const all = [...chosen, ...values, ...reading];
          const edited = apply(text, all);
          if (edited === null) continue;
          const kinds = agreement(edited, scan, { last: values.includes(lasts[0]), details });
          if (kinds === null) continue;
          for (const edit of all) kinds.add(edit.kind);
          return kinds;
        }
      }
    }
  }
  return null;
}

let [total, outright, withCalls, outrightWithCalls, explained, failed] = [0, 0, 0, 0, 0, 0];
const kinds = new Map();
for await (const line of createInterface({ input: process.stdin })) {
  const scan = JSON.parse(line);
  const holdsCalls = scan.calls.some((call) => call.valid);
  total += 1;
  withCalls += holdsCalls;
  if (agreement(scan.text, scan)?.size === 0) {
    outright += 1;
    outrightWithCalls += holdsCalls;
    continue;
  }
  const reasons = explain(scan);
  if (reasons === null) {
    failed += 1;
    if (failed <= 5) console.error(`not explained: ${line}\nreference: ${JSON.stringify(reference(scan.text))}`);
    continue;
  }
  explained += 1;
  for (const kind of reasons) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
}
console.log(`gadget_block: ${total} texts, ${outright} agree outright, ${explained} by listed divergences:`);
for (const [kind, count] of [...kinds].sort(([, one], [, other]) => other - one)) console.log(`  ${kind}: ${count}`);
if (outright < AGREE * total || outrightWithCalls < AGREE_WITH_CALLS * withCalls || withCalls === 0) {
  console.log(`too few agree outright: ${outright} of ${total}, ${outrightWithCalls} of ${withCalls} with calls`);
  failed += 1;
}
console.log(`${outright + explained} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

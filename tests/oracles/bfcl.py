"""Builds logs from BFCL's tasks and answers, breaks them one way at a time, and requires exactly the code.

Usage: bfcl.py WHEEL TOOLSCAN SCRATCH
"""

import copy
import json
import pathlib
import subprocess
import sys
import zipfile

import pyarrow.parquet

CATEGORIES = [
    "simple_python", "multiple", "parallel", "parallel_multiple",
    "live_simple", "live_multiple", "live_parallel", "live_parallel_multiple",
]
SYNTAXES = ["execute_block", "scissors_cat", "markdown_fence", "gadget_block", "emoji_bracket"]
CODES = {"unknown_tool", "unknown_type", "missing_argument", "unexpected_argument", "invalid_argument", "lossy_coercion"}
# The leaderboard's own names of types (constants/type_mappings.py), for Python.
KINDS = {"string": str, "integer": int, "float": (int, float), "boolean": bool, "array": list, "tuple": list, "dict": dict}


def fits(value, schema):
    """Whether the leaderboard's own checker takes the value for one of the declared type."""
    kind = KINDS.get(schema.get("type"))
    if kind is None:
        return True
    if not isinstance(value, kind) or isinstance(value, bool) and kind is not bool:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if isinstance(value, list):
        return all(fits(item, schema.get("items", {})) for item in value)
    if isinstance(value, dict):
        required = set(schema.get("required", []))
        properties = schema.get("properties", {})
        return required <= set(value) and all(fits(item, properties.get(key, {})) for key, item in value.items())
    return True


def resolved(value):
    """An answer without alternatives: those inside of objects are lists of which the first counts."""
    if isinstance(value, dict):
        chosen = {key: next((option for option in options if option != ""), None) if isinstance(options, list) else options
                  for key, options in value.items()}
        return {key: resolved(item) for key, item in chosen.items() if item is not None}
    if isinstance(value, list):
        return [resolved(item) for item in value]
    return value


def chosen(answer, function):
    """Arguments of the declared types, or None where an answer has none of the declared type."""
    properties = function["parameters"].get("properties", {})
    arguments = {}
    for key, options in answer.items():
        if key not in properties:
            return None
        options = [resolved(option) for option in options if option != ""]
        fitting = [option for option in options if fits(option, properties[key])]
        if fitting:
            arguments[key] = fitting[0]
        elif key in function["parameters"].get("required", []):
            return None
    required = function["parameters"].get("required", [])
    return arguments if set(required) <= set(arguments) else None


def tasks(wheel):
    with zipfile.ZipFile(wheel) as archive:
        for category in CATEGORIES:
            folder = "bfcl_eval/data/"
            lines = lambda path: [json.loads(line) for line in archive.read(path).decode().splitlines()]
            answers = {entry["id"]: entry for entry in lines(f"{folder}possible_answer/BFCL_v4_{category}.json")}
            for task in lines(f"{folder}BFCL_v4_{category}.json"):
                functions = {function["name"]: function for function in task["function"]}
                calls = []
                for answer in answers[task["id"]]["ground_truth"]:
                    [(name, arguments)] = answer.items()
                    calls.append((name, functions.get(name) and chosen(arguments, functions[name])))
                yield task["id"], task["function"], functions, calls


# How each syntax writes a call. None: it cannot be written so.

def compact(value):
    return json.dumps(value, ensure_ascii=False)


def execute_block(calls, functions):
    return "<execute>" + compact([{"name": name, "args": arguments} for name, arguments in calls]) + "</execute>"


def scissors_cat(calls, functions):
    elements = [{"type": name, "id": f"c{index}", "operation": "call", "parameters": arguments}
                for index, (name, arguments) in enumerate(calls)]
    return compact(elements) + "\n\n✂️🐱\n"


def markdown_fence(calls, functions):
    fences = [f"```tool\nname: {compact(name)}\ninput: {compact(arguments)}\n```\n" for name, arguments in calls]
    return None if any("```" in compact(arguments) for _, arguments in calls) else "\n".join(fences)


def gadget_block(calls, functions):
    text = ""
    for name, arguments in calls:
        text += f"!!!GADGET_START:{name}\n"
        for key, value in arguments.items():
            written = gadget_arguments(key, value)
            if written is None:
                return None
            text += written
        text += "!!!GADGET_END\n"
    return text


def gadget_arguments(pointer, value):
    if isinstance(value, (dict, list)):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        written = [gadget_arguments(f"{pointer}/{key}", part) for key, part in parts]
        return None if not written or None in written else "".join(written)
    if value is None:
        return None
    text = value if isinstance(value, str) else compact(value)
    return f"!!!ARG:{pointer}\n{text}\n"


def is_string(function, name):
    return function["parameters"]["properties"][name].get("type") in ("string", "String", "char")


def emoji_bracket(calls, functions):
    text = ""
    for name, arguments in calls:
        names = list(functions[name]["parameters"].get("properties", {}))
        strings = [key for key in names if is_string(functions[name], key)]
        body = strings[-1] if strings and arguments.get(strings[-1]) else None
        tokens = []
        for key in (key for key in names if key != body):
            if key not in arguments:
                break
            tokens.append(token(arguments[key]))
        if None in tokens or len(tokens) + (body is not None) < len(arguments):
            return None
        text += f"🛠️[{' '.join([name, *tokens])}]\n{arguments.get(body, '')}🛠️[/end]\n"
    return text


def token(value):
    if isinstance(value, (dict, list)) or value is None:
        return None
    text = value if isinstance(value, str) else compact(value)
    return text if text and not any(mark.isspace() or mark == "]" for mark in text) and text != "/" else None


# How a call is broken. Each gives the call, and the codes that it earns; None where it cannot be broken so.

def drop(name, arguments, function):
    key = next((key for key in function["parameters"].get("required", []) if key in arguments), None)
    if key is None:
        return None
    return name, {other: value for other, value in arguments.items() if other != key}, {"missing_argument"}


def rename(name, arguments, function):
    if not arguments:
        return None
    key = next(iter(arguments))
    required = key in function["parameters"].get("required", [])
    renamed = {("renamed_" + other if other == key else other): value for other, value in arguments.items()}
    return name, renamed, {"unexpected_argument"} | ({"missing_argument"} if required else set())


WRONG = {"string": {"wrong": "x"}, "integer": "wrong", "float": "wrong", "boolean": "wrong", "array": "wrong", "tuple": "wrong", "dict": "wrong"}


def retype(name, arguments, function):
    properties = function["parameters"].get("properties", {})
    key = next((key for key in arguments if properties[key].get("type") in WRONG), None)
    if key is None:
        return None
    return name, {**arguments, key: WRONG[properties[key]["type"]]}, {"invalid_argument"}


def unknown(name, arguments, function):
    return name + "_of_no_one", arguments, {"unknown_tool"}


def extra(name, arguments, function):
    return name, {**arguments, "surplus": "x"}, {"unexpected_argument"}


def broken(calls, functions):
    """Each way to break the first call, with what it earns."""
    name, arguments = calls[0]
    for how in (drop, rename, retype, unknown, extra):
        made = how(name, copy.deepcopy(arguments), functions[name])
        if made is not None:
            yield how.__name__, [made[:2], *calls[1:]], made[2]


def broken_tokens(calls, functions):
    """The same for calls without names of arguments: a last token less, a token of another type, a token more."""
    name, arguments = calls[0]
    names = list(functions[name]["parameters"].get("properties", {}))
    strings = [key for key in names if is_string(functions[name], key)]
    body = strings[-1] if strings and arguments.get(strings[-1]) else None
    given = [key for key in names if key in arguments and key != body]
    properties = functions[name]["parameters"].get("properties", {})
    required = functions[name]["parameters"].get("required", [])
    text = emoji_bracket([calls[0]], functions)
    rest = emoji_bracket(calls[1:], functions)
    if text is None or rest is None:
        return
    header, behind = text.split("]", 1)
    yield "unknown", header.replace(name, name + "_of_no_one", 1) + "]" + behind + rest, {"unknown_tool"}
    if given and given[-1] in required and (body or not strings):
        yield "drop", header.rsplit(" ", 1)[0] + "]" + behind + rest, {"missing_argument"}
    if given and properties[given[-1]].get("type") in ("integer", "float", "boolean"):
        yield "retype", header.rsplit(" ", 1)[0] + " wrong]" + behind + rest, {"invalid_argument"}
    free = [key for key in names if key != body]
    if len(given) == len(free) and not (free and properties[free[-1]].get("type") in ("array", "tuple")):
        yield "extra", header + " surplus]" + behind + rest, {"unexpected_argument"}


def records(wheel, counts):
    for task, tools, functions, calls in tasks(wheel):
        if not calls or any(arguments is None for _, arguments in calls):
            counts["tasks whose answers are not of the declared types"] += 1
            continue
        counts["tasks"] += 1
        for syntax in SYNTAXES:
            write = globals()[syntax]
            if syntax == "emoji_bracket":
                variants = [("whole", write(calls, functions), set()), *broken_tokens(calls, functions)]
            else:
                variants = [("whole", write(calls, functions), set())]
                variants += [(how, write(made, functions), codes) for how, made, codes in broken(calls, functions)]
            for how, text, codes in variants:
                if text is None:
                    continue
                if syntax == "scissors_cat" and codes == {"unknown_tool"}:
                    codes = {"unknown_type"}
                counts[f"{syntax} {how}"] += 1
                yield {"id": f"{task} {syntax} {how}", "completion": text, "tools": tools, "expected_syntax": syntax}, len(calls), codes


def main(wheel, toolscan, scratch):
    scratch = pathlib.Path(scratch)
    counts = dict.fromkeys(["tasks", "tasks whose answers are not of the declared types"], 0)
    counts.update({f"{syntax} {how}": 0 for syntax in SYNTAXES for how in ("whole", "drop", "rename", "retype", "unknown", "extra")})
    expected = {}
    with open(scratch / "log.jsonl", "w", encoding="utf-8") as log:
        for record, calls, codes in records(wheel, counts):
            expected[record["id"]] = (calls, codes)
            log.write(json.dumps(record) + "\n")
    subprocess.run([toolscan, "ingest", scratch / "log.jsonl", "--out", f"{scratch}/tables/", "--quiet",
                    "--tools-field", "tools", "--tools-dialect", "bfcl"], check=True)
    found = {id: [] for id in expected}
    for row in pyarrow.parquet.read_table(scratch / "tables/calls.parquet").to_pylist():
        found[row["completion_id"]].append(row)
    failed = 0
    for id, (calls, codes) in expected.items():
        faults = list(judge(found[id], calls, codes))
        failed += bool(faults)
        if faults and failed <= 20:
            print(f"{id}: {'; '.join(faults)}")
    for name, count in counts.items():
        print(f"{count:6} {name}")
    print(f"{len(expected) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


def judge(rows, calls, codes):
    if len(rows) != calls:
        yield f"{len(rows)} calls, not {calls}"
        return
    for index, row in enumerate(rows):
        wanted = codes if index == 0 else set()
        own = CODES & set(row["codes"])
        if own != wanted:
            yield f"call {index} has {sorted(own)}, not {sorted(wanted)}"
        known = not wanted & {"unknown_tool", "unknown_type"}
        fits_schema = None if not known else not wanted
        if (row["tool_known"], row["schema_valid"], row["valid"], row["parses"]) != (known, fits_schema, not wanted, True):
            yield f"call {index}: {row['tool_known']=} {row['schema_valid']=} {row['valid']=} {row['parses']=} {row['codes']}"


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Has Inspect write a log, as `.eval` and as `.json`. Run by scripts/containers in a folder of its own."""

import sys
from pathlib import Path

import tiktoken


class Words:
    """Instead of a vocabulary that would have to be fetched."""

    def encode(self, text, **_):
        return text.split()


tiktoken.get_encoding = lambda _: Words()

from inspect_ai import Task, eval  # noqa: E402
from inspect_ai.dataset import Sample  # noqa: E402
from inspect_ai.log import read_eval_log, write_eval_log  # noqa: E402
from inspect_ai.model import ModelOutput, get_model  # noqa: E402
from inspect_ai.scorer import includes  # noqa: E402
from inspect_ai.solver import generate, use_tools  # noqa: E402
from inspect_ai.tool import tool  # noqa: E402


@tool
def read():
    async def execute(file: str):
        """Read a file.

        Args:
            file: The file.
        """
        return f"content of {file}"

    return execute


MODEL = "mockllm/model"
LONG = "Let me think about it. " * 10
ANSWERS = [
    ModelOutput.from_content(MODEL, LONG + '<execute>[{"name": "read", "args": {"file": "a.txt"}}]</execute>'),
    ModelOutput.for_tool_call(MODEL, "read", {"file": "b.txt"}),
    ModelOutput.from_content(MODEL, "Done. 🛠️[shell]\nls\n🛠️[/end]"),
]

folder = Path(sys.argv[1])
task = Task(
    dataset=[Sample(id="one", input="Read a.txt.", target="x"), Sample(id="two/2", input="Read b.", target="y")],
    solver=[use_tools(read()), generate()],
    scorer=includes(),
    epochs=2,
    name="demo",
)
[log] = eval(
    task,
    model=get_model(MODEL, custom_outputs=ANSWERS * 2),
    log_format="eval",
    log_dir="logs",
    display="none",
    max_samples=1,
)
assert log.status == "success", log.error
(folder / "inspect.eval").write_bytes(Path(log.location).read_bytes())
write_eval_log(read_eval_log(log.location), str(folder / "inspect.json"))

"""Calls every tool by the steps of tour.json, for any Python client."""

import json
from pathlib import Path

STEPS = json.loads((Path(__file__).parent / "tour.json").read_text())


def filled(value, saved):
    """The value with the ids of earlier steps."""
    text = json.dumps(value)
    for name, own in saved.items():
        text = text.replace("${" + name + "}", own)
    return json.loads(text)


async def tour(call):
    """Runs the steps with `call(tool, arguments)`, which returns the structured result, the text and whether it is an error.
    Returns the names of the called tools."""
    saved = {}
    for step in STEPS:
        tool = step["tool"]
        result, text, is_error = await call(tool, filled(step["arguments"], saved))
        refused = step.get("refused")
        assert is_error == (refused is not None), f"{tool}: {text}"
        if refused is not None:
            assert refused in text, f"{tool}: {text}"
            continue
        assert isinstance(result, dict), f"{tool} has no structured result: {text}"
        for name, wanted in filled(step.get("equals", {}), saved).items():
            assert result[name] == wanted, f"{tool}: {name} is {result[name]!r}"
        for name, part in filled(step.get("has", {}), saved).items():
            assert part in json.dumps(result[name]), f"{tool}: {part} is not in {name}: {result[name]!r}"
        for name, field in step.get("save", {}).items():
            saved[name] = result[field]
    return sorted({step["tool"] for step in STEPS})

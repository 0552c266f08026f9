"""Checks a server against recorded expectations of the memory-plugin contract, with Python's standard library only.

    check.py ADDRESS CASES.json GROUP [NAME=VALUE …]

A case has a request, the expected status and the shape of the body. `${NAME}` in a request or a shape is a given value, or one
that an earlier case saved. A shape is a value that the body must equal, except that these texts stand for any value of their
kind: `<text>`, `<uuid>`, `<time>`, `<number>`, `<positive>`, `<object>`, `<any>`; `<has>…` is a text that contains the rest. An object
has exactly the members of its shape; a name that ends with `?` may be absent. The shape `null` is an empty body. A request may
say `{"<repeat>": [PART, TIMES]}`.
"""

import http.client
import json
import re
import sys
import urllib.parse

KINDS = {
    "<any>": lambda value: True,
    "<text>": lambda value: isinstance(value, str) and value.strip() != "",
    "<uuid>": lambda value: isinstance(value, str) and bool(re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", value)),
    "<time>": lambda value: isinstance(value, str) and bool(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", value)),
    "<number>": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "<positive>": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0,
    "<object>": lambda value: isinstance(value, dict),
}


def filled(shape, values):
    if isinstance(shape, str):
        whole = re.fullmatch(r"\$\{(\w+)\}", shape)
        if whole:
            return values[whole.group(1)]
        return re.sub(r"\$\{(\w+)\}", lambda name: str(values[name.group(1)]), shape)
    if isinstance(shape, list):
        return [filled(item, values) for item in shape]
    if isinstance(shape, dict) and list(shape) == ["<repeat>"]:
        part, times = shape["<repeat>"]
        return part * times
    if isinstance(shape, dict):
        return {name: filled(item, values) for name, item in shape.items()}
    return shape


def differences(shape, value, path="body"):
    if isinstance(shape, str) and shape in KINDS:
        return [] if KINDS[shape](value) else [f"{path} is {value!r}, not {shape}"]
    if isinstance(shape, str) and shape.startswith("<has>"):
        wanted = shape.removeprefix("<has>")
        return [] if isinstance(value, str) and wanted in value else [f"{path} is {value!r}, without {wanted!r}"]
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return [f"{path} is {value!r}, not an object"]
        found = []
        for name, item in shape.items():
            plain = name.removesuffix("?")
            if plain in value:
                found += differences(item, value[plain], f"{path}.{plain}")
            elif plain == name:
                found.append(f"{path}.{name} is missing")
        known = {name.removesuffix("?") for name in shape}
        return found + [f"{path}.{name} is not expected" for name in value if name not in known]
    if isinstance(shape, list):
        if not isinstance(value, list) or len(value) != len(shape):
            return [f"{path} is {value!r}, not a list of {len(shape)}"]
        return [one for at, (item, got) in enumerate(zip(shape, value)) for one in differences(item, got, f"{path}[{at}]")]
    return [] if shape == value and type(shape) is type(value) else [f"{path} is {value!r}, not {shape!r}"]


def send(address, request):
    host = urllib.parse.urlsplit(address).netloc
    connection = http.client.HTTPConnection(host, timeout=60)
    headers = dict(request.get("headers", {}))
    body = request.get("raw")
    if body is None and "body" in request:
        body = json.dumps(request["body"])
    if body is not None:
        headers.setdefault("Content-Type", "application/json")
        body = body.encode()
    connection.request(request["method"], request["path"], body=body, headers=headers)
    response = connection.getresponse()
    return response.status, response.read().decode()


def lookup(value, path):
    for step in path.split("."):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def main(address, cases, group, *given):
    with open(cases, encoding="utf-8") as file:
        groups = json.load(file)
    values = dict(pair.split("=", 1) for pair in given)
    failures = []
    for case in groups[group]:
        status, text = send(address, filled(case["request"], values))
        found = [] if status == case["status"] else [f"status is {status}, not {case['status']}"]
        try:
            body = json.loads(text) if text else None
        except ValueError:
            body, found = None, [*found, f"the body is no JSON: {text!r}"]
        shape = filled(case.get("body"), values)
        found += differences(shape, body)
        if found:
            failures.append(f"{case['name']}: {'; '.join(found)}\n    {text[:400]}")
            continue
        for name, path in case.get("save", {}).items():
            values[name] = lookup(body, path)
    if failures:
        sys.exit("\n".join(failures))
    print(json.dumps({"checked": len(groups[group]), "values": values}))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Writes `src/orgmem/types.py` from the OpenAPI description of a server.

    python scripts/generate_types.py openapi.json

It is run during development only: the result is checked in, and a test compares it with the description of the server.
"""

from __future__ import annotations

import json
import keyword
import sys
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent
TYPES = PACKAGE / "src" / "orgmem" / "types.py"
NOT_COVERED = PACKAGE.parent / "not-covered.txt"

# Required fields that the methods take as parameters of their own. `XFields` has the other fields of `X`.
PARAMETERS = {
    "CommitMemory": ("content",),
    "PutEntry": ("key", "value"),
    "AppendEpisode": ("activity_type",),
    "AddTurn": ("messages",),
    "CreateWorkspace": ("name",),
    "CreateProfile": ("name",),
}
# An output of a node is any JSON object.
ANY_OBJECT = {"RunOutput"}

HEAD = '''"""Requests and responses, written by scripts/generate_types.py from /openapi.json. Not edited by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired
'''

Schema = dict[str, Any]


def generated(description: Schema) -> str:
    """The text of `types.py` for this description."""
    schemas: dict[str, Schema] = description["components"]["schemas"]
    operations = covered(description)
    names = reached(schemas, [operation for operation, _ in operations])
    parts = [query(operation, parameters) for operation, parameters in operations]
    parts += [declaration(name, schemas[name], schemas) for name in sorted(names)]
    return HEAD + "".join(part for part in sorted(filter(None, parts), key=order))


def order(part: str) -> tuple[int, str]:
    """Aliases come after the classes, which their values need when they are evaluated, and unions come last."""
    ranks = {" = Literal": 1, " = TypedDict": 2, " = Union": 3}
    return (next((rank for mark, rank in ranks.items() if mark in part.split("[")[0]), 0), part)


def left_out() -> set[str]:
    lines = NOT_COVERED.read_text().splitlines()
    return {line.split()[0] for line in lines if line and not line.startswith("#")}


def covered(description: Schema) -> list[tuple[Schema, list[Schema]]]:
    """Each operation of the client with its parameters, by id."""
    omitted = left_out()
    operations = [operation for path in description["paths"].values() for operation in path.values()]
    wanted = [operation for operation in operations if operation.get("operationId", "") not in omitted]
    return [(one, one.get("parameters", [])) for one in sorted(wanted, key=lambda one: str(one["operationId"]))]


def reached(schemas: dict[str, Schema], roots: Any) -> set[str]:
    """The names of the schemas that `roots` refer to, directly or through others."""
    waiting, found = references(roots), set[str]()
    while waiting:
        name = waiting.pop()
        if name in found or name in ANY_OBJECT or name == "String":
            continue
        found.add(name)
        waiting += references(schemas[name])
    return found


def references(value: Any) -> list[str]:
    if isinstance(value, list):
        return [name for item in value for name in references(item)]
    if not isinstance(value, dict):
        return []
    target = value.get("$ref", "")
    own = [target.rsplit("/", 1)[1]] if target.startswith("#/components/schemas/") else []
    return own + [name for item in value.values() for name in references(item)]


def query(operation: Schema, parameters: list[Schema]) -> str | None:
    """The filters of a list: its parameters in the address, except those that the methods name themselves."""
    fields = {one["name"]: one for one in parameters if one.get("in") == "query" and one["name"] not in ("cursor", "q")}
    if len(fields) < 3:
        return None
    name = "".join(word.capitalize() for word in operation["operationId"].split("_")) + "Query"
    text = f"Parameters of `{operation['operationId']}`."
    # a keyword cannot be a member of a class, so a base has it
    keywords = {key: fields.pop(key) for key in list(fields) if keyword.iskeyword(key)}
    members = [member(key, field["schema"], False, field.get("description")) for key, field in fields.items()]
    if not keywords:
        return typed_dict(name, text, members)
    named = ", ".join(f'"{key}": "{kind(field["schema"])}"' for key, field in keywords.items())
    base = f'\n{name}Keywords = TypedDict("{name}Keywords", {{{named}}}, total=False)\n'
    return base + typed_dict(name, text, members, base=f"{name}Keywords")


def declaration(name: str, schema: Schema, schemas: dict[str, Schema]) -> str:
    merged = merge(schema, schemas)
    if "properties" not in merged:
        return f"\n{name} = {kind(merged)}\n"
    required = set(merged.get("required", ()))
    if any(map(keyword.iskeyword, merged["properties"])):
        # a keyword cannot be a member of a class
        fields = ", ".join(f'"{key}": "{kind(field)}"' for key, field in merged["properties"].items())
        return f'\n{name} = TypedDict("{name}", {{{fields}}})\n'
    apart = PARAMETERS.get(name, ())
    members = {
        key: member(key, field, key in required, field_text(field)) for key, field in merged["properties"].items()
    }
    rest = [text for key, text in members.items() if key not in apart]
    text = schema.get("description", f"`{name}`.")
    if not apart:
        return typed_dict(name, text, rest)
    optional = typed_dict(f"{name}Fields", f"The optional fields of `{name}`.", rest)
    return optional + typed_dict(name, text, [members[key] for key in apart], base=f"{name}Fields")


def merge(schema: Schema, schemas: dict[str, Schema]) -> Schema:
    """`allOf`, or the alternatives of an object, as one object."""
    alternatives = schema.get("oneOf", ())
    if alternatives and all("properties" in one for one in alternatives):
        return {"properties": {key: field for one in alternatives for key, field in one["properties"].items()}}
    if "allOf" not in schema:
        return schema
    whole: Schema = {"properties": {}, "required": []}
    for part in schema["allOf"]:
        part = merge(schemas[part["$ref"].rsplit("/", 1)[1]] if "$ref" in part else part, schemas)
        whole["properties"] |= part.get("properties", {})
        whole["required"] += part.get("required", [])
    return whole


def typed_dict(name: str, text: str, members: list[str], base: str = "TypedDict") -> str:
    return f'\n\nclass {name}({base}):\n    """{docstring(text)}"""\n\n{"".join(members) or "    pass"}'.rstrip() + "\n"


def docstring(text: str) -> str:
    return "\n    ".join(line.strip() for line in text.replace("\\", "\\\\").splitlines())


def field_text(field: Schema) -> str | None:
    """The description of a field, or of its one type."""
    return field.get("description") or next(
        (one["description"] for one in field.get("oneOf", ()) if "description" in one), None
    )


def member(key: str, field: Schema, required: bool, text: str | None) -> str:
    if not key.isidentifier() or key.startswith("__"):
        raise SystemExit(f"`{key}` cannot be a member of a class")
    notes = "".join(f"    # {line.strip()}\n" for line in (text or "").splitlines())
    type_ = kind(field)
    return f"{notes}    {key}: {type_ if required else f'NotRequired[{type_}]'}\n"


def kind(schema: Schema | bool) -> str:
    """The type of a value, in Python's words."""
    if schema is True or not schema:
        return "Any"
    assert isinstance(schema, dict)
    if "$ref" in schema:
        name = str(schema["$ref"].rsplit("/", 1)[1])
        return {"String": "str"}.get(name, "dict[str, Any]" if name in ANY_OBJECT else name)
    if "const" in schema:
        return f"Literal[{schema['const']!r}]"
    if "enum" in schema:
        return f"Literal[{', '.join(json.dumps(value) for value in schema['enum'])}]"
    several = schema.get("oneOf") or schema.get("anyOf")
    if several:
        return union([kind(one) for one in several])
    types = schema.get("type", "any")
    return union([simple(one, schema) for one in ([types] if isinstance(types, str) else types)])


def union(kinds: list[str]) -> str:
    """A union of different types; `Union` also works where the members are classes that exist already."""
    different = list(dict.fromkeys(kinds))
    return different[0] if len(different) == 1 else f"Union[{', '.join(different)}]"


def simple(name: str, schema: Schema) -> str:
    if name == "array":
        return f"list[{kind(schema.get('items', {}))}]"
    if name == "object":
        more = schema.get("additionalProperties")
        if "properties" in schema:
            # an object without a name of its own, such as an item of a batch
            return "dict[str, Any]"
        return f"dict[str, {kind(more) if isinstance(more, dict) else 'Any'}]"
    return {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}.get(name, "Any")


if __name__ == "__main__":
    TYPES.write_text(generated(json.loads(Path(sys.argv[1]).read_text())))

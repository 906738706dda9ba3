#!/usr/bin/env python3
"""Copies into each schema what it uses of other schemas, so that each file can be used alone: make schemas

The manifest has the whole of the model's schema in its "$defs", as it is, and refers to it by its "$id" (JSON Schema
2020-12, section 9.3: a compound document). Of a single definition the copy says in "$comment" what it is a copy of. The
other file is the source; SchemaTests fails while a copy differs from it.
"""
import json
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "Schemas"
COPY = "copy of "


def read(name: str) -> dict:
    return json.loads((FOLDER / name).read_text())


def copy(definition: dict) -> dict:
    """The source of a copy, as it is now."""
    comment = definition.get("$comment", "")
    if comment.startswith(COPY):
        file, name = comment.removeprefix(COPY).split("#/$defs/")
        return {"$comment": comment} | read(file)["$defs"][name]
    return definition


for path in sorted(FOLDER.glob("*.schema.json")):
    schema = read(path.name)
    definitions = schema.get("$defs", {})
    changed = {key: copy(definition) for key, definition in definitions.items()}
    if path.name == "manifest.v1.schema.json":
        changed["model"] = read("model.v1.schema.json")
    if changed != definitions:
        path.write_text(json.dumps(schema | {"$defs": changed}, indent=2, ensure_ascii=False) + "\n")

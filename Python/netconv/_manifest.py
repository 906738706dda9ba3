"""A manifest, and where it says that tensors are."""
from __future__ import annotations

import hashlib
import json
import os
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ._errors import NetconvError

BAD_DATA = 65
CANNOT_OPEN = 66
_FILE = re.compile(r"weights/[^/]+|model\.(?:netpack|safetensors|npz)")
# A string of JSON, or blanks between values.
_STRING_OR_BLANKS = re.compile(rb'("(?:[^"\\]|\\.)*")|[ \t\r\n]+')


class Place(NamedTuple):
    """Bytes of a file."""

    file: Path
    offset: int
    length: int


class Manifest:
    """The manifest of a folder or of a lone archive, after its own checksum was compared."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.archive: Path | None = None
        data = self._read()
        try:
            document = json.loads(data)
        except ValueError as error:
            raise self.damaged("manifest.json is not JSON") from error
        if not isinstance(document, dict) or document.get("format") != "netconv-manifest":
            raise self.damaged("manifest.json is no manifest of netconv")
        if document.get("version") != 1:
            raise self.damaged(f"its manifest has version {document.get('version')}, and this package knows version 1")
        self.document: Mapping[str, Any] = document
        self._check_checksum(data)
        tensors = document.get("tensors")
        if not isinstance(tensors, list) or not all(isinstance(each, dict) for each in tensors):
            raise self.damaged("manifest.json lists no tensors")
        self.tensors: list[Mapping[str, Any]] = tensors
        names = [self.text(tensor, "name") for tensor in tensors]
        if len(set(names)) != len(names):
            raise self.damaged("manifest.json has two tensors of one name")

    def damaged(self, why: str) -> NetconvError:
        return NetconvError(f"{self.path}: {why}", BAD_DATA)

    def text(self, document: Mapping[str, Any], key: str) -> str:
        value = document.get(key)
        if not isinstance(value, str):
            raise self.damaged(f"manifest.json: '{key}' is not a string")
        return value

    def _read(self) -> bytes:
        path = Path(self.path)
        try:
            if path.is_dir():
                return (path / "manifest.json").read_bytes()
            with zipfile.ZipFile(path) as archive:
                self.archive = path
                return archive.read("manifest.json")
        except (KeyError, zipfile.BadZipFile) as error:
            raise self.damaged("is no folder and no archive that netconv has written") from error
        except OSError as error:
            name = error.filename or self.path
            raise NetconvError(f"{os.fspath(name)}: {error.strerror or error}", CANNOT_OPEN) from error

    def _check_checksum(self, data: bytes) -> None:
        """Compares the SHA-256 that the manifest states of itself, blanks aside; earlier ones state none."""
        stated = self.document.get("sha256")
        if stated is None:
            return
        compact = _STRING_OR_BLANKS.sub(lambda match: match.group(1) or b"", data)
        before, key, after = compact.partition(b'"sha256":"' + str(stated).encode())
        blank = before + b'"sha256":"' + b"0" * 64 + after
        if not key or hashlib.sha256(blank).hexdigest() != stated:
            raise self.damaged("manifest.json was changed after it was written")

    def places(self, container: str | None) -> dict[str, Place]:
        """Where each tensor is, in one container for all."""
        if self.archive is not None:
            if container not in (None, "archive"):
                raise NetconvError(f"{self.path}: is an archive, and has no {container}", 64)
            container = "archive"
        each = [self._places(tensor) for tensor in self.tensors]
        if container is None:
            container = next((name for name in ("bin", "archive", "safetensors", "npz")
                              if all(name in places for places in each)), None)
        result = {}
        for tensor, places in zip(self.tensors, each):
            if container is None or container not in places:
                raise NetconvError(
                    f"{self.path}: tensor '{tensor['name']}' is not in {container or 'a container that load reads'}; "
                    f"it is in {', '.join(places)}", 64)
            result[tensor["name"]] = self._place(tensor["name"], places[container])
        return result

    def _places(self, tensor: Mapping[str, Any]) -> Mapping[str, Any]:
        places = tensor.get("places")
        if not isinstance(places, dict) or not all(isinstance(place, dict) for place in places.values()):
            raise self.damaged(f"manifest.json does not say where tensor '{tensor['name']}' is")
        return places

    def _place(self, name: str, place: Mapping[str, Any]) -> Place:
        file = self.text(place, "file")
        offset, length = place.get("offset"), place.get("length")
        # bool is an int, and no place.
        if type(offset) is not int or type(length) is not int or offset < 0 or length < 0:
            raise self.damaged(f"manifest.json: the location of tensor '{name}' is invalid")
        if not _FILE.fullmatch(file):
            raise self.damaged(f"manifest.json: tensor '{name}' is in '{file}', which netconv does not write")
        return Place(self.archive or Path(self.path) / file, offset, length)

"""The verbs of the program as functions."""
from __future__ import annotations

from collections.abc import Sequence

from ._errors import NetconvError
from ._program import StrPath, options, path, run
from ._reports import Conversion, Inspection, Verification


def convert(
    source: StrPath, destination: StrPath, *, target: str | None = None, dtype: str | Sequence[str] | None = None,
    formats: Sequence[str] | None = None, model: StrPath | None = None, force: bool = False, strict: bool = False,
    arguments: Sequence[str] = (),
) -> Conversion:
    """Writes the weights of a network in the layout that a target expects.

    Every tensor is read back and compared with the source before anything is published. `arguments` are further
    options, as on the command line. Raises NetconvError; warnings are `NetconvWarning`s.
    """
    document, code, said = run("convert", [
        path(source), path(destination),
        *options(target=target, dtype=_list(dtype), formats=None if formats is None else ",".join(formats),
                 model=model, force=force, strict=strict),
        *arguments])
    if code != 0:
        raise NetconvError(said or "the verdict is negative", code)
    return Conversion.of(document)


def inspect(
    source: StrPath, *, model: StrPath | None = None, strict: bool = False, arguments: Sequence[str] = (),
) -> Inspection:
    """Returns the layers, shapes, layouts and sizes of a network. Raises NetconvError."""
    document, code, said = run("inspect", [path(source), *options(model=model, strict=strict), *arguments])
    if code != 0:
        raise NetconvError(said or "the verdict is negative", code)
    return Inspection.of(document)


def verify(
    source: StrPath, *, images: StrPath | None = None, labels: StrPath | None = None,
    min_accuracy: float | None = None, against: StrPath | None = None, limit: int | None = None,
    model: StrPath | None = None, arguments: Sequence[str] = (), check: bool = True,
) -> Verification:
    """Runs a network on samples with labels and returns its accuracy; without `images` on the built-in MNIST test set.

    If the verdict is negative, such as an accuracy below `min_accuracy`, raises NetconvError with exit_code 1 and the
    report; with `check=False` returns a report whose `passed` is False.
    """
    document, code, said = run("verify", [
        path(source),
        *options(images=images, labels=labels, min_accuracy=min_accuracy, against=against, limit=limit, model=model),
        *arguments])
    report = Verification.of(document)
    if code != 0 and check:
        raise NetconvError(said or "the verdict is negative", code, report)
    return report


def _list(value: str | Sequence[str] | None) -> list[str] | None:
    if value is None:
        return None
    return [value] if isinstance(value, str) else list(value)

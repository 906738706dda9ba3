"""Writes rearrangements.json: tensors moved by einops and numpy, to check Rearrangement against.

    python make_rearrangements.py    (einops, numpy)

Pattern and sizes are written by hand, as a person would ask einops; `flip` is applied to the result by
numpy. All axes of a case have different sizes.
"""
import json
import pathlib

import einops
import numpy as np

# source layout, target layout, sizes of all axes, axes to flip, pattern, sizes that einops has to be told
CASES = [
    ("HWIO", "OHWI", "H2 W3 I4 O5", "", "h w i o -> o h w i", {}),
    ("HWIO", "OIHW", "H2 W3 I4 O5", "", "h w i o -> o i h w", {}),
    ("OIHW", "OHWI", "H3 W2 I5 O4", "", "o i h w -> o h w i", {}),
    ("OIHW", "HWIO", "H3 W2 I5 O4", "HW", "o i h w -> h w i o", {}),
    ("IOHW", "OHWI", "H3 W2 I5 O4", "HW", "i o h w -> o h w i", {}),
    ("(HWI)O", "OHWI", "H3 W4 I2 O5", "", "(h w i) o -> o h w i", {"h": 3, "w": 4}),
    ("(IHW)O", "OHWI", "H3 W4 I2 O5", "", "(i h w) o -> o h w i", {"i": 2, "h": 3}),
    ("O(IHW)", "OHWI", "H3 W4 I2 O5", "", "o (i h w) -> o h w i", {"i": 2, "h": 3}),
    ("O(HWI)", "(IHW)O", "H3 W4 I2 O5", "", "o (h w i) -> (i h w) o", {"h": 3, "w": 4}),
    ("OHWI", "(HWI)O", "H3 W4 I2 O5", "", "o h w i -> (h w i) o", {}),
    ("OHWI", "O(IHW)", "H3 W4 I2 O5", "W", "o h w i -> o (i h w)", {}),
    ("IO", "OHWI", "I3 O4", "", "i o -> o 1 1 i", {}),
    ("OHWI", "IO", "I3 O4", "", "o 1 1 i -> i o", {}),
    ("(HWI)O", "OHWI", "H1 W4 I3 O2", "", "(h w i) o -> o h w i", {"h": 1, "w": 4}),
    ("1HW(IM)", "HWIM", "H2 W3 I4 M5", "", "1 h w (i m) -> h w i m", {"i": 4}),
    ("HWIM", "1HW(IM)", "H2 W3 I4 M5", "H", "h w i m -> 1 h w (i m)", {}),
    ("HWIM", "(MI)1HW", "H2 W3 I4 M5", "", "h w i m -> (m i) 1 h w", {}),
    ("1HWI", "IHW", "H2 W3 I4", "", "1 h w i -> i h w", {}),
    ("WIO", "OIW", "W3 I4 O5", "W", "w i o -> o i w", {}),
    ("(WI)O", "OHWI", "W3 I4 O5", "", "(w i) o -> o 1 w i", {"w": 3}),
    ("(HW)(IO)", "(OH)(WI)", "H2 W3 I4 O5", "", "(h w) (i o) -> (o h) (w i)", {"h": 2, "i": 4}),
    ("DHWIO", "ODHWI", "D2 H3 W4 I1 O5", "DHW", "d h w i o -> o d h w i", {}),
    ("C", "C11", "C3", "C", "c -> c 1 1", {}),
]


def sizes_of(text):
    return {part[0]: int(part[1:]) for part in text.split()}


def dimensions(layout):
    """The letters of each dimension: "1HW(IM)" is [[], [H], [W], [I, M]]."""
    result, group = [], None
    for letter in layout:
        if letter == "(":
            group = []
        elif letter == ")":
            result.append(group)
            group = None
        elif group is not None:
            group.append(letter)
        else:
            result.append([] if letter == "1" else [letter])
    return result


def shape(layout, sizes):
    return [int(np.prod([sizes.get(axis, 1) for axis in part], dtype=int)) for part in dimensions(layout)]


cases = []
for source, target, text, flip, pattern, needed in CASES:
    sizes = sizes_of(text)
    stored = np.arange(np.prod(list(sizes.values()))).reshape(shape(source, sizes))
    moved = einops.rearrange(stored, pattern, **needed)
    # Flips act on single axes, so the groups of the target are split for them.
    single = [axis for part in dimensions(target) for axis in part]
    split = moved.reshape([sizes.get(axis, 1) for axis in single])
    for axis in flip:
        split = np.flip(split, single.index(axis))
    cases.append({
        "source": source, "target": target, "sizes": sizes,
        "flip": [axis.lower() for axis in single if axis in flip], "pattern": pattern,
        "patternSizes": needed, "shape": list(moved.shape), "values": split.ravel().tolist(),
    })

lines = ",\n".join("  " + json.dumps(case, sort_keys=True) for case in cases)
path = pathlib.Path(__file__).with_name("rearrangements.json")
path.write_text("[\n" + lines + "\n]\n")

"""Writes filters.npz and cases.json: pictures after steps, as scipy, Pillow, TensorFlow and numpy make them.

    python make_filters.py    (numpy, scipy, pillow, tensorflow)

All axes have different sizes. A case names its input, the steps as texts, and its output.
"""
import json
import pathlib

import numpy as np

from oracles import (LUMA, box, gaussian, linear_to_srgb, pillow, saturation, srgb_to_linear, straight,
                     tensorflow)

HERE = pathlib.Path(__file__).parent
random = np.random.default_rng(20)
rgb = random.integers(0, 256, (13, 19, 3)).astype(np.float64)
gray = random.integers(0, 256, (9, 14, 1)).astype(np.float64)
rgba = random.integers(0, 256, (11, 16, 4)).astype(np.float64)
rgba[2:6, 3:9, 3] = 0
wide = random.integers(0, 256, (6, 400, 3)).astype(np.float64)
inputs = {"rgb": rgb, "gray": gray, "rgba": rgba, "wide": wide}
cases = []
outputs = {}


def case(name, steps, result):
    key = f"out{len(cases)}"
    cases.append({"input": name, "steps": steps.split(), "output": key})
    outputs[key] = np.asarray(result, np.float32)


for factor in (0, 0.5, 1, 1.75):
    case("rgb", f"saturation={factor}", saturation(rgb, factor))
case("rgba", "saturation=0.25", np.concatenate([saturation(rgba[..., :3], 0.25), rgba[..., 3:]], axis=2))
case("rgb", "channels=bgr saturation=0.25", saturation(rgb, 0.25)[..., ::-1])
case("rgb", "gray", (rgb @ LUMA)[..., None])
case("rgba", "gray", np.stack([rgba[..., :3] @ LUMA, rgba[..., 3]], axis=2))
case("rgb", "channels=bgr", rgb[..., ::-1])
gray_alpha = np.stack([rgba[..., :3] @ LUMA, rgba[..., 3]], axis=2)
opacity = rgba[..., 3:] / 255
case("gray", "color", np.repeat(gray, 3, axis=2))
case("gray", "scale=2 color mean=1,2,3", np.repeat(2 * gray, 3, axis=2) - [1, 2, 3])
case("rgba", "gray color", np.concatenate([np.repeat(gray_alpha[..., :1], 3, axis=2), rgba[..., 3:]], axis=2))
case("rgb", "color", rgb)
case("gray", "color gray scale=0.5", gray * 0.5)
case("rgb", "opaque=255", rgb)
case("rgba", "opaque", rgba[..., :3])
case("rgba", "opaque=255", rgba[..., :3] * opacity + 255 * (1 - opacity))
case("rgba", "opaque=10,20,30", rgba[..., :3] * opacity + np.array([10, 20, 30]) * (1 - opacity))
case("rgba", "gray opaque=7", gray_alpha[..., :1] * opacity + 7 * (1 - opacity))
case("rgb", "invert=255", 255 - rgb)
case("rgb", "scale=0.5,2,-1 offset=1,2,3", rgb * [0.5, 2, -1] + [1, 2, 3])
case("rgb", "mean=123.68,116.779,103.939 deviation=58.393,57.12,57.375",
     (rgb - [123.68, 116.779, 103.939]) / [58.393, 57.12, 57.375])
case("rgb", "saturation=0.5 channels=bgr scale=0.25 mean=1,2,3 invert=10 gray offset=7",
     ((10 - (saturation(rgb, 0.5)[..., ::-1] * 0.25 - [1, 2, 3])) @ LUMA[::-1] + 7)[..., None])
case("rgb", "encoding=linear", srgb_to_linear(rgb))
case("rgba", "encoding=linear", np.concatenate([srgb_to_linear(rgba[..., :3]), rgba[..., 3:]], axis=2))
case("rgb", "offset=0.25 encoding=linear scale=1.5 encoding=sRGB",
     linear_to_srgb(1.5 * srgb_to_linear(rgb + 0.25)))

for radius in (0, 0.3, 1, 2.5, 7, 30):
    case("rgb", f"blur={radius}", gaussian(rgb, radius))
case("gray", "blur=3,sigma=0.8", gaussian(gray, 3, 0.8))
case("wide", "blur=20", gaussian(wide, 20))
case("rgba", "blur=2", straight(rgba, lambda x: gaussian(x, 2)))
for radius in (0, 1, 4, 25):
    case("rgb", f"boxBlur={radius}", box(rgb, radius))
case("rgba", "boxBlur=2", straight(rgba, lambda x: box(x, 2)))
case("rgb", "encoding=linear blur=2 encoding=sRGB", linear_to_srgb(gaussian(srgb_to_linear(rgb), 2)))

for method in ("nearest", "bilinear", "area", "bicubic"):
    for width, height in ((8, 5), (19, 27), (41, 13), (57, 39), (1, 1), (12, 30)):
        case("rgb", f"resize={width}x{height},{method}", tensorflow(rgb, width, height, method))
        case("rgb", f"resize={width}x{height},{method},antialias", pillow(rgb, width, height, method))
# Far from the start, the places of new pixels have rounding errors that their brightness must not show.
case("wide", "resize=799x6,area", tensorflow(wide, 799, 6, "area"))
case("gray", "resize=5x20,bicubic,antialias", pillow(gray, 5, 20, "bicubic"))
case("rgba", "resize=7x5,bicubic,antialias", straight(rgba, lambda x: pillow(x, 7, 5, "bicubic")))
case("rgba", "resize=31x23", straight(rgba, lambda x: tensorflow(x, 31, 23, "bilinear")))

case("rgb", "crop=3,2,10x7", rgb[2:9, 3:13])
case("rgb", "pad=1,2,3,4,value=10:20:30",
     np.stack([np.pad(rgb[..., c], ((2, 4), (1, 3)), constant_values=10 * (c + 1)) for c in range(3)], axis=2))
case("gray", "pad=2", np.pad(gray, ((2, 2), (2, 2), (0, 0))))
for quarters in (1, 2, 3):
    case("rgb", f"turn={90 * quarters}", np.rot90(rgb, -quarters))
case("rgb", "transpose", rgb.transpose(1, 0, 2))
# 19 x 13 into 12 x 12 is 12 x 8, with two rows on both sides.
case("rgb", "fit=12x12,bilinear,value=9", np.pad(tensorflow(rgb, 12, 8, "bilinear"), ((2, 2), (0, 0), (0, 0)),
                                                 constant_values=9))
# 19 x 13 over 12 x 12 is 18 x 12, of which three columns are cut off on both sides.
case("rgb", "fill=12x12,bicubic,antialias", pillow(rgb, 18, 12, "bicubic")[:, 3:15])


def inside(change, x, y, width, height):
    result = rgb.copy()
    result[y:y + height, x:x + width] = change(rgb)[y:y + height, x:x + width]
    return result


case("rgb", "blur=2.5@4,3,9x6", inside(lambda x: gaussian(x, 2.5), 4, 3, 9, 6))
case("rgb", "saturation=0@0,6,19x7", inside(lambda x: saturation(x, 0), 0, 6, 19, 7))
case("rgb", "boxBlur=3@0,0,5x13", inside(lambda x: box(x, 3), 0, 0, 5, 13))

arrays = {name: array.astype(np.float32) for name, array in inputs.items()} | outputs
np.savez_compressed(HERE / "filters.npz", **arrays)
(HERE / "cases.json").write_text("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]\n")

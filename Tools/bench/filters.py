"""Filters of pictures beside OpenCV's, and how soon a slider's picture is there."""
from collections.abc import Iterator
from pathlib import Path

from context import Bench, core_count, reported
from processes import Program
from table import Figure, Limit, Row

# 12 megapixels with 41 taps.
HEIGHT, WIDTH, RADIUS = 3000, 4000, 20
REPEAT = 5
# Milliseconds of the chain of saturation and blur at 512 x 512 and radius 7.
SLIDER = 4


def sliders(bench: Bench, *arguments: object) -> Program:
    """The sample that moves sliders; it is built beside netconv."""
    program = Path(bench.netconv).parent / "filter-sliders"
    return Program("netconv", [str(program), *map(str, arguments)])


def blur(bench: Bench) -> Iterator[Row]:
    threads = min(2, core_count())
    size = [HEIGHT, WIDTH]
    options = ["--threads", threads, "--repeat", REPEAT]
    peer = bench.peer("OpenCV", "cv2_blur.py", *size, RADIUS, *options, modules=("cv2", "numpy"))
    if not peer:
        return
    own = sliders(bench, "time", f"blur={RADIUS}", *size, *options)
    results = bench.alternate(own, *peer)
    if "OpenCV" not in results:
        return
    times = {name: result.median(reported("medianMilliseconds")) for name, result in results.items()}
    yield Row(f"blur of 12 megapixels, 41 taps, {threads} threads", f"{Figure(times['netconv'], 'ms')}",
              f"OpenCV: {Figure(times['OpenCV'], 'ms')}", Figure(times["netconv"] / times["OpenCV"]), Limit(1.2))


def slider(bench: Bench) -> Iterator[Row]:
    """The median of 1,000 moves of either slider."""
    result = bench.alternate(sliders(bench, "move", "--json"))["netconv"]
    time = result.median(reported("medianMilliseconds"))
    yield Row("a slider's picture, 512 x 512, radius 7", f"{Figure(time, 'ms')}", "60 frames a second: 16.7 ms",
              Figure(time, "ms"), Limit(SLIDER))

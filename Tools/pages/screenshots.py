#!/usr/bin/env python3
"""Makes the pictures of pages that the README shows.

Usage: screenshots.py NETCONV_BINARY ROOT [--into FOLDER]

They are of the samples, and of a copy of Deep MNIST with a kernel whose height and width are exchanged.
"""
import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from browser import launch
from cases import damage

MOST_BYTES = 150_000
# The name of each picture, the command, whether it is dark, the width and height of the window, and what is chosen first.
PICTURES = [
    ("verify-page.png", ["verify", "transposed.h5", "--against", "deep-mnist.h5"], False, (1280, 960), None),
    ("inspect-page.png", ["inspect", "deep-mnist.h5"], True, (1280, 960), "conv2"),
]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("netconv", type=Path)
    parser.add_argument("root", type=Path)
    parser.add_argument("--into", type=Path)
    options = parser.parse_args()
    into = options.into or options.root / "Docs/images"
    into.mkdir(parents=True, exist_ok=True)
    failed = False
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        shutil.copy(options.root / "Samples/deep-mnist/deep-mnist.h5", folder)
        damage(folder / "deep-mnist.h5", folder / "transposed.h5", "transposed")
        browser = launch(playwright)
        for picture, arguments, dark, (width, height), layer in PICTURES:
            subprocess.run(
                [str(options.netconv.resolve()), *arguments, "--html", f"{picture}.html"], cwd=folder, check=False,
                stdout=subprocess.DEVNULL)
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", offline=True)
            page = context.new_page()
            page.goto((folder / f"{picture}.html").as_uri())
            if layer:
                page.get_by_label("Find a layer").first.fill(layer)
                page.keyboard.press("Enter")
                page.wait_for_timeout(500)
                page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
            page.wait_for_timeout(300)
            page.screenshot(path=str(into / picture))
            context.close()
            size = (into / picture).stat().st_size
            print(f"{into / picture}: {size:,} bytes")
            failed |= size > MOST_BYTES
        browser.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Opens netconv's pages in Debian's Chromium and looks for what must not be.

Usage: pages.py NETCONV_BINARY ROOT [--scratch FOLDER] [--only TEXT] [--quick] [--screenshots FOLDER]

Pages of every fixture and sample, of five large architectures, and of inputs whose names are markup. Of each: nothing in
the console, no request, nothing that the policy forbids; every number is that of --json; Tab reaches every control; axe
finds nothing. Of all but fixtures: light and dark, at a desk and on a phone; every button pressed; at most 3,000 nodes
in the document at any zoom; the longest task while scrolling and zooming, as the median of five runs; a PDF. --quick
takes one run, and a page of one fixture. The exit status is 1 if something is not as it should be.
"""
import argparse
import statistics
import sys
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

import bad_page
import checks
import values
from browser import launch, visit
from cases import Case, Cases

RUNS = 5
# Dark or light, and phone or desk: of every page, and of all but fixtures.
LOOKS = [(False, False), (True, True)]
MORE_LOOKS = [(True, False), (False, True)]
MOST_FAULTS = 20


def examine(browser: Browser, case: Case, folder: Path, runs: int, screenshots: Path | None) -> list[str]:
    """All that is wrong with the page of a case."""
    faults = checks.size(case) + checks.policy(case)
    looks = LOOKS + (MORE_LOOKS if case.is_thorough else [])
    for dark, phone in looks:
        look = f"{'dark' if dark else 'light'} {'phone' if phone else 'desk'}"
        opened = visit(browser, case.page, dark=dark, phone=phone)
        try:
            if screenshots and case.is_thorough:
                opened.page.screenshot(path=str(screenshots / f"{case.name}-{look.replace(' ', '-')}.png"), full_page=True)
            found = checks.accessibility(opened) + checks.width(opened) + checks.rendered(opened)
            if (dark, phone) == (False, False):
                found += checks.numbers(opened, case) + checks.keyboard(opened) + values.check(opened, case)
            if case.is_thorough and (dark, phone) in LOOKS:
                found += checks.press_everything(opened)
                found += checks.accessibility(opened) if (dark, phone) == (False, False) else []
                found += checks.rendered(opened) + checks.numbers(opened, case)
            found += checks.intruders(opened)
            if case.kind == "hostile":
                found += checks.hostile_names(opened, case)
            found += opened.new_faults()
            faults += [f"{look}: {fault}" for fault in dict.fromkeys(found)]
        finally:
            opened.close()
    if case.is_thorough:
        faults += measure(browser, case, folder, runs)
    return faults


def measure(browser: Browser, case: Case, folder: Path, runs: int) -> list[str]:
    """How large and how quick a page is, and whether it prints."""
    opened = visit(browser, case.page)
    try:
        faults, most = checks.zooming(opened)
        faults += checks.printing(opened, folder / f"{case.name}.pdf") + opened.new_faults()
    finally:
        opened.close()
    tasks = []
    for _ in range(runs):
        opened = visit(browser, case.page)
        try:
            tasks.append(checks.longest_task(opened))
        finally:
            opened.close()
    task = statistics.median(tasks)
    if task > checks.LONGEST_TASK or min(tasks) < 0:
        faults.append(f"a task of {task:.0f} ms while scrolling and zooming (runs: {', '.join(f'{t:.0f}' for t in tasks)})")
    print(f"    {most:,} nodes at most; longest task {task:.0f} ms", flush=True)
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("netconv", type=Path)
    parser.add_argument("root", type=Path)
    parser.add_argument("--scratch", type=Path, default=Path(".build/pages"))
    parser.add_argument("--only", default="", help="a part of the cases' names")
    parser.add_argument("--quick", action="store_true", help="one page of a fixture, one run")
    parser.add_argument("--screenshots", type=Path, help="where pictures of pages are kept, to be looked at")
    options = parser.parse_args()
    cases = Cases(str(options.netconv.resolve()), options.root.resolve(), options.scratch.resolve())
    if not cases.verbs:
        print("no verb has --html", file=sys.stderr)
        return 1
    if options.quick:
        chosen = [Case("inspect-quick", ["inspect", "Samples/deep-mnist/deep-mnist.h5"], "sample")]
    else:
        chosen = [case for case in cases.all() if options.only in case.name]
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    failed, opened, unread = 0, 0, 0
    with sync_playwright() as playwright:
        browser = launch(playwright)
        silent = bad_page.unnoticed(browser, cases.folder)
        if silent:
            print(f"a page with all that must not be passes: {', '.join(silent)}", file=sys.stderr)
            return 1
        for case in chosen:
            start = time.monotonic()
            problem = cases.make(case)
            if problem and case.kind == "fixture" and problem.startswith("no report"):
                # What netconv does not read has no page.
                unread += 1
                continue
            faults = [problem] if problem else examine(
                browser, case, cases.folder, 1 if options.quick else RUNS, options.screenshots)
            opened += 1
            failed += bool(faults)
            print(f"{'not ok' if faults else 'ok'}  {case.name}  {time.monotonic() - start:.1f} s", flush=True)
            for fault in faults[:MOST_FAULTS]:
                print(f"    {fault}", flush=True)
            if len(faults) > MOST_FAULTS:
                print(f"    and {len(faults) - MOST_FAULTS} more", flush=True)
        browser.close()
    print(f"{opened} pages of {', '.join(sorted(cases.verbs))}; {failed} not as they should be; {unread} fixtures are not read")
    return 1 if failed or not opened else 0


if __name__ == "__main__":
    sys.exit(main())

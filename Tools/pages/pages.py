#!/usr/bin/env python3
"""Opens netconv's pages in Debian's Chromium and looks for what must not be.

Usage: pages.py NETCONV_BINARY ROOT [--scratch FOLDER] [--only TEXT] [--quick] [--screenshots FOLDER]

Pages of every fixture and sample, of five large architectures, and of inputs whose names are markup. Of each: nothing in
the console, no request, nothing that the policy forbids; every number is that of --json; Tab reaches every control; axe
finds nothing. Of all but fixtures: light and dark, at a desk and on a phone; every button pressed; at most 3,000 nodes
in the document at any zoom; the longest task while scrolling and zooming, as the median of five runs; a PDF. The
exit status is 1 if something is not as it should be, or if nothing was looked at.
"""
import argparse
import os
import statistics
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import sync_playwright

import bad_page
import checks
import colours
import values
from browser import Windows, launch
from cases import KINDS, Case, Cases

RUNS = 5
# Dark or light, and phone or desk: of every page, and of all but fixtures.
LOOKS = [(False, False), (True, True)]
MORE_LOOKS = [(True, False), (False, True)]
MOST_FAULTS = 20


def examine(windows: Windows, case: Case, folder: Path, runs: int, screenshots: Path | None) -> tuple[list[str], list[str]]:
    """All that is wrong with the page of a case, and what was measured."""
    faults = checks.size(case) + checks.policy(case)
    looks = LOOKS + (MORE_LOOKS if case.is_thorough else [])
    for dark, phone in looks:
        look = f"{'dark' if dark else 'light'} {'phone' if phone else 'desk'}"
        opened = windows.visit(case.page, dark=dark, phone=phone)
        try:
            if screenshots and case.is_thorough:
                opened.page.screenshot(path=str(screenshots / f"{case.name}-{look.replace(' ', '-')}.png"), full_page=True)
            # What only texts and elements decide is the same in every look.
            all_rules = case.is_thorough or (dark, phone) == (False, False)
            found = checks.accessibility(opened, None if all_rules else checks.RULES_OF_LOOK) + checks.width(opened) + checks.rendered(opened)
            if (dark, phone) == (False, False):
                found += checks.numbers(opened, case) + checks.keyboard(opened) + values.check(opened, case) + colours.check(opened, case)
            if case.is_thorough and (dark, phone) in LOOKS:
                found += checks.press_everything(opened, case)
                found += checks.accessibility(opened) if (dark, phone) == (False, False) else []
                found += checks.rendered(opened)
            found += checks.intruders(opened)
            if case.kind == "hostile":
                found += checks.hostile_names(opened, case)
            found += opened.new_faults()
            faults += [f"{look}: {fault}" for fault in dict.fromkeys(found)]
        finally:
            opened.close()
    notes = []
    if case.is_thorough:
        slow, notes = measure(windows, case, folder, runs)
        faults += slow
    return faults, notes


def measure(windows: Windows, case: Case, folder: Path, runs: int) -> tuple[list[str], list[str]]:
    """How large and how quick a page is, and whether it prints: what is wrong with that, and what was measured."""
    opened = windows.visit(case.page, is_fresh=True)
    try:
        faults, most = checks.zooming(opened)
        faults += checks.printing(opened, folder / f"{case.name}.pdf") + opened.new_faults()
    finally:
        opened.close()
    tasks = []
    for _ in range(runs):
        opened = windows.visit(case.page, is_fresh=True)
        try:
            tasks.append(checks.longest_task(opened))
        finally:
            opened.close()
    task = statistics.median(tasks)
    if task > checks.LONGEST_TASK or min(tasks) < 0:
        faults.append(f"a task of {task:.0f} ms of the CPU while scrolling and zooming (runs: {', '.join(f'{t:.0f}' for t in tasks)})")
    return faults, [f"{most:,} nodes at most; longest task {task:.0f} ms"]


@dataclass
class Outcome:
    """What became of a case: what is printed of it, and how it counts."""
    text: str
    failed: bool = False
    unread: bool = False


class Worker:
    """A process with a browser of its own."""
    own: "Worker"

    def __init__(self, cases: Cases, options: argparse.Namespace):
        self.cases, self.options = cases, options
        self.windows = Windows(launch(sync_playwright().start()))

    @staticmethod
    def begin(cases: Cases, options: argparse.Namespace) -> None:
        Worker.own = Worker(cases, options)

    @staticmethod
    def unnoticed() -> list[str]:
        return bad_page.unnoticed(Worker.own.windows, Worker.own.cases.folder)

    @staticmethod
    def work(case: Case) -> Outcome:
        try:
            return Worker.own.outcome(case)
        except Exception:  # pylint: disable=broad-except
            # A page that breaks a check is a page that fails it.
            return Outcome(f"not ok  {case.name}\n    {traceback.format_exc()}", failed=True)

    def outcome(self, case: Case) -> Outcome:
        start = time.monotonic()
        problem = self.cases.make(case)
        if problem and case.kind == "fixture" and problem.startswith("no report"):
            # What netconv does not read has no page.
            return Outcome("", unread=True)
        runs = 1 if self.options.quick else RUNS
        faults, notes = ([problem], []) if problem else examine(
            self.windows, case, self.cases.folder, runs, self.options.screenshots)
        lines = [f"{'not ok' if faults else 'ok'}  {case.name}  {time.monotonic() - start:.1f} s", *notes, *faults[:MOST_FAULTS]]
        if len(faults) > MOST_FAULTS:
            lines.append(f"and {len(faults) - MOST_FAULTS} more")
        return Outcome("\n    ".join(lines), failed=bool(faults))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("netconv", type=Path)
    parser.add_argument("root", type=Path)
    parser.add_argument("--scratch", type=Path, default=Path(".build/pages"))
    parser.add_argument("--kind", action="append", choices=list(KINDS), help="a kind of cases; all without")
    parser.add_argument("--only", default="", help="a part of the cases' names")
    parser.add_argument("--quick", action="store_true", help="each page once, without five runs of what is timed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="browsers at a time")
    parser.add_argument("--screenshots", type=Path, help="where pictures of pages are kept, to be looked at")
    options = parser.parse_args()
    cases = Cases(str(options.netconv.resolve()), options.root.resolve(), options.scratch.resolve())
    if not cases.verbs:
        print("no verb has --html", file=sys.stderr)
        return 1
    chosen = cases.chosen(options.kind or list(KINDS), options.only)
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    failed, opened, unread = 0, 0, 0
    with ProcessPoolExecutor(min(options.jobs, max(1, len(chosen))), initializer=Worker.begin, initargs=(cases, options)) as pool:
        silent = pool.submit(Worker.unnoticed).result()
        if silent:
            print(f"a page with all that must not be passes: {', '.join(silent)}", file=sys.stderr)
            return 1
        for outcome in pool.map(Worker.work, chosen):
            if outcome.unread:
                unread += 1
                continue
            opened += 1
            failed += outcome.failed
            print(outcome.text, flush=True)
    print(f"{opened} pages of {', '.join(sorted(cases.verbs))}; {failed} not as they should be; {unread} fixtures are not read")
    return 1 if failed or not opened else 0


if __name__ == "__main__":
    sys.exit(main())

"""Running tests, and how long each has taken."""
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile

# Seconds that listing tests and starting takes.
START = 3
# A test that is stopped after so many times what it took before, and so many seconds, hangs.
HANGS = 10


class Times:
    """Seconds that each test took the last time, by its name in the form Module.Suite/function()."""

    def __init__(self, path: pathlib.Path):
        self.path = path
        self.seconds = json.loads(path.read_text()) if path.exists() else {}

    def suites(self):
        return sorted({module(test) for test in self.seconds})

    def left_out(self, own, related, budget):
        """The tests that have no room in `budget` seconds, in which those of changed modules come first, fast ones before
        slow ones; one whose time is not known has room.
        """
        left, rest = [], max(budget - START, 5) * (os.cpu_count() or 1)
        known = [test for test in self.seconds if module(test) in own | related]
        for test in sorted(known, key=lambda test: (module(test) in related, self.seconds[test])):
            rest -= self.seconds[test]
            if rest < 0:
                left.append(test)
        return left

    def save(self):
        self.path.write_text(json.dumps(self.seconds, indent=0, sort_keys=True))


class Run:
    """What became of tests, by the events that the testing library writes."""

    def __init__(self, events: pathlib.Path):
        self.ended, self.failed, self.unfinished = {}, set(), {}
        started, last = {}, 0
        for line in events.read_text().splitlines() if events.exists() else []:
            try:
                record = json.loads(line)
            except ValueError:
                # The last line, of a run that was stopped.
                continue
            payload = record.get("payload", {})
            # A suite has no function.
            name = without_place(payload.get("testID", ""))
            if record.get("kind") != "event" or "/" not in name:
                continue
            last = payload["instant"]["absolute"]
            if payload["kind"] == "testStarted":
                started[name] = last
            elif payload["kind"] == "testEnded" and name in started:
                self.ended[name] = round(last - started.pop(name), 3)
            elif payload["kind"] == "issueRecorded" and not payload.get("issue", {}).get("isKnown"):
                self.failed.add(name)
        self.unfinished = {name: round(last - start, 3) for name, start in started.items()}


def module(test):
    return test.split(".", 1)[0]


def without_place(name):
    """The name of a test without the line that it stands in."""
    return re.sub(r"/[^/]+\.swift:\d+:\d+$", "", name)


def run_tests(root, command, suites, left, times, limit):
    """Runs the tests of `suites` but those left out by a command, for `limit` seconds.

    Gives whether they pass, and which did not finish.
    """
    events = times.path.parent / "events.jsonl"
    events.unlink(missing_ok=True)
    environment = dict(os.environ)
    if (root / ".build-standins/release").exists():
        environment.setdefault("NETCONV_STANDINS", str(root / ".build-standins/release"))
    command = [
        *command, "--skip-build", "--event-stream-output-path", str(events), "--event-stream-version", "0",
        "--filter", f"^({'|'.join(sorted(suites))})\\."]
    if left:
        command += ["--skip", f"^({'|'.join(re.escape(test) for test in left)})(/|$)"]
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        process = subprocess.Popen(command, cwd=root, env=environment, stdout=output, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        try:
            stopped = False
            process.wait(limit)
        except subprocess.TimeoutExpired:
            stopped = True
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
        output.seek(0)
        lines = output.read().splitlines()
    run = Run(events)
    hanging = {name: seconds for name, seconds in run.unfinished.items()
               if name in times.seconds and seconds > HANGS and seconds > HANGS * times.seconds[name]}
    times.seconds.update(run.ended)
    times.seconds.update({name: max(seconds, times.seconds.get(name, 0)) for name, seconds in run.unfinished.items()
                          if name not in hanging})
    times.save()
    if run.failed or not stopped and process.returncode:
        print("\n".join([line for line in lines if not re.search(r"started\.$|passed after", line)][-200:]))
    for name, seconds in sorted(hanging.items()):
        print(f"{name} took {times.seconds[name]} s before, and was stopped after {seconds:.0f} s")
    print(f"{len(run.ended)} tests ended, {len(run.failed)} of them with issues")
    if not run.ended:
        print("no test ended in time, so nothing is known; CHECK='--seconds 120' gives them longer")
    passed = bool(run.ended) and not run.failed and not hanging and (stopped or process.returncode == 0)
    return passed, sorted(set(run.unfinished) - set(hanging))

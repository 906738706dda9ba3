"""A page with all that must not be, to see that each check finds it."""
import json
from pathlib import Path

import checks
from browser import Windows
from cases import Case

FILLER = "<!-- " + "x" * checks.MOST_BYTES + " -->"
BAD = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>bad</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'self' 'unsafe-inline'; img-src data:">
<style>.number {{ color: #ccc; background: #fff; }} button:focus {{ outline: none; box-shadow: none; }}</style></head>
<body><h1>bad</h1>
<p><span class="num" data-from="/right">1.50</span> <span class="num" data-from="/wrong">1.51</span>
<span class="num" data-from="/absent">3</span> <span class="num">7</span> <span class="number">pale</span></p>
<p>[object HTMLDivElement]</p>
<div id="wide" style="width: 5000px">wide</div>
<button id="trap">stays</button><button id="skipped">skipped</button>
<div class="graph" tabindex="0"></div>
<img src="http://example.invalid/x.png" onerror="window.intruder=1">
<script type="application/json" id="report">{{"right": 1.5, "wrong": 1.5}}</script>
<script type="application/json" id="page-data">{{}}</script>
<script>
console.error("complaint");
document.getElementById("trap").addEventListener("keydown", (e) => e.preventDefault());
document.querySelector(".graph").addEventListener("keydown", () => {{
  for (let i = 0; i < 400; i += 1) document.body.append(document.createElement("span"), "text");
}});
let sum = 0;
addEventListener("wheel", () => {{ for (let i = 0; i < 6e8; i += 1) sum += Math.sqrt(i); }}, {{ once: true }});
document.title = "\\u202egnp";
</script>{FILLER}</body></html>
"""


def unnoticed(windows: Windows, folder: Path) -> list[str]:
    """The checks that find nothing to object to."""
    path = folder / "bad.html"
    path.write_text(BAD)
    case = Case("bad", ["inspect", "bad"], "sample", path, json.loads('{"right": 1.5, "wrong": 1.5, "other": 2}'))
    opened = windows.visit(path, is_fresh=True)
    try:
        found = {
            "size": checks.size(case), "policy": checks.policy(case), "rendered": checks.rendered(opened),
            "width": checks.width(opened), "axe": checks.accessibility(opened), "keyboard": checks.keyboard(opened),
            "zooming": checks.zooming(opened)[0], "intruders": checks.intruders(opened),
        }
        numbers = checks.numbers(opened, case)
        for word in ("report differs from --json at /other", "/wrong is 1.5", "'3'", "'7' in"):
            found[f"numbers: {word}"] = [fault for fault in numbers if word in fault]
        found["numbers, where they are right"] = [] if any("/right" in fault for fault in numbers) else ["right"]
        found["longest task"] = [] if checks.longest_task(opened) <= checks.LONGEST_TASK else ["long"]
        said = opened.new_faults()
        for word in ("console error: complaint", "policy:"):
            found[f"listening: {word}"] = [fault for fault in said if word in fault]
    finally:
        opened.close()
    return [name for name, faults in found.items() if not faults]

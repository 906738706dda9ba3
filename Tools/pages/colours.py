"""The colours that a page of `relate` gives to tensors: none that is wrong, or was not judged, is green."""
from browser import Visit
from cases import Case

STATUSES = """() => [...document.querySelector('#tensors table').tBodies[0].rows].map(row => {
    const name = row.querySelector('button span');
    return [name.title || name.innerText, row.lastElementChild.firstElementChild.className];
})"""


def check(visit: Visit, case: Case) -> list[str]:
    """Rows of the first tensors, each against the report."""
    if case.verb != "relate":
        return []
    report = case.report
    open_names = set((report.get("consumer") or {}).get("notJudged", []))
    expected = {}
    for entry in report["tensors"]:
        name = entry["tensor"]["name"]
        if entry.get("mistake") or entry["status"] in ("unrelated", "nearly") or name in report["changed"]:
            expected[name] = "bad-text"
        else:
            expected[name] = "warn-text" if entry["status"] == "undetermined" or name in open_names else "good-text"
    shown = [(name, colour) for name, colour in visit.page.evaluate(STATUSES) if name in expected]
    if expected and not shown:
        return ["no tensor of the table is one of the report"]
    return [f"{name} is {colour}, expected {expected[name]}" for name, colour in shown if colour != expected[name]][:5]

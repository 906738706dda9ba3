"""What has to hold of a page. Each check gives a list of what does not."""
import json
import re
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe

from browser import Visit
from cases import Case
from hostile import NAMES

MOST_NODES = 3000
MOST_BYTES = 300_000
LONGEST_TASK = 200
# More steps than this, from a number to the next, are written as a word.
MANY = 9_999_999
# What two runs of the same command measure.
MEASURED = re.compile(r"(?i)second|perSecond|speed|throughput|duration|latency|time$")

CONTROLS = """() => [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')].filter((e) =>
  e.tabIndex >= 0 && !e.disabled && e.getClientRects().length && getComputedStyle(e).visibility !== 'hidden'
  && !(e.type === 'radio' && !e.checked))"""


def size(case: Case) -> list[str]:
    """What a page has beside its data."""
    text = case.page.read_bytes()
    data = sum(len(part) for part in re.findall(rb'<script[^>]*id="(?:report|page-data)"[^>]*>(.*?)</script>', text, re.S))
    return [f"{len(text) - data:,} bytes beside its data"] if len(text) - data > MOST_BYTES else []


def policy(case: Case) -> list[str]:
    """A policy without exceptions, and nothing that it would have to forbid."""
    text = case.page.read_text()
    meta = re.search(r'<meta [^>]*http-equiv="Content-Security-Policy"[^>]*>', text)
    rules = re.search(r' content="([^"]*)"', meta.group()) if meta else None
    if not rules:
        return ["no policy"]
    rules = rules.group(1)
    faults = [f"policy allows {word}" for word in ("unsafe-", "http:", "https:", " *", "blob:", "strict-dynamic") if word in rules]
    if "default-src 'none'" not in rules.replace("&#39;", "'").replace("&apos;", "'"):
        faults.append("policy does not begin with nothing")
    return faults


# Numbers


def numbers(visit: Visit, case: Case) -> list[str]:
    """The report is what --json prints, and each number that is shown is the one at its place there."""
    inside = json.loads(visit.page.evaluate("document.getElementById('report').textContent"))
    faults = [f"report differs from --json at {place}" for place in differences(inside, case.report)][:5]
    pages = json.loads(visit.page.evaluate("document.getElementById('page-data').textContent"))
    shown = visit.page.evaluate(SHOWN)
    faults += wrong_numbers(shown, case, pages)
    if case.verb != "relate" and all(place is None for place, _, _ in shown):
        faults.append("no number has a place")
    return faults


# The numbers that can be seen: where each comes from, how it is written, and what is around it.
SHOWN = """() => [...document.querySelectorAll('.num, [data-from]')].map((e) =>
  [e.dataset.from ?? null, e.textContent, e.parentElement.textContent.slice(0, 60)])"""


def wrong_numbers(shown: list, case: Case, pages: dict) -> list[str]:
    """Those that are not what stands at their place, in the report or in what only the page has."""
    faults = []
    for place, text, around in shown:
        if place is None:
            if re.search(r"\d", text) and not text.startswith("("):
                faults.append(f"number {text!r} in {around!r} has no place")
            continue
        source, pointer = (pages, place[5:]) if place.startswith("page:") else (case.report, place)
        if MEASURED.search(pointer):
            continue
        value = resolve(source, pointer)
        if value is None:
            if re.search(r"\d", text):
                faults.append(f"{place} is nothing, shown as {text!r}")
        elif not shows(text, value):
            faults.append(f"{place} is {value}, shown as {text!r}")
    return faults


def differences(one, other, place: str = ""):
    """Where two documents differ, what is measured aside."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(set(one) | set(other)):
            if not MEASURED.search(key):
                yield from differences(one.get(key), other.get(key), f"{place}/{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, pair in enumerate(zip(one, other)):
            yield from differences(*pair, f"{place}/{index}")
    elif one != other:
        yield place


def resolve(document, pointer: str):
    for part in pointer.split("/")[1:]:
        if document is None:
            return None
        try:
            document = document[int(part)] if isinstance(document, list) else document.get(part)
        except (IndexError, ValueError, AttributeError):
            return None
    return document


def shows(text: str, value) -> bool:
    """Whether a text is a number rounded to the digits that it has."""
    if isinstance(value, bool) or isinstance(value, (str, list, dict)):
        return str(value) in text
    found = re.search(r"[-\u2212]?[\d,]*\.?\d+(?:e[-+]?\d+)?", text)
    if not found:
        return text == "many" and value > MANY
    digits = found.group().replace(",", "").replace("\u2212", "-")
    number, exponent = (digits.split("e") + ["0"])[:2]
    step = 10.0 ** (int(exponent) - len(number.partition(".")[2]))
    unit = {"kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "%": 1e-2}.get(text[found.end():].strip().split(" ")[0], 1)
    # Half a step, and what binary fractions round.
    return abs(float(digits) * unit - value) <= step * unit * 0.5000001 + abs(value) * 1e-12


# Keyboard


def keyboard(visit: Visit) -> list[str]:
    """Tab alone reaches every control, each shows that it has the focus, and Tab leaves each."""
    page = visit.page
    page.evaluate(f"() => {{ window.controls = ({CONTROLS})(); document.activeElement.blur(); scrollTo(0, 0); }}")
    total = page.evaluate("window.controls.length")
    reached: set[int] = set()
    faults = []
    last = -1
    for _ in range(total + 5):
        page.keyboard.press("Tab")
        index, shows_focus = page.evaluate("""() => {
          const e = document.activeElement, s = getComputedStyle(e);
          return [window.controls.indexOf(e), (s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0) || s.boxShadow !== 'none'];
        }""")
        if index < 0:
            break
        if index == last:
            faults.append(f"Tab stays at {name_of(visit, index)}")
            break
        if not shows_focus:
            faults.append(f"focus of {name_of(visit, index)} is not seen")
        reached.add(index)
        last = index
    missing = [index for index in range(total) if index not in reached]
    faults += [f"Tab does not reach {name_of(visit, index)}" for index in missing[:5]]
    return faults


def name_of(visit: Visit, index: int) -> str:
    return visit.page.evaluate(
        "(i) => { const e = window.controls[i]; return e.tagName.toLowerCase() + ' ' + (e.id || e.getAttribute('aria-label') || e.textContent.slice(0, 40)); }",
        index)


def press_everything(visit: Visit, case: Case) -> list[str]:
    """Enter on every button, and every choice of a list: what they show must not make a page complain, or be wrong."""
    page = visit.page
    faults: list[str] = []
    shown: set[tuple] = set()
    total = page.evaluate(f"({CONTROLS})().length")
    for index in range(min(total, 80)):
        kind = page.evaluate(
            f"(i) => {{ const e = ({CONTROLS})()[i]; if (!e) return null; e.focus(); return e.tagName + ' ' + (e.getAttribute('href') || ''); }}", index)
        if kind is None:
            break
        if kind.startswith("BUTTON"):
            page.keyboard.press("Enter")
        elif kind.startswith("SELECT"):
            page.keyboard.press("ArrowDown")
        elif kind.startswith("DIV"):
            for key in ("ArrowDown", "ArrowRight", "Enter", "ArrowDown", "Escape", "+", "-", "0"):
                page.keyboard.press(key)
        elif kind.startswith("INPUT"):
            page.keyboard.type("a")
            page.keyboard.press("Backspace")
        elif kind.startswith("A ") and not kind.startswith("A #"):
            faults.append(f"a link leads to {kind[2:]}")
        visit.settle()
        shown.update(tuple(number) for number in page.evaluate(SHOWN))
    pages = json.loads(page.evaluate("document.getElementById('page-data').textContent"))
    return faults + wrong_numbers(sorted(shown, key=str), case, pages)


# Accessibility

# What depends on colours and sizes, and so on whether it is dark, and on a phone.
RULES_OF_LOOK = [
    "color-contrast", "link-in-text-block", "meta-viewport", "scrollable-region-focusable", "target-size"]


def accessibility(visit: Visit, rules: list[str] | None = None) -> list[str]:
    """What axe objects to, by all of its rules or by some."""
    options: dict = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = {"type": "rule", "values": rules}
    result = Axe().run(visit.page, options=options)
    return [
        f"axe {item['id']} ({item['impact']}): {item['nodes'][0]['html'][:160]} and {len(item['nodes']) - 1} more"
        + "; " + " ".join(item["nodes"][0].get("failureSummary", "").split())[:200]
        for item in result.response["violations"]
    ]


def width(visit: Visit) -> list[str]:
    """Nothing makes the page itself scroll sideways."""
    wide, seen = visit.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    return [f"{wide} pixels wide where {seen} are seen"] if wide > seen else []


def rendered(visit: Visit) -> list[str]:
    """Texts that a script writes when it has made a mistake."""
    text = visit.page.evaluate("document.body.innerText")
    return [f"shows {word!r}" for word in ("[object ", "undefined", "NaN%", "Infinity%") if word in text and "object" not in word] + (
        ["shows '[object …]'"] if re.search(r"\[object \w+\]", text) else [])


# Size and speed of the graph


def zooming(visit: Visit) -> tuple[list[str], int]:
    """At no zoom more than 3,000 nodes of any kind, texts included; the largest count."""
    page = visit.page
    count = """() => {
      const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
      let count = 0;
      while (walker.nextNode()) count += 1;
      return count;
    }"""
    most = page.evaluate(count)
    graphs = page.locator(".graph")
    for index in range(graphs.count()):
        graph = graphs.nth(index)
        graph.scroll_into_view_if_needed()
        for unfold in (False, True):
            if unfold:
                button = page.get_by_role("button", name="Show all layers")
                if not button.count():
                    continue
                button.nth(min(index, button.count() - 1)).click()
            graph.focus()
            page.keyboard.press("0")
            for key in ["+"] * 14 + ["0"] + ["-"] * 6:
                page.keyboard.press(key)
                visit.settle()
                most = max(most, page.evaluate(count))
    return ([f"{most:,} nodes in the document"] if most > MOST_NODES else []), most


def longest_task(visit: Visit) -> float:
    """Milliseconds of the CPU that the longest task takes while the page scrolls and the graph zooms and moves.

    What other programs of the machine do meanwhile does not count.
    """
    page = visit.page
    browser = page.context.browser
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(300)
    browser.start_tracing(page=page, categories=["toplevel", "__metadata"])
    move_and_scroll(visit)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    main = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name" and e["args"]["name"] == "CrRendererMain"}
    tasks = [e.get("tdur", -1) for e in events if "RunTask" in e["name"] and (e["pid"], e["tid"]) in main]
    return max(tasks) / 1000 if tasks else -1


def move_and_scroll(visit: Visit) -> None:
    """Zooms and moves the first graph by the mouse, and scrolls to the end."""
    page = visit.page
    box = None
    if page.locator(".graph").count():
        graph = page.locator(".graph").first
        graph.scroll_into_view_if_needed()
        box = graph.bounding_box()
    if box:
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.keyboard.down("Control")
        for delta in [-120] * 6 + [120] * 24 + [-120] * 10:
            page.mouse.wheel(0, delta)
            visit.settle()
        page.keyboard.up("Control")
        page.mouse.down()
        for step in range(12):
            page.mouse.move(x + 12 * step, y - 25 * step)
            visit.settle()
        page.mouse.up()
        page.mouse.move(4, 4)
    for _ in range(30):
        page.mouse.wheel(0, 400)
        visit.settle()
    page.wait_for_timeout(100)


# Names


def intruders(visit: Visit) -> list[str]:
    """No name has become an element or has run."""
    page = visit.page
    faults = []
    if page.evaluate("window.intruder ?? null") is not None:
        faults.append(f"a name has run: {page.evaluate('window.intruder')}")
    kinds = page.evaluate("[...document.querySelectorAll('img, iframe, object, embed, form, b, i, base, audio, video')].map((e) => e.tagName)")
    if kinds:
        faults.append(f"elements that no page has: {kinds[:5]}")
    handlers = page.evaluate("[...document.querySelectorAll('*')].flatMap((e) => [...e.attributes].filter((a) => a.name.startsWith('on')).map((a) => a.name))")
    if handlers:
        faults.append(f"attributes that run: {handlers[:5]}")
    styles = page.evaluate("document.querySelectorAll('style').length")
    scripts = page.evaluate("[...document.querySelectorAll('script')].map((e) => e.type || 'code')")
    if styles != 1 or scripts.count("code") != 1:
        faults.append(f"{styles} styles, scripts {scripts}")
    odd = page.evaluate(r"/[\u202a-\u202e\u2066-\u2069]/.test(document.title + document.body.innerText)")
    if odd:
        faults.append("characters that turn text around are shown as they are")
    return faults


def hostile_names(visit: Visit, case: Case) -> list[str]:
    """Markup in names is read as text, by eye and by search."""
    text = visit.page.evaluate("document.body.innerText")
    if not any(name.split("\n")[0][:12] in text for name in NAMES[:4]) and "intruder" not in text:
        return ["shows none of the names"]
    return intruders(visit)


def printing(visit: Visit, path: Path) -> list[str]:
    """A document to print: it has pages, and what is on them is dark on white in a dark window, too."""
    data = visit.page.pdf(path=str(path), format="A4", print_background=True)
    pages = len(re.findall(rb"/Type\s*/Page[^s]", data))
    if not data.startswith(b"%PDF") or pages == 0:
        return ["no PDF"]
    visit.page.emulate_media(media="print")
    background = visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
    visit.page.emulate_media(media="screen")
    channels = [int(part) for part in re.findall(r"\d+", background)[:3]]
    transparent = background == "rgba(0, 0, 0, 0)"
    return [] if transparent or min(channels) > 230 else [f"prints on {background}"]

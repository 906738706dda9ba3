"""Debian's Chromium, and what a page says and does in it."""
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page, Playwright

DESKTOP = {"viewport": {"width": 1280, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}

# Counts what a policy forbids, and tasks that take long, from the first line of a page on.
WATCH = """
window.violations = [];
addEventListener('securitypolicyviolation', (e) => window.violations.push(e.violatedDirective + ' ' + e.blockedURI));
window.longest = 0;
try {
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.longest = Math.max(window.longest, entry.duration);
  }).observe({ type: 'longtask', buffered: true });
} catch (error) { window.longest = -1; }
"""


def chromium() -> str | None:
    """Where Chromium is; nothing if it is not installed."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def launch(playwright: Playwright) -> Browser:
    path = chromium()
    if path is None:
        raise SystemExit("Chromium is not installed: apt-get install chromium")
    # Without a sandbox where root runs it, as in a container.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    return playwright.chromium.launch(executable_path=path, args=options)


@dataclass
class Visit:
    """An open page, and what it has said since."""
    page: Page
    url: str
    faults: list[str] = field(default_factory=list)

    def close(self) -> None:
        self.page.context.close()

    def settle(self) -> None:
        """Waits until what was asked for is drawn."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def new_faults(self) -> list[str]:
        """What was said since this was asked last, and what the policy has forbidden."""
        found, self.faults = self.faults, []
        found += [f"policy: {text}" for text in self.page.evaluate("window.violations.splice(0)")]
        return found


def visit(browser: Browser, path: Path, *, dark: bool = False, phone: bool = False) -> Visit:
    """Opens a page from the disk, in a profile of its own, and listens to it."""
    context = browser.new_context(**(PHONE if phone else DESKTOP), color_scheme="dark" if dark else "light", offline=True)
    context.add_init_script(WATCH)
    page = context.new_page()
    opened = Visit(page, path.resolve().as_uri())
    page.on("console", lambda message: opened.faults.append(f"console {message.type}: {message.text}"))
    page.on("pageerror", lambda error: opened.faults.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (opened.faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("popup", lambda other: opened.faults.append(f"opens {other.url}"))
    page.on("request", lambda request: check_request(opened, request.url))
    page.on("framenavigated", lambda frame: check_request(opened, frame.url))
    page.goto(opened.url)
    opened.settle()
    return opened


def check_request(opened: Visit, url: str) -> None:
    if url.split("#")[0] != opened.url and not url.startswith("data:"):
        opened.faults.append(f"asks for {url[:200]}")

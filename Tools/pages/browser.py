"""Debian's Chromium, and what a page says and does in it."""
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page, Playwright

DESKTOP = {"viewport": {"width": 1280, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}

# Counts what a policy forbids, from the first line of a page on.
WATCH = """
window.violations = [];
addEventListener('securitypolicyviolation', (e) => window.violations.push(e.violatedDirective + ' ' + e.blockedURI));
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
    keeps_window: bool = False
    faults: list[str] = field(default_factory=list)

    def close(self) -> None:
        if not self.keeps_window:
            self.page.context.close()

    def settle(self) -> None:
        """Waits until what was asked for is drawn."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def new_faults(self) -> list[str]:
        """What was said since this was asked last, and what the policy has forbidden."""
        found, self.faults = self.faults, []
        found += [f"policy: {text}" for text in self.page.evaluate("window.violations.splice(0)")]
        return found

    def check_request(self, url: str) -> None:
        if url.split("#")[0] != self.url and not url.startswith("data:"):
            self.faults.append(f"asks for {url[:200]}")


class Windows:
    """Windows of a browser, dark and light, for a desk and a phone, each of which shows one page after the other."""

    def __init__(self, browser: Browser):
        self.browser = browser
        self.pages: dict[tuple[bool, bool], Page] = {}
        # Whose page each window shows.
        self.visits: dict[Page, Visit] = {}

    def visit(self, path: Path, *, dark: bool = False, phone: bool = False, is_fresh: bool = False) -> Visit:
        """Opens a page from the disk and listens to it; in a profile of its own if it is to be fresh."""
        if is_fresh:
            page = self.open(dark, phone)
        else:
            page = self.pages.get((dark, phone)) or self.open(dark, phone)
            self.pages[dark, phone] = page
        opened = Visit(page, path.resolve().as_uri(), keeps_window=not is_fresh)
        self.visits[page] = opened
        page.goto(opened.url)
        opened.settle()
        return opened

    def open(self, dark: bool, phone: bool) -> Page:
        context = self.browser.new_context(
            **(PHONE if phone else DESKTOP), color_scheme="dark" if dark else "light", offline=True)
        context.add_init_script(WATCH)
        page = context.new_page()

        def said(text: str) -> None:
            if page in self.visits:
                self.visits[page].faults.append(text)

        def asks(url: str) -> None:
            if page in self.visits:
                self.visits[page].check_request(url)

        page.on("console", lambda message: said(f"console {message.type}: {message.text}"))
        page.on("pageerror", lambda error: said(f"error: {error}"))
        page.on("dialog", lambda dialog: (said(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("popup", lambda other: said(f"opens {other.url}"))
        page.on("request", lambda request: asks(request.url))
        page.on("framenavigated", lambda frame: asks(frame.url))
        page.on("close", lambda closed: self.visits.pop(closed, None))
        return page

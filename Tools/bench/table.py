"""The rows of the bench, and how they are printed."""
import dataclasses
from dataclasses import dataclass


@dataclass
class Limit:
    """What a figure may be at most, or has to be at least."""
    value: float
    at_least: bool = False

    def holds(self, figure: float) -> bool:
        return figure >= self.value if self.at_least else figure <= self.value


@dataclass
class Figure:
    """A number with its unit, shown with as many decimals as it has meaning; judged as it is shown."""
    value: float
    unit: str = ""

    @property
    def decimals(self) -> int:
        return {"": 2, "s": 2, "ms": 1}.get(self.unit, 0)

    @property
    def shown(self) -> float:
        return round(self.value, self.decimals)

    def __str__(self) -> str:
        return f"{self.shown:,.{self.decimals}f} {self.unit}".strip()


@dataclass
class Row:
    """One comparison: what netconv took, what it is held against, and the figure that is judged."""
    title: str
    netconv: str
    peer: str
    figure: Figure
    limit: Limit | None = None

    @property
    def met(self) -> bool | None:
        return self.limit.holds(self.figure.shown) if self.limit else None

    def cells(self) -> list[str]:
        limit, verdict = "", ""
        if self.limit:
            sign = "≥" if self.limit.at_least else "≤"
            limit = f"{sign} {Figure(self.limit.value, self.figure.unit)}"
            verdict = "met" if self.met else "not met"
        return [self.title, self.netconv, self.peer, str(self.figure), limit, verdict]

    def json(self) -> dict:
        return dataclasses.asdict(self) | {"met": self.met}


@dataclass
class Table:
    """Rows of cells under a title; the first column is text, the others are numbers."""
    title: str
    header: list[str]
    rows: list[list[str]]
    text_columns: int = 1

    def text(self) -> str:
        lines = [self.header, *self.rows]
        widths = [max(len(line[column]) for line in lines) for column in range(len(self.header))]

        def line(cells: list[str]) -> str:
            return "  " + "  ".join(
                cell.ljust(width) if column < self.text_columns else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(cells, widths))).rstrip()

        rule = "  " + "-" * (sum(widths) + 2 * len(widths) - 2)
        return "\n".join([self.title, "", line(self.header), rule, *map(line, self.rows)])

    def markdown(self) -> str:
        marks = ["---" if column < self.text_columns else "---:" for column in range(len(self.header))]
        return "\n".join([f"### {self.title}", ""] + [
            f"| {' | '.join(cells)} |" for cells in (self.header, marks, *self.rows)])

    def json(self) -> dict:
        return {"title": self.title, "header": self.header, "rows": self.rows}

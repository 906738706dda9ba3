"""All that was measured, as text, JSON or Markdown."""
from dataclasses import dataclass
from pathlib import Path

from table import Row, Table

BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"


@dataclass
class Report:
    """Rows and tables with what they were measured on, and what could not be measured."""
    about: list[str]
    rows: list[Row]
    tables: list[Table]
    skipped: list[str]

    @property
    def all_tables(self) -> list[Table]:
        ratios = Table("Ratios and limits", ["", "netconv", "against", "figure", "limit", ""],
                       [row.cells() for row in self.rows], text_columns=3)
        return ([ratios] if self.rows else []) + self.tables

    def text(self) -> str:
        parts = ["\n".join(self.about), *(table.text() for table in self.all_tables)]
        if self.skipped:
            parts.append("\n".join(f"skipped: {line}" for line in self.skipped))
        return "\n\n".join(parts)

    def markdown(self) -> str:
        parts = ["\n".join(f"- {line}" for line in self.about)]
        parts += [table.markdown() for table in self.all_tables]
        if self.skipped:
            parts.append("\n".join(f"- not measured: {line}" for line in self.skipped))
        return "\n\n".join(parts)

    def json(self) -> dict:
        return {"about": self.about, "rows": [row.json() for row in self.rows],
                "tables": [table.json() for table in self.tables], "skipped": self.skipped}

    def put_into(self, path: Path) -> None:
        """Replaces what stands between the two marks of a file."""
        text = path.read_text()
        if text.count(BEGIN) != 1 or text.count(END) != 1:
            raise SystemExit(f"{path} lacks the lines {BEGIN} and {END}")
        before, rest = text.split(BEGIN)
        after = rest.split(END)[1]
        path.write_text(f"{before}{BEGIN}\n\n{self.markdown()}\n\n{END}{after}")

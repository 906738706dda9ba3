"""Comments and literals of Swift sources, as far as prose needs them."""
import re

# Stands for code in backticks, and for what a literal interpolates.
CODE = "CODE"


def tokens(text: str):
    """Yields ("comment" | "literal" | "code", line, content); of an interpolation a literal has one word."""
    index, line = 0, 1
    while index < len(text):
        if text.startswith("//", index):
            end = text.find("\n", index)
            end = len(text) if end < 0 else end
            yield "comment", line, text[index:end]
        elif text.startswith("/*", index):
            end = text.find("*/", index)
            end = len(text) if end < 0 else end + 2
            yield "code", line, ""
        elif opening := re.compile(r'#*"""|#*"').match(text, index):
            end, content = literal(text, index, opening[0])
            yield "literal", line, content
        else:
            end = index + 1
            if not text[index].isspace():
                yield "code", line, text[index]
        line += text.count("\n", index, end)
        index = end


def literal(text: str, index: int, opening: str) -> tuple[int, str]:
    """The end and the content of the literal that begins at `index`."""
    hashes = opening.count("#")
    quotes = opening.lstrip("#")
    closing, escape = quotes + "#" * hashes, "\\" + "#" * hashes
    index += len(opening)
    content = ""
    while index < len(text):
        if text.startswith(closing, index):
            return index + len(closing), dedented(content) if quotes == '"""' else content
        if text.startswith(escape, index):
            index += len(escape)
            if text[index] == "(":
                index = interpolation(text, index)
                content += CODE
            elif text[index] == "\n":
                # The line goes on; its number still counts.
                index += 1
                while text[index] == " ":
                    index += 1
            else:
                content += {"n": "\n", "t": " "}.get(text[index], text[index])
                index += 1
        else:
            content += text[index]
            index += 1
    return index, content


def interpolation(text: str, index: int) -> int:
    """The place behind the parentheses that begin at `index`."""
    depth = 0
    while index < len(text):
        if opening := re.compile(r'#*"""|#*"').match(text, index):
            index, _ = literal(text, index, opening[0])
            continue
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        index += 1
        if depth == 0:
            break
    return index


def dedented(content: str) -> str:
    lines = content.split("\n")
    indent = len(lines[-1]) if lines[-1].strip() == "" else 0
    return "\n".join(line[indent:] if line[:indent].strip() == "" else line for line in lines)


def comments(text: str) -> list[tuple[int, str]]:
    """Comments with the lines on which they begin; those on lines behind one another are one."""
    found, last, kind = [], -1, ""
    for sort, line, content in tokens(text):
        if sort != "comment":
            continue
        marks = re.match(r"//[/:]?", content)[0]
        words = content[len(marks):].removeprefix(" ")
        if line == last + 1 and marks == kind and found:
            found[-1] = (found[-1][0], found[-1][1] + "\n" + words)
        else:
            found.append((line, words))
        last, kind = line, marks
    return found


def literals(text: str) -> list[tuple[int, str]]:
    """Literals with the lines on which they begin; those that `+` joins are one."""
    found, joins, between = [], False, ""
    for sort, line, content in tokens(text):
        if sort == "code":
            between += content
        elif sort == "literal":
            if found and between == "+":
                found[-1] = (found[-1][0], found[-1][1] + content)
            else:
                found.append((line, content))
            between = ""
    return found

"""Tests of words.py: what counts as a sentence and as a word. Run by `make lint`."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from swift_text import comments, literals  # noqa: E402
from words import REPLACED, markdown, ninth_in_ten, questions, sentences, swift  # noqa: E402


def counted(text: str) -> list[tuple[int, int]]:
    return [(sentence.line, sentence.words) for sentence in markdown("page.md", text)]


class Sentences(unittest.TestCase):
    def test_end_with_a_mark_and_a_capital(self):
        found = sentences("p", 1, "One two three. Four (five)? Six e.g. seven.\nnetconv eight nine. v1.5 of it.")
        self.assertEqual([each.words for each in found], [3, 2, 3, 6])
        self.assertEqual([each.line for each in found], [1, 1, 1, 2])

    def test_code_is_a_word_and_so_is_a_list_of_it(self):
        self.assertEqual(sentences("p", 1, "Pass `a b c` now.")[0].words, 3)
        self.assertEqual(sentences("p", 1, "Pass `a`, `b` and `c` now.")[0].words, 3)
        self.assertEqual(sentences("p", 1, "`a`, `b`"), [])

    def test_a_link_has_the_words_that_are_read(self):
        self.assertEqual(sentences("p", 1, "See [the page](a/b.md#c) for it.")[0].words, 5)


class Pages(unittest.TestCase):
    def test_headings_code_and_comments_do_not_count(self):
        text = "# A title\n\n<!-- not run: a\nlong one -->\n\n    netconv a b\n\n```\ncode here\n```\n\nTwo words.\n"
        self.assertEqual(counted(text), [(12, 2)])

    def test_items_are_sentences_of_their_own(self):
        self.assertEqual(counted("- one two\n  three\n- four\n\n1. five six\n"), [(1, 3), (3, 1), (5, 2)])

    def test_of_a_table_only_cells_that_are_sentences_count(self):
        self.assertEqual(counted("| a | b |\n|---|---|\n| only words | Two words. Three more words. |\n"),
                         [(3, 2), (3, 3)])
        self.assertEqual(counted("| " + "word " * 26 + "| b |\n"), [(1, 26)])


class Swift(unittest.TestCase):
    source = """/// What it does.
/// It goes on.
let a = "the file \\(name(of: "x")) is damaged; "
  + "copy it again"  // Why so.
let b = \"""
  One line \\
  goes on.

    netconv convert a b
  \"""
let c = "let x = 1;"
"""

    def test_comments_are_joined_line_by_line(self):
        self.assertEqual(comments(self.source), [(1, "What it does.\nIt goes on."), (4, "Why so.")])

    def test_literals_are_joined_and_interpolations_are_words(self):
        self.assertEqual(literals(self.source)[0], (3, "the file CODE is damaged; copy it again"))
        self.assertEqual(literals(self.source)[1][1].split("\n")[1], "One line goes on.")

    def test_prose_is_counted_and_code_is_not(self):
        found = swift("a.swift", self.source)
        self.assertEqual([each.words for each in found["texts"]], [8, 4])
        self.assertEqual([each.words for each in found["comments"]], [3, 3, 2])


class Measures(unittest.TestCase):
    def test_nine_in_ten(self):
        self.assertEqual(ninth_in_ten([1, 2, 3, 4, 5, 6, 7, 8, 9, 40]), 9)
        self.assertEqual(ninth_in_ten([30]), 30)


class Words(unittest.TestCase):
    def test_a_doc_comment_begins_with_a_noun_or_a_verb(self):
        text = "/// What it is.\nlet a = 1\n/// The size.\n/// Whether it fits is unknown.\nlet b = 2\n  /// Whether.\n"
        self.assertEqual(questions(text), [1, 6])

    def test_replaced_words_are_found(self):
        self.assertTrue(REPLACED.search("It takes numbers of things."))
        self.assertFalse(REPLACED.search("It accepts token ids, in place."))


if __name__ == "__main__":
    unittest.main()

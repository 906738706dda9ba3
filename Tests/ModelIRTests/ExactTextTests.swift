import ModelIR
import Testing

/// Names that are equal in Swift, but have different bytes in files.
@Suite("Texts of files are told apart by their bytes")
struct ExactTextTests {
  /// Each the same to Swift as the others of its row: precomposed and decomposed letters, accents in another order, signs with
  /// a scalar of their own, syllables and their letters, and signs of Indic scripts.
  private static let alike: [[String]] = [
    ["\u{e9}", "e\u{301}", "e\u{341}"],
    ["\u{1ed9}", "o\u{323}\u{302}", "o\u{302}\u{323}", "\u{1ecd}\u{302}", "\u{f4}\u{323}"],
    ["\u{c5}", "\u{212b}", "A\u{30a}"],
    ["\u{3a9}", "\u{2126}"],
    ["\u{d55c}", "\u{1112}\u{1161}\u{11ab}", "\u{d558}\u{11ab}"],
    ["\u{9cb}", "\u{9c7}\u{9be}"],
    ["\u{6a02}", "\u{f914}", "\u{f95c}", "\u{f9bf}"],
    ["\u{304c}", "\u{304b}\u{3099}"],
    ["q\u{307}\u{323}", "q\u{323}\u{307}"],
  ]

  @Test("texts that only a normal form tells apart are no longer equal, and come back as they were")
  func alike() {
    for row in Self.alike {
      let names = row.map { "layer/\($0)x/weight.npy" }
      #expect(Set(names).count == 1, "Swift tells \(row) apart by itself")
      let held = names.map(\.exact)
      #expect(Set(held).count == row.count, "\(row)")
      for (name, held) in zip(names, held) {
        #expect(held.plain.utf8.elementsEqual(name.utf8))
        #expect(held.exact.utf8.elementsEqual(held.utf8))
        // Some signs of Indic scripts are one letter with the slash in front of them.
        #expect(held.utf8.starts(with: "layer/".utf8) && held.hasSuffix("x/weight.npy"))
        #expect(Array(held.utf8).plainText == Array(name.utf8))
      }
    }
  }

  @Test(
    "all pairs of scalars that Swift takes for one are told apart, and plain texts stay as they are"
  )
  func pairs() {
    // Each letter with each mark, and each scalar beside what it stands for.
    var seen: [String: [String]] = [:]
    for base in ["a", "e", "\u{3b1}", "\u{1ea1}", "\u{2260}"] {
      for mark in UInt32(0x300)...0x36f {
        guard let scalar = Unicode.Scalar(mark) else { continue }
        for other in ["\u{301}", "\u{323}", ""] {
          let text = base + String(scalar) + other
          seen[text, default: []].append(text)
        }
      }
    }
    for texts in seen.values {
      let bytes = Set(texts.map { Array($0.utf8) })
      #expect(Set(texts.map(\.exact)).count == bytes.count)
    }
    for text in [
      "", "conv1/kernel", "\u{e9}t\u{e9}", "\u{5c42}1", "\u{1f600}\u{fe0f}", "\u{e01}\u{e33}",
    ] {
      #expect(text.exact.utf8.elementsEqual(text.utf8))
      #expect(text.plain.utf8.elementsEqual(text.utf8))
    }
  }

  @Test("a half of what is held is no scalar of its own")
  func halves() {
    for text in ["\u{f1000}", "a\u{f1001}b", "\u{f1000}\u{f1000}", "\u{f0301}"] {
      #expect(text.plain.utf8.elementsEqual(text.utf8))
    }
  }
}

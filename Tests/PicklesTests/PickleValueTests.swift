import Foundation
import ModelIR
import Pickles
import TestSupport
import Testing

/// Values that Python wrote, in each of its protocols.
@Suite("Values of pickles")
struct PickleValueTests {
  private static func fixture(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: Fixtures.path("pickle/\(name).pkl"))))
  }

  private static func text(of bytes: [UInt8]) throws -> String {
    let pickle = try readPickle(bytes)
    return try shown(pickle.root, in: pickle)
  }

  @Test("a value is the same in each protocol", arguments: 0...5)
  func protocols(version: Int) throws {
    let pickle = try readPickle(try Self.fixture("value-protocol\(version)"))
    #expect(pickle.version == (version < 2 ? 0 : version))
    #expect(pickle.calls.isEmpty)
    #expect(
      try shown(pickle.root, in: pickle)
        == "{'none': None, 'truth': [True, False], 'floats': [1.5, -0.0, 1e+300], 'integers': [0, 255, "
        + "256, 65535, 65536, -1, -129, 2147483648, -2147483648, -1099511627776, 4611686018427387904, "
        + "-9223372036854775808, wide, wide], 'text': 'größe\n\\u0041 '\" 😀', 'tuples': [(), (1), (1, 2), "
        + "(1, 2, 3), (1, 2, 3, 4)], 'empty': [[], {}], 'shared': [['a', 'b'], ['a', 'b']], 7: 'seven'}"
    )
  }

  @Test("what is shared is one object, also where it holds itself", arguments: 0...5)
  func shared(version: Int) throws {
    let value = try readPickle(try Self.fixture("value-protocol\(version)"))
    let items = value.items(of: try #require(value[value.root]))
    let pair = try #require(value[items[7].value]).elements
    #expect(pair[0] == pair[1])
    let itself = try readPickle(try Self.fixture("itself-protocol\(version)"))
    #expect(itself[itself.root]?.elements == [.integer(1), itself.root])
  }

  @Test("sets and bytes of the newer protocols, which stay in the file")
  func newer() throws {
    #expect(
      try Self.text(of: Self.fixture("newer-protocol4"))
        == "[b[0, 255, 39], {7}, frozenset(8), b[]]")
    #expect(
      try Self.text(of: Self.fixture("newer-protocol5"))
        == "[b[0, 255, 39], {7}, frozenset(8), b[97, 98]]")
  }

  @Test("what is remembered is found in any order, with gaps, and is the last of its number")
  func memo() throws {
    // Python: b'(K\x01q\x05K\x02q\x00K\x03\x94', entries 1, 3, 4 and 5 in turn, and what they are then.
    let entries: [UInt8] = [1, 3, 4, 5].flatMap { [0x4b, 10 + $0, 0x71, $0] }
    let bytes: [UInt8] =
      [0x28, 0x4b, 1, 0x71, 5, 0x4b, 2, 0x71, 0, 0x4b, 3, 0x94] + entries
      + [0x68, 5, 0x68, 0, 0x68, 2, 0x68, 4, 0x4b, 7, 0x71, 6, 0x68, 6, 0x6c, 0x2e]
    #expect(try Self.text(of: bytes) == "[1, 2, 3, 11, 13, 14, 15, 15, 2, 3, 14, 7, 7]")
  }

  @Test("of a key that is there twice the last value counts, as in Python")
  func repeatedKeys() throws {
    // {'a': 1, 'b': 2, 'a': 3, 1: 4, True: 5, 1.0: 6}
    let bytes = Array("(dS'a'\nI1\nsS'b'\nI2\nsS'a'\nI3\nsI1\nI4\nsI01\nI5\nsF1.0\nI6\ns.".utf8)
    #expect(try Self.text(of: bytes) == "{'a': 3, 'b': 2, 1: 6}")
  }

  @Test("texts of Python 2 that are no UTF-8 are bytes")
  func oldBytes() throws {
    #expect(try Self.text(of: [0x55, 2, 0xff, 0x41, 0x2e]) == "b[255, 65]")
    #expect(
      try Self.text(of: Array(#"S'a\x80\n\101\\'"#.utf8) + [0x0a, 0x2e]) == "b[97, 128, 10, 65, 92]"
    )
  }

  /// `eval('1')` by every opcode that calls, and the call that Python would make.
  static let calls: [(String, String, [String])] = [
    (
      "cos\nsystem\n(S'x'\ntR.", "os.system('x')",
      [
        "import os.system 1 times, first at 0",
        "call os.system 1 times, first at 18",
      ]
    ),
    (
      "(ios\nsystem\n.", "os.system()",
      [
        "import os.system 1 times, first at 1",
        "call os.system 1 times, first at 1",
      ]
    ),
    (
      "(cos\nsystem\nS'x'\no.", "os.system('x')",
      [
        "import os.system 1 times, first at 1",
        "call os.system 1 times, first at 17",
      ]
    ),
    (
      "ca\nB\n)\u{81}}b.", "a.B()<{}>",
      [
        "import a.B 1 times, first at 0",
        "new a.B 1 times, first at 6",
        "state a.B 1 times, first at 8",
      ]
    ),
  ]

  @Test("what Python would call is noted, and is a value like others", arguments: calls.indices)
  func inert(index: Int) throws {
    let (text, expected, calls) = Self.calls[index]
    let pickle = try readPickle(text.unicodeScalars.map { UInt8($0.value) })
    #expect(try shown(pickle.root, in: pickle) == expected)
    #expect(
      pickle.calls.map { "\($0.kind) \($0.name) \($0.count) times, first at \($0.offset)" } == calls
    )
  }
}

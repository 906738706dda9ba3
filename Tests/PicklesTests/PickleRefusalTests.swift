import Foundation
import ModelIR
import Pickles
import TestSupport
import Testing

@Suite("Pickles that are not what they should be")
struct PickleRefusalTests {
  private func message(_ bytes: [UInt8], limits: PickleLimits = PickleLimits()) -> String? {
    thrown { try readPickle(bytes, limits: limits) }?.message
  }

  private static let start = "the pickle cannot be read: "

  static let refusals: [([UInt8], String)] = [
    ([0x80, 6, 0x2e], start + "PROTO at byte 0 states protocol 6, and the newest is 5"),
    (
      [0x97, 0x2e], start + "NEXT_BUFFER at byte 0 needs a buffer outside the file"
    ),
    (
      [0x29, 0x98, 0x2e],
      start + "READONLY_BUFFER at byte 1 needs a buffer outside the file"
    ),
    (
      [0x68, 5, 0x2e], start + "BINGET at byte 0 asks for entry 5 of the memo, which does not exist"
    ),
    ([0x8b, 0xff, 0xff, 0xff, 0xff], start + "LONG4 at byte 0 has a number of -1 bytes"),
    (
      [0x8b, 0xff, 0xff, 0xff, 0x7f, 1],
      "the pickle ends at byte 6, before it is complete; copy or download the file again"
    ),
    (
      [0x8d] + [UInt8](repeating: 0xff, count: 8),
      start + "BINUNICODE8 at byte 0 has 18446744073709551615 bytes, and only 0 are left"
    ),
    (
      [0x95, 9, 0, 0, 0, 0, 0, 0, 0, 0x2e],
      start + "FRAME at byte 0 begins a frame of 9 bytes, and only 1 are left"
    ),
    ([0x28, 0x2e], start + "STOP at byte 1 needs more values on the stack"),
    ([0x5d, 0x75, 0x2e], start + "SETITEMS at byte 1 finds no mark on the stack"),
    ([0x5d, 0x4e, 0x4e, 0x73, 0x2e], start + "SETITEM at byte 3 finds no collection to add to"),
    (
      [0x4e, 0x4e, 0x52, 0x2e], start + "REDUCE at byte 2 finds no tuple of arguments on the stack"
    ),
    ([0x7d, 0x7d, 0x62, 0x2e], start + "BUILD at byte 2 finds no object for a state"),
    ([0x49, 0x78, 0x0a], start + "INT at byte 0 has 'x', expected a number"),
    ([0x53, 0x78, 0x0a], start + "STRING at byte 0 has a text without quotes"),
    ([0x20], start + "byte 0 is 20, which is not an operation"),
  ]

  @Test("the operation, its place and what is wrong are named", arguments: refusals.indices)
  func exact(index: Int) {
    let (bytes, expected) = Self.refusals[index]
    #expect(message(bytes) == expected)
  }

  @Test("a pickle that ends too early is refused wherever it ends", arguments: 0...5)
  func truncated(version: Int) throws {
    let bytes = Array(
      try Data(contentsOf: URL(filePath: Fixtures.path("pickle/value-protocol\(version).pkl"))))
    for count in 0..<bytes.count { #expect(message(Array(bytes.prefix(count))) != nil, "\(count)") }
  }

  @Test(
    "lists in lists are read however deep they are, and go away again",
    arguments: [10_000, 1_000_000])
  func deep(levels: Int) throws {
    let lists = [UInt8](repeating: 0x5d, count: levels)
    let pickle = try readPickle(lists + [UInt8](repeating: 0x61, count: levels - 1) + [0x2e])
    #expect(pickle.objects.count == levels)
    // Tuples are made from the inside out.
    let tuples = try readPickle([0x29] + [UInt8](repeating: 0x85, count: levels) + [0x2e])
    #expect(tuples.objects.count == levels + 1)
  }

  @Test("lists of the same list ten times, a thousand levels deep, are a thousand lists")
  func laughs() throws {
    var bytes: [UInt8] = [0x5d, 0x94]
    for level in 0..<1000 {
      let get: [UInt8] = [0x6a, UInt8(level & 0xff), UInt8(level >> 8), 0, 0]
      bytes += [0x5d, 0x28] + Array(repeatElement(get, count: 10).joined()) + [0x65, 0x94]
    }
    let pickle = try readPickle(bytes + [0x2e])
    #expect(pickle.objects.count == 1001)
    #expect(pickle[pickle.root]?.elements.count == 10)
  }

  @Test("what no network needs is refused before it fills the memory")
  func limits() {
    var limits = PickleLimits()
    limits.operations = 100
    limits.objects = 10
    limits.textBytes = 50
    limits.lineBytes = 20
    #expect(
      message([UInt8](repeating: 0x4e, count: 200), limits: limits)
        == "the pickle has more than 100 operations (at byte 100), more than any network needs")
    #expect(
      message([UInt8](repeating: 0x5d, count: 200), limits: limits)
        == "the pickle has more than 10 objects (at byte 10), more than any network needs")
    let text: [UInt8] = [0x8c, 20] + [UInt8](repeating: 0x61, count: 20)
    #expect(
      message(text + text + text, limits: limits)
        == "the pickle has more than 50 bytes of texts (at byte 44), more than any network needs")
    // NEWOBJ_EX of the same ten arguments, over and over.
    var calls = PickleLimits()
    calls.operations = 100
    let named: [UInt8] = [0x8c, 1, 0x61, 0x94, 0x68, 0, 0x93, 0x94]
    let tuple: [UInt8] = [0x28] + [UInt8](repeating: 0x4e, count: 10) + [0x74, 0x94, 0x30, 0x30]
    let call: [UInt8] = [0x68, 1, 0x68, 2, 0x7d, 0x92, 0x30]
    #expect(
      message(named + tuple + Array(repeatElement(call, count: 12).joined()), limits: calls)?
        .hasPrefix("the pickle has more than 100 arguments of calls (at byte ") == true)
    // STACK_GLOBAL of the same short texts, over and over: 21 bytes each time.
    let names: [UInt8] = [0x8c, 10] + [UInt8](repeating: 0x61, count: 10) + [0x94]
    #expect(
      message(
        names + [0x30] + [0x68, 0, 0x68, 0, 0x93, 0x30, 0x68, 0, 0x68, 0, 0x93], limits: limits)
        == "the pickle has more than 50 bytes of texts (at byte 24), more than any network needs")
    #expect(
      message(Array("I".utf8) + [UInt8](repeating: 0x31, count: 30), limits: limits)
        == "the pickle cannot be read: INT at byte 0 has a line of more than 20 bytes")
  }
}

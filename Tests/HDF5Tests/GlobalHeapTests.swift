import Files
import HDF5
import ModelIR
import Testing

/// Collections put together by hand, after the specification.
@Suite("Global heap")
struct GlobalHeapTests {
  /// A collection at byte 8, in a file whose addresses and lengths have `width` bytes.
  private struct Heap {
    var width = 8
    /// Bytes of the collection that the header claims; as many as there are, if `nil`.
    var claimedSize: UInt64?
    var signature = "GCOL"
    var version: UInt8 = 1
    /// Number, claimed size, bytes.
    var objects: [(index: UInt16, size: UInt64?, bytes: [UInt8])] = []
    /// The bytes after the last object.
    var tail: [UInt8] = []

    static let address: UInt64 = 8

    func number(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    func padded(_ bytes: [UInt8]) -> [UInt8] {
      bytes + [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
    }

    var bytes: [UInt8] {
      let inside = objects.flatMap { object in
        padded(
          number(UInt64(object.index), 2) + [1, 0, 0, 0, 0, 0]
            + number(object.size ?? UInt64(object.bytes.count), width)) + padded(object.bytes)
      }
      let size = claimedSize ?? UInt64(16 + inside.count + tail.count)
      let header = padded(Array(signature.utf8) + [version, 0, 0, 0] + number(size, width))
      return [UInt8](repeating: 0xff, count: Int(Self.address)) + header + inside + tail
    }

    func text(
      _ index: UInt64, length: Int, address: UInt64 = Self.address
    ) throws -> String {
      let file = try TemporaryFile(bytes)
      let widths = try GlobalHeap.Widths(address: width, length: width)
      var heap = try GlobalHeap(RandomAccessFile(path: file.path), widths: widths)
      let reference = number(UInt64(length), 4) + number(address, width) + number(index, 4)
      #expect(reference.count == widths.reference)
      return try heap.text(GlobalHeap.Reference(reference[...], widths: widths))
    }
  }

  private static let words: [(index: UInt16, size: UInt64?, bytes: [UInt8])] = [
    (1, nil, Array("one".utf8)), (7, nil, Array("thirteen long".utf8)), (2, nil, []),
    (0xffff, nil, Array("a\0b".utf8) + [0xff]),
  ]

  @Test("texts are found by their numbers, whatever the widths", arguments: [2, 4, 8])
  func found(width: Int) throws {
    let heap = Heap(width: width, objects: Self.words, tail: [0, 0, 0, 0, 0, 0, 0, 0])
    #expect(try heap.text(1, length: 3) == "one")
    #expect(try heap.text(7, length: 13) == "thirteen long")
    // As C has it: a text ends at its first zero.
    #expect(try heap.text(0xffff, length: 4) == "a")
    #expect(try heap.text(99, length: 0, address: 0) == "")
  }

  @Test("objects behind free space are found, and free space that is too small for a header")
  func freeSpace() throws {
    let heap = Heap(
      objects: [(0, 24, [1, 2, 3, 4, 5, 6, 7, 8]), (3, nil, Array("behind".utf8))],
      tail: [9, 9, 9, 9, 9, 9, 9, 9])
    #expect(try heap.text(3, length: 6) == "behind")
  }

  @Test(
    "what does not fit is named",
    arguments: [
      (Heap(signature: "GCOX"), "its text is at address 8, where there is no heap collection"),
      (
        Heap(version: 2),
        "the collection of the heap at address 8, where its text is, has version 2, expected 1"
      ),
      (
        Heap(claimedSize: 15),
        "the collection of the heap at address 8, where its text is, has 15 bytes, which do not fit in the file"
      ),
      (
        Heap(claimedSize: 1 << 40),
        "the collection of the heap at address 8, where its text is, has 1099511627776 bytes, which do not fit in "
          + "the file"
      ),
      (
        Heap(claimedSize: .max),
        "the collection of the heap at address 8, where its text is, has 18446744073709551615 bytes, which do not fit "
          + "in the file"
      ),
      // libhdf5 1.10.8 never ends with this one.
      (
        Heap(objects: [(0, 0, [1, 2, 3, 4, 5, 6, 7, 8])]),
        "the collection of the heap at address 8, where its text is, has free space of 0 bytes, which do not fit in it"
      ),
      (
        Heap(objects: [(1, 4, Array("one".utf8)), (4, 25, Array("last".utf8))]),
        "the collection of the heap at address 8, where its text is, has an object 4 of 25 bytes, which do not fit in it"
      ),
      (
        Heap(objects: [(4, .max, Array("last".utf8))]),
        "the collection of the heap at address 8, where its text is, has an object 4 of 18446744073709551615 bytes, "
          + "which do not fit in it"
      ),
      (
        Heap(objects: [(4, nil, Array("last".utf8)), (4, nil, Array("same".utf8))]),
        "the collection of the heap at address 8, where its text is, has two objects 4"
      ),
      (
        Heap(objects: words),
        "the collection of the heap at address 8, where its text is, has no object 4"
      ),
      // libhdf5 1.10.8 writes past the four bytes that it has made room for.
      (
        Heap(objects: [(4, nil, Array("longer".utf8))]),
        "its text has 4 bytes, and the object in the heap 6"
      ),
      (
        Heap(objects: [(4, nil, Array("abc".utf8))]),
        "its text has 4 bytes, and the object in the heap 3"
      ),
    ] as [(Heap, String)])
  private func refused(heap: Heap, message: String) throws {
    let error = try #require(throws: NetconvError.self) { try heap.text(4, length: 4) }
    #expect(error.kind == .badData)
    #expect(error.message == "damaged: " + message)
  }

  @Test(
    "an address outside the file is refused",
    arguments: [0, 64, 1 << 40, UInt64(Int.max), .max] as [UInt64])
  func outside(address: UInt64) throws {
    let heap = Heap(objects: [(4, nil, Array("last".utf8))])
    #expect(heap.bytes.count < 64)
    let error = try #require(throws: NetconvError.self) {
      try heap.text(4, length: 4, address: address)
    }
    #expect(
      error.message == "damaged: its text is at address \(address), which is not in the file")
  }

  @Test("a file that ends anywhere in a collection is refused")
  func truncated() throws {
    let heap = Heap(objects: [(4, nil, Array("last".utf8))])
    let widths = try GlobalHeap.Widths(address: 8, length: 8)
    let reference = heap.number(4, 4) + heap.number(Heap.address, 8) + heap.number(4, 4)
    for count in 0..<heap.bytes.count {
      let file = try TemporaryFile(heap.bytes[..<count])
      var cut = try GlobalHeap(RandomAccessFile(path: file.path), widths: widths)
      #expect(throws: NetconvError.self, "\(count) bytes") {
        try cut.text(GlobalHeap.Reference(reference[...], widths: widths))
      }
    }
  }

  @Test("an error in the heap names object and attribute")
  func names() throws {
    var bytes = try Fixture.bytes("attributes.h5")
    let signature = Array("GCOL".utf8)
    let places = bytes.indices.dropLast(4).filter { bytes[$0..<$0 + 4].elementsEqual(signature) }
    for place in places { bytes[place] = UInt8(ascii: "X") }
    let file = try TemporaryFile(bytes)
    let error = try thrownError { () throws(NetconvError) in try HDF5File(path: file.path) }
    #expect(error.kind == .badData)
    #expect(error.message.hasPrefix("object '/': attribute '"))
    #expect(error.message.hasSuffix(", where there is no heap collection"))
  }
}

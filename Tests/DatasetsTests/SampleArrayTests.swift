import Datasets
import Foundation
import ModelIR
import TestSupport
import Testing

/// Arrays that stay in their files, against the same arrays in memory.
@Suite struct SampleArrayTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test(arguments: [
    "types.npz", "big-endian.npz", "rounded.npz", "orders.npz", "shapes.npz", "version1.npy",
  ])
  func `what stays in a file has the values that it has in memory`(file: String) throws {
    let path = Fixtures.path("numpy/\(file)")
    let held = try NumpyArchive.read(path)
    let stored = try NumpyArchive.open(path, holding: 0)
    #expect(held.map(\.name) == stored.map(\.name))
    for (expected, found) in zip(held, stored) {
      let (values, array) = (expected.array.values.map(\.bitPattern), found.array)
      #expect(array.shape == expected.array.shape, "\(found.name)")
      #expect(array.elementType == expected.array.elementType, "\(found.name)")
      #expect(array.isHeld == values.isEmpty, "\(found.name)")
      #expect(try array.values(of: 0..<array.count).map(\.bitPattern) == values, "\(found.name)")
      // Samples one at a time, and in pieces.
      let single = try (0..<array.count).flatMap { try array.values(of: $0..<$0 + 1) }
      #expect(single.map(\.bitPattern) == values, "\(found.name)")
      var pieces: [UInt32] = []
      try array.forEachPiece { start, piece in
        #expect(start == pieces.count)
        pieces += piece.map(\.bitPattern)
      }
      #expect(pieces == values, "\(found.name)")
    }
  }

  @Test func `an empty array may have sizes whose product cannot be counted`() throws {
    let header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 1099511627776, 1099511627776), }\n"
    let path = try folder.write(npy(header, []), to: "x.npy")
    let array = try NumpyArchive.open(path, holding: 0)[0].array
    #expect(array.sampleSize == 0)
    try array.forEachPiece { _, values in #expect(values.isEmpty) }
  }

  @Test func `axes in Fortran order stay apart, whatever their sizes`() throws {
    // Value 100 a + 10 b + c, the first axis fastest.
    let values = (0..<4).flatMap { c in (0..<3).flatMap { b in (0..<2).map { a in (a, b, c) } } }
    let bytes = values.map { UInt8(100 * $0.0 + 10 * $0.1 + $0.2) }
    let header = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 4), }\n"
    let path = try folder.write(npy(header, bytes), to: "x.npy")
    let array = try NumpyArchive.open(path, holding: 0)[0].array
    #expect(!array.isHeld)
    #expect(try array.values(of: 0..<1) == [0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23])
    #expect(
      try array.values(of: 1..<2)
        == [100, 101, 102, 103, 110, 111, 112, 113, 120, 121, 122, 123])
  }

  @Test func `images are read from IDX, gzip'ed or not, as they are from memory`() throws {
    let images = idx([5, 2, 3], (0..<30).map { UInt8($0 * 7) })
    let labels = try folder.write(idx([5], [0, 1, 2, 3, 4]), to: "labels")
    let expected = (0..<30).map { Float($0 * 7) }
    for (name, bytes) in [("images", images), ("images.gz", gzip(images))] {
      let path = try folder.write(bytes, to: name)
      for size in [0, 1 << 20] {
        let data = try LabeledImages(images: path, labels: labels, holding: size)
        #expect(try data.values(of: 0..<5) == expected, "\(name), \(size)")
        #expect(try data.values(of: 3..<4) == Array(expected[18..<24]), "\(name), \(size)")
        let few = try data.spread(2, of: 5)
        #expect(try few.values(of: 0..<2) == Array(expected[..<6] + expected[12..<18]))
        #expect(try few.targets.classes() == [0, 2])
      }
    }
  }

  @Test func `a file that was changed or cut off while it was used is an error`() throws {
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n"
    let path = try folder.write(npy(header, [UInt8](repeating: 0, count: 16)), to: "x.npy")
    let labels = try folder.write(idx([2], [0, 1]), to: "labels")
    let data = try LabeledImages(images: path, labels: labels, holding: 0)
    try data.checkUnchanged()
    try Data(npy(header, [UInt8](repeating: 0, count: 8))).write(to: URL(filePath: path))
    #expect(thrown { try data.checkUnchanged() } != nil)
  }
}

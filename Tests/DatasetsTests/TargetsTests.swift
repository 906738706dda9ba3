import Datasets
import Foundation
import ModelIR
import TestSupport
import Testing

@Suite struct TargetsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Targets from an `.npy` file, with as many one-value samples.
  private func targets(
    _ type: String, _ shape: String, _ values: [UInt8], count: Int, fortran: Bool = false
  ) throws -> Targets {
    let header =
      "{'descr': '\(type)', 'fortran_order': \(fortran ? "True" : "False"), 'shape': \(shape), }\n"
    return try LabeledImages(
      images: folder.write(idx([UInt32(count), 1], [UInt8](repeating: 0, count: count)), to: "x"),
      labels: folder.write(npy(header, values), to: "y")
    ).targets
  }

  private func bytes(_ shape: String, _ values: [UInt8], count: Int) throws -> Targets {
    try targets("|u1", shape, values, count: count)
  }

  private func problem(
    _ targets: Targets, at places: [Int] = [], of classCount: Int
  ) -> String? {
    thrown { try targets.classes(at: places, of: classCount) }?.message
  }

  @Test func `values are kept in double precision, whatever their type`() throws {
    let doubles = [0.1, 16_777_217, -1e300].flatMap { value in
      withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
    }
    let found = try targets("<f8", "(3,)", doubles, count: 3)
    #expect(found.values == [0.1, 16_777_217, -1e300])
    #expect(found.shape == [] && found.count == 3 && found.elementType == .float64)
    let integers = try targets("<i4", "(2, 1)", [1, 0, 0, 1, 255, 255, 255, 255], count: 2)
    #expect(integers.values == [16_777_217, -1])
    #expect(integers.shape == [1])
    #expect(try targets(">i2", "(1,)", [1, 2], count: 1).values == [258])
  }

  @Test func `an array in Fortran order is brought into C order`() throws {
    // numpy.asfortranarray(numpy.arange(24).reshape(2, 3, 4))
    let stored: [UInt8] = [
      0, 12, 4, 16, 8, 20, 1, 13, 5, 17, 9, 21, 2, 14, 6, 18, 10, 22, 3, 15, 7, 19, 11, 23,
    ]
    let found = try targets("|u1", "(2, 3, 4)", stored, count: 2, fortran: true)
    #expect(found.values == (0..<24).map(Double.init))
  }

  @Test func `a class for each place is a number, or a row with a single 1`() throws {
    #expect(try bytes("(3,)", [2, 0, 1], count: 3).classes(of: 4) == [2, 0, 1])
    #expect(try bytes("(3, 1, 1)", [2, 0, 1], count: 3).classes(of: 4) == [2, 0, 1])
    #expect(try bytes("(2, 3)", [0, 0, 1, 1, 0, 0], count: 2).classes(of: 3) == [2, 0])
    #expect(try bytes("(2, 1, 3)", [0, 0, 1, 1, 0, 0], count: 2).classes(of: 3) == [2, 0])
    let numbers = try bytes("(2, 3)", [0, 3, 1, 2, 2, 0], count: 2)
    #expect(try numbers.classes(at: [3], of: 4) == [0, 3, 1, 2, 2, 0])
    // With as many places as classes, the rank tells the two.
    #expect(try numbers.classes(at: [3], of: 3) == [0, 3, 1, 2, 2, 0])
    let column = try bytes("(2, 3, 1)", [0, 3, 1, 2, 2, 0], count: 2)
    #expect(try column.classes(at: [3], of: 4) == [0, 3, 1, 2, 2, 0])
    let rows = try bytes("(2, 3, 2)", [0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1], count: 2)
    #expect(try rows.classes(at: [3], of: 2) == [1, 0, 0, 1, 1, 1])
  }

  @Test func `what is no class for each place is refused`() throws {
    let numbers = try bytes("(2, 3)", [0, 3, 1, 2, 2, 0], count: 2)
    #expect(
      problem(numbers, of: 4)
        == "the labels have shape [2, 3], expected one class per sample; save a number or a one-hot row for each"
    )
    #expect(
      problem(numbers, at: [5], of: 4)
        == "the labels have shape [2, 3], expected [2, 5], one class for each position of the output, or "
        + "[2, 5, 4], one-hot rows")
    #expect(
      problem(try bytes("(2,)", [0, 3], count: 2), at: [2], of: 4)
        == "the labels have shape [2], expected [2, 2], one class for each position of the output, or "
        + "[2, 2, 4], one-hot rows")
    let rest =
      ", expected a single 1 among zeros; samples with several classes or none are not supported, so write the number "
      + "of one class for each"
    for (row, words) in [
      ([1, 0, 1], "2 ones"), ([0, 0, 0], "no 1"), ([1, 2, 0], "other values than 0 and 1"),
    ] as [([UInt8], String)] {
      #expect(
        problem(try bytes("(2, 3)", [0, 1, 0] + row, count: 2), of: 3)
          == "row 1 of the labels has \(words)\(rest)")
    }
  }
}

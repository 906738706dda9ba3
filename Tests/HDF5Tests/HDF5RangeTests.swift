import HDF5
import ModelIR
import Testing

@Suite("Reading in part")
struct HDF5RangeTests {
  /// The linear indices of a box, by counting through all indices of the array.
  private func linearIndices(of box: IndexBox, in shape: [Int]) -> [Int] {
    let count = shape.reduce(1, *)
    return (0..<count).filter { linear in
      var rest = linear
      for dimension in shape.indices.reversed() {
        let index = rest % shape[dimension]
        rest /= shape[dimension]
        let start = box.start[dimension]
        if index < start || index >= start + box.size[dimension] { return false }
      }
      return true
    }
  }

  @Test(
    "boxes cover each range once and in order, at most 2 * rank - 1 of them",
    arguments: [[5], [3, 4], [2, 3, 4], [3, 1, 4], [1, 1, 3], [2, 2, 2, 3], [4, 1]])
  func boxes(shape: [Int]) {
    let count = shape.reduce(1, *)
    for lower in 0...count {
      for upper in lower...count {
        let boxes = IndexBox.boxes(covering: lower..<upper, of: shape)
        #expect(boxes.count <= 2 * shape.count - 1)
        #expect(boxes.flatMap { linearIndices(of: $0, in: shape) } == Array(lower..<upper))
        #expect(boxes.map(\.count).reduce(0, +) == upper - lower)
      }
    }
  }

  @Test("any range of any dataset is read", arguments: ["cube_chunked", "cube_big", "cube_int16"])
  func ranges(name: String) throws {
    // Values are the linear indices of a 5 x 7 x 11 array.
    let dataset = try HDF5File(path: Fixture.path("values.h5")).dataset(at: name)
    let count = 5 * 7 * 11
    for lower in stride(from: 0, through: count, by: 9) {
      for upper in stride(from: lower, through: count, by: 13) {
        #expect(try dataset.floats(lower..<upper) == (lower..<upper).map { Float($0) })
      }
    }
    #expect(try dataset.allValues() == (0..<count).map { Float($0) })
  }

  @Test("a range of a contiguous float32 dataset is read")
  func contiguous() throws {
    let dataset = try HDF5File(path: Fixture.path("types.h5")).dataset(at: "rank5_f4")
    #expect(dataset.shape == [2, 3, 4, 5, 6])
    #expect(try dataset.floats(101..<577) == (101..<577).map { Float($0) })
    #expect(try dataset.floats(720..<720) == [])
  }

  @Test("several tasks read several datasets of a file at once")
  func concurrently() async throws {
    let file = try HDF5File(path: Fixture.path("values.h5"))
    let names = ["cube_chunked", "cube_big", "cube_int16"]
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<60 {
        let dataset = try file.dataset(at: names[number % 3])
        group.addTask {
          try dataset.floats(number..<(number + 300)) == (number..<(number + 300)).map { Float($0) }
        }
      }
      for try await isRight in group {
        #expect(isRight)
      }
    }
  }

  @Test("a dataset can be read after the file value has gone")
  func outlivesFile() throws {
    let dataset = try HDF5File(path: Fixture.path("values.h5")).dataset(at: "cube_int16")
    #expect(try dataset.floats(384..<385) == [384])
  }
}

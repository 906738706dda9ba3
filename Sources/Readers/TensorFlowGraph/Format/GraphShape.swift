import ModelIR
import ProtocolBuffers

/// A shape as TensorFlow writes it, with the batch.
///
/// Source: tensorflow/core/framework/tensor_shape.proto.
struct GraphShape: Sendable, Equatable {
  /// `nil` if not even the number of axes is known; a size is `nil` if it is open.
  let dimensions: [Int?]?

  private enum Number: Int {
    case dimension = 2
    case isOfUnknownRank = 3
  }

  private enum DimensionNumber: Int {
    case size = 1
  }

  init(_ dimensions: [Int?]?) { self.dimensions = dimensions }

  init(_ message: WireMessage) throws(NetconvError) {
    var dimensions: [Int?]? = []
    // Nearly all have no more.
    dimensions?.reserveCapacity(4)
    try message.forEachField { field throws(NetconvError) in
      switch Number(rawValue: field.number) {
      case .dimension:
        var size = 0
        try field.inner("TensorShapeProto.Dim").forEachField { field throws(NetconvError) in
          if DimensionNumber(rawValue: field.number) == .size { size = try field.integer() }
        }
        dimensions?.append(size < 0 ? nil : size)
        guard dimensions?.count ?? 0 <= TensorSlice.rankLimit else {
          throw .tooManySliceAxes(TensorSlice.rankLimit)
        }
      case .isOfUnknownRank: if try field.boolean() { dimensions = nil }
      case nil: break
      }
    }
    self.dimensions = dimensions
  }

  /// The sizes, if all are known, of a tensor whose values can be counted.
  ///
  /// - Throws: `badData` if they could not be. A size of 0 hides what the others come to; places are counted with them.
  func countable() throws(NetconvError) -> [Int]? {
    guard let known else { return nil }
    guard let places = try? product(known.lazy.map { max(1, $0) }), places <= Int.max >> 4 else {
      throw .tooLargeVariable(known)
    }
    return known
  }

  /// The sizes, if all are known.
  var known: [Int]? {
    guard let dimensions else { return nil }
    var sizes: [Int] = []
    sizes.reserveCapacity(dimensions.count)
    for dimension in dimensions {
      guard let dimension else { return nil }
      sizes.append(dimension)
    }
    return sizes
  }
}

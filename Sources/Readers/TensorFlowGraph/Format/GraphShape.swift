import ModelIR
import ProtocolBuffers

/// A TensorFlow shape, batch included.
///
/// Source: tensorflow/core/framework/tensor_shape.proto.
struct GraphShape: Sendable, Equatable {
  /// The sizes, with `nil` for an open size; `nil` if the rank is unknown.
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
    // Ranks above 4 are rare.
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

  /// The sizes if all are known, checked against overflow.
  ///
  /// - Throws: `badData` if the count of elements overflows; a size of 0 counts as 1 for this check.
  func countable() throws(NetconvError) -> [Int]? {
    guard let known else { return nil }
    guard let places = try? product(known.lazy.map { max(1, $0) }), places <= Int.max >> 4 else {
      throw .tooLargeVariable(known)
    }
    return known
  }

  /// The sizes if all are known.
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

extension NetconvError {
  fileprivate static func tooLargeVariable(_ shape: [Int]) -> NetconvError {
    NetconvError(.badData, "its shape \(shape) has more values than can be counted")
  }
}

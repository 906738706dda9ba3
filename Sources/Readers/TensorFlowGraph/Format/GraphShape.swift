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
    try message.forEachField { field throws(NetconvError) in
      switch Number(rawValue: field.number) {
      case .dimension:
        var size = 0
        try field.inner("TensorShapeProto.Dim").forEachField { field throws(NetconvError) in
          if DimensionNumber(rawValue: field.number) == .size { size = try field.integer() }
        }
        dimensions?.append(size < 0 ? nil : size)
        guard dimensions?.count ?? 0 <= 255 else { throw .tooManyAxes(limit: 255) }
      case .isOfUnknownRank: if try field.boolean() { dimensions = nil }
      case nil: break
      }
    }
    self.dimensions = dimensions
  }

  /// The sizes, if all are known.
  var known: [Int]? {
    guard let dimensions, dimensions.allSatisfy({ $0 != nil }) else { return nil }
    return dimensions.compactMap(\.self)
  }
}

import ModelIR
import Operators

/// Resizing of images.
///
/// Source: tensorflow/core/ops/image_ops.cc; core/util/image_resizer_state.h.
enum GraphResizing: GraphOperation {
  static let names = ["ResizeBicubic", "ResizeBilinear", "ResizeNearestNeighbor"]
  static let operators: [any Operator.Type] = [Resizing.self, UpSampling2D.self]
  static let refused = ["ResizeBicubic without half_pixel_centers"]

  static func results(
    of node: MappedNode, _ graph: inout GraphBuilder
  ) throws(NetconvError) -> [GraphResult] {
    let input = try graph.sample(node.input(0))
    guard input.shape.rank == 3 else { throw .wrongRankOfValue(input.shape, expected: 4) }
    let size = try node.constant(1).integers()
    guard size.count == 2 else { throw .wrongRankOfConstant([size.count], expected: 1) }
    let lengths = input.shape.dimensions.prefix(2)
    let interpolation: Interpolation =
      switch node.operation {
      case "ResizeBicubic": .bicubic
      case "ResizeBilinear": .bilinear
      default: .nearest
      }
    if Array(lengths) == size.map(Optional.init) { return [.value(input)] }
    let isCentered = node.flag("half_pixel_centers", default: false)
    let factors = zip(lengths, size).map { length, size in
      length.flatMap { $0 > 0 && size % $0 == 0 ? size / $0 : nil }
    }
    let isWhole = !factors.contains(nil)
    let isAligned = node.flag("align_corners", default: false)
    guard interpolation != .bicubic || isCentered && !isAligned else { throw .measuresFromCorners }
    // Integer scales repeat pixels, with coordinates at pixel centres or corners.
    if interpolation == .nearest, isWhole, !isAligned {
      let sizes = factors.compactMap(\.self)
      return [.value(try graph.draft(UpSampling2D(size: Size2D(sizes[0], sizes[1])), [input]))]
    }
    return [
      .value(
        try graph.draft(
          Resizing(
            size: Size2D(size[0], size[1]), interpolation: interpolation,
            coordinates: isAligned ? .alignCorners : isCentered ? .halfPixel : .asymmetric),
          [input]))
    ]
  }
}

extension NetconvError {
  fileprivate static var measuresFromCorners: NetconvError {
    NetconvError(
      .badData,
      "pixels of bicubic interpolation are measured from their corners, which is not read")
  }
}

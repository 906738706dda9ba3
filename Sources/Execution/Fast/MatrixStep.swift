import Operators

/// A matrix product with what comes before and after: zeros around the images, an activation function.
struct MatrixStep: KernelStep {
  let product: MatrixProduct
  /// What the images need around them, if anything.
  let border: ZeroBorder?
  /// What the product cannot do as it stores, if anything.
  let activation: ActivationPass?
  /// Values of an image.
  let inputCount: Int
  /// Values of a result.
  let outputCount: Int

  var prefersManyImages: Bool? { product.prefersManyImages }

  var scratchCount: Int { border.map { $0.count * imagesInBlock } ?? 0 }

  /// Images that are copied at once: few enough that the copies are still in the L2 cache when the product
  /// reads them, and enough pixels that only a small part of the last tile is wasted.
  private var imagesInBlock: Int {
    guard let border else { return .max }
    let copyBytes = 128 << 10
    return max(1, copyBytes / MemoryLayout<Float>.size / border.count)
  }

  func run(_ operands: Operands) {
    let block = min(operands.images, imagesInBlock)
    for first in stride(from: 0, to: operands.images, by: block) {
      let images = min(block, operands.images - first)
      let x = operands.inputs[0] + first * inputCount
      let y = operands.output + first * outputCount
      border?.copy(images, x, operands.scratch)
      product.run(
        images, border == nil ? x : UnsafePointer(operands.scratch), y, operands.team)
      activation?.run(images, y, y)
    }
  }
}

extension ActivationPass {
  /// The pass that is needed after bounds have been applied, or `nil`.
  init?(remaining function: ActivationFunction, shape: [Int]) {
    guard function.bounds == nil else { return nil }
    self.init(function: function, shape: shape)
  }
}

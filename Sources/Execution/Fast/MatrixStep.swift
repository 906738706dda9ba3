import Operators

/// A matrix product with optional zero padding before it, and a sum and an activation function after it.
struct MatrixStep: KernelStep {
  let product: MatrixProduct
  /// The padding of the images, if any.
  let bands: BorderBands?
  /// The activation that the product cannot apply when it stores, if any.
  let activation: ActivationPass?
  /// The number of values of a result.
  let outputCount: Int

  var prefersManyImages: Bool? { product.prefersManyImages }

  /// The addend.
  var inPlaceInputs: [Int] { [1] }

  var scratchCount: Int { bands?.scratchCount ?? 0 }

  /// The second input, if there is one, is added to the product.
  func run(_ operands: Operands) {
    if let bands {
      if bands.isWhole {
        multiplyWhole(bands, operands)
      } else {
        multiply(bands, operands)
      }
    } else {
      product.run(
        images: operands.images, operands.inputs[0], adding: operands.addend, operands.output,
        operands.team)
    }
    activation?.run(operands.images, operands.output, operands.output, operands.team)
  }

  /// All threads work on the same images.
  private func multiplyWhole(_ bands: BorderBands, _ operands: Operands) {
    let cut = bands.bands(images: operands.images, threads: operands.team.threads)
    for index in 0..<cut.count {
      let band = cut[index]
      bands.copy(band, of: operands.inputs[0], to: operands.scratch)
      let first = band.images.lowerBound * outputCount
      product.run(
        images: band.images.count, operands.scratch, adding: operands.addend.map { $0 + first },
        operands.output + first, operands.team)
    }
  }

  /// Each thread works on its own bands.
  private func multiply(_ bands: BorderBands, _ operands: Operands) {
    let rowCount = outputCount / bands.output.rows
    bands.forEachBand(of: operands.images, at: operands.inputs[0], operands) {
      band, pixels, firstRow in
      let first = firstRow * rowCount
      product.run(
        rows: 0..<band.images.count * band.rows.count * bands.output.columns, pixels,
        adding: operands.addend.map { $0 + first }, operands.output + first)
    }
  }
}

extension Operands {
  /// The addend of the output: the second input, if there is one.
  fileprivate var addend: UnsafePointer<Float>? { inputCount > 1 ? inputs[1] : nil }
}

extension ActivationPass {
  /// Creates the pass for the part of a function other than clamping, or `nil` if there is none.
  init?(remaining function: ActivationFunction, shape: [Int], _ level: CPULevel) {
    guard function.bounds == nil else { return nil }
    self.init(function: function, shape: shape, level: level)
  }
}

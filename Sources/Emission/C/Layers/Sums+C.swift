import Lowering
import ModelIR
import Operators

extension CStep {
  /// A step that sums products: what it fuses with neighbours follows the sums.
  fileprivate static func sums(
    _ layer: CLayer, _ own: ActivationFunction, _ function: CFunction,
    call: @escaping (CPlaces) -> [String]
  ) throws(NetconvError) -> CStep {
    let adds = layer.fusion.addsInput
    let count = layer.outputCount
    let step = CStep(
      [function] + (adds ? [.addTo] : []),
      parameters: Parameter.optional("kernel", layer.values(.kernel))
        + Parameter.optional("bias", layer.values(.bias))
    ) { places in
      call(places)
        + (adds
          ? ["add_to(\(places.output), \(places.inputs[places.inputs.count - 1]), \(count));"] : [])
    }
    return step.followed(by: try (layer.fusion.activation ?? own).cPass(layer.output))
  }
}

extension Dense: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let features = layer.inputs[0].last ?? 1
    let rows = layer.inputCount / features
    return try .sums(layer, activation, .dense) { places in
      [
        "dense(\(places.input), \(rows), \(features), \(places["kernel"]), \(places["bias"]), \(units), \(places.output));"
      ]
    }
  }
}

/// A window in C, and the images between which it slides.
struct CWindow {
  let from: [Int]
  let to: [Int]
  let numbers: [Int]

  /// Creates a window over an image of `from`.
  ///
  /// - Parameters:
  ///   - padding: zeros that are part of the step, in front of rows and columns.
  init(_ window: Window2D, from: [Int], to: [Int], padding: (any ZeroPaddingOperator)? = nil) {
    self.from = from.asImage
    self.to = to.asImage
    numbers =
      window.size.sizes + window.strides.sizes + window.dilation.sizes + [
        window.rows.paddingBefore(self.from[0]) + (padding?.top ?? 0),
        window.columns.paddingBefore(self.from[1]) + (padding?.left ?? 0),
      ]
  }

  /// Creates the window of a transposed convolution, which slides over the output.
  init(transposed window: Window2D, from: [Int], to: [Int]) {
    self.from = from.asImage
    self.to = to.asImage
    numbers =
      window.size.sizes + window.strides.sizes + window.dilation.sizes + [
        window.rows.transposedPaddingBefore(self.from[0], length: self.to[0]),
        window.columns.transposedPaddingBefore(self.from[1], length: self.to[1]),
      ]
  }

  /// Returns a block with the sizes and the window as constants, and a call that uses them.
  func block(_ call: String) -> [String] {
    CText.block([
      "const image_size from = {\(from.list)}, to = {\(to.list)};",
      "const sliding_window window = {\(numbers.list)};", call,
    ])
  }
}

extension [Int] {
  /// The sizes of an image: those of a sequence with one row.
  var asImage: [Int] { count == 2 ? [1] + self : self }

  /// The numbers in a list.
  var list: String { map { "\($0)" }.joined(separator: ", ") }
}

extension SpatialConvolution: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    if let volume = self as? Convolution3D {
      let window = CVolumeWindow(
        volume.window, from: layer.inputs[0], to: layer.output, padding: layer.fusion.padding)
      return try .sums(layer, activation, .convolveVolume) { places in
        window.block(
          "convolve_volume(\(places.input), &from, &window, \(groups), \(places["kernel"]), \(places["bias"]), \(places.output), &to);"
        )
      }
    }
    let plane = (self as? Convolution2D) ?? (self as? Convolution1D)?.planar
    guard let plane else { return nil }
    let window = CWindow(
      plane.window, from: layer.inputs[0], to: layer.output, padding: layer.fusion.padding)
    return try .sums(layer, activation, .convolve) { places in
      window.block(
        "convolve(\(places.input), from, &window, \(groups), \(places["kernel"]), \(places["bias"]), \(places.output), to);"
      )
    }
  }
}

extension SpatialDepthwiseConvolution: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let plane = (self as? DepthwiseConvolution2D) ?? (self as? DepthwiseConvolution1D)?.planar
    guard let plane else { return nil }
    let window = CWindow(
      plane.window, from: layer.inputs[0], to: layer.output, padding: layer.fusion.padding)
    return try .sums(layer, activation, .convolveDepthwise) { places in
      window.block(
        "convolve_depthwise(\(places.input), from, &window, \(places["kernel"]), \(places["bias"]), \(places.output), to);"
      )
    }
  }
}

extension SpatialTransposedConvolution: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    if let volume = self as? TransposedConvolution3D {
      let window = CVolumeWindow(
        transposed: volume.window, from: layer.inputs[0], to: layer.output)
      return try .sums(layer, activation, .convolveVolumeTransposed) { places in
        window.block(
          "convolve_volume_transposed(\(places.input), &from, &window, \(places["kernel"]), \(places["bias"]), \(places.output), &to);"
        )
      }
    }
    let plane = (self as? TransposedConvolution2D) ?? (self as? TransposedConvolution1D)?.planar
    guard let plane else { return nil }
    let window = CWindow(transposed: plane.window, from: layer.inputs[0], to: layer.output)
    return try .sums(layer, activation, .convolveTransposed) { places in
      window.block(
        "convolve_transposed(\(places.input), from, &window, \(places["kernel"]), \(places["bias"]), \(places.output), to);"
      )
    }
  }
}

extension SpatialLocallyConnected: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    let plane = (self as? LocallyConnected2D) ?? (self as? LocallyConnected1D)?.planar
    guard let plane else { return nil }
    let window = CWindow(plane.window, from: layer.inputs[0], to: layer.output)
    return try .sums(layer, activation, .connectLocally) { places in
      window.block(
        "connect_locally(\(places.input), from, &window, \(places["kernel"]), \(places["bias"]), \(places.output), to);"
      )
    }
  }
}

import ModelIR
import Operators

extension CStep {
  fileprivate static func pooling(
    _ function: CFunction, _ window: Window2D, _ layer: CLayer
  ) -> CStep {
    let window = CWindow(window, from: layer.inputs[0], to: layer.output)
    return CStep([function]) { places in
      window.block("\(function.name)(\(places.input), from, &window, \(places.output), to);")
    }
  }

  fileprivate static func pooling(
    _ function: CFunction, _ window: Window<Volume>, _ layer: CLayer
  ) -> CStep {
    let window = CVolumeWindow(window, from: layer.inputs[0], to: layer.output)
    return CStep([function]) { places in
      window.block("\(function.name)(\(places.input), &from, &window, \(places.output), &to);")
    }
  }

  fileprivate static func adaptive(
    _ function: CFunction, from: [Int], to: [Int]
  ) -> CStep {
    CStep([function]) { places in
      CText.block([
        "const image_size from = {\(from.asImage.list)}, to = {\(to.asImage.list)};",
        "\(function.name)(\(places.input), from, \(places.output), to);",
      ])
    }
  }

  fileprivate static func global(_ function: CFunction, _ layer: CLayer) -> CStep {
    let channels = layer.inputs[0].last ?? 1
    // Positions may be counted in any order.
    return adaptive(
      function, from: [1, layer.inputCount / channels, channels], to: [1, 1, channels])
  }
}

extension SpatialMaxPooling: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    if let volume = self as? MaxPooling3D {
      return .pooling(.poolVolumeLargest, volume.window, layer)
    }
    let plane = (self as? MaxPooling2D) ?? (self as? MaxPooling1D)?.planar
    return plane.map { .pooling(.poolLargest, $0.window, layer) }
  }
}

extension SpatialAveragePooling: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    if let volume = self as? AveragePooling3D {
      return .pooling(.poolVolumeMean, volume.window, layer)
    }
    let plane = (self as? AveragePooling2D) ?? (self as? AveragePooling1D)?.planar
    return plane.map { .pooling(.poolMean, $0.window, layer) }
  }
}

extension SpatialAdaptiveMaxPooling: COperator where Space: PlanarAxes {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    .adaptive(.adaptLargest, from: layer.inputs[0], to: layer.output)
  }
}

extension SpatialAdaptiveAveragePooling: COperator where Space: PlanarAxes {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    .adaptive(.adaptMean, from: layer.inputs[0], to: layer.output)
  }
}

extension SpatialGlobalMaxPooling: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? { .global(.adaptLargest, layer) }
}

extension SpatialGlobalAveragePooling: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? { .global(.adaptMean, layer) }
}

extension CStep {
  /// A step that resamples an image by the pixels and shares that each row and column mixes.
  fileprivate static func resampling(_ sampling: ImageSampling, _ layer: CLayer) -> CStep {
    let (from, to) = (layer.inputs[0].asImage, layer.output.asImage)
    func table(_ name: String, _ taps: [[ImageTap]]) -> [String] {
      // An array without elements is no array: a row outside of the input mixes nothing.
      let all = taps.flatMap(\.self)
      let starts = taps.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
      return CText.integers("\(name)_starts", starts)
        + CText.integers("\(name)_pixels", all.isEmpty ? [0] : all.map(\.pixel))
        + CText.numbers("\(name)_shares", all.isEmpty ? [0] : all.map { Float($0.share) })
        + ["const sampling \(name)s = {\(name)_starts, \(name)_pixels, \(name)_shares};"]
    }
    return CStep([.resample]) { places in
      CText.block(
        ["const image_size from = {\(from.list)}, to = {\(to.list)};"]
          + table("row", sampling.rows) + table("column", sampling.columns)
          + [
            "resample(\(places.input), from, &rows, &columns, \(CText.literal(sampling.fill)), \(places.output), to);"
          ])
    }
  }
}

extension Resizing: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    .resampling(sampling(of: layer.inputs[0]), layer)
  }
}

extension CenterCrop: COperator {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    .resampling(sampling(of: layer.inputs[0]), layer)
  }
}

extension SpatialUpSampling: COperator where Space: PlanarAxes {
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep? {
    .resampling(sampling(of: layer.inputs[0]), layer)
  }
}

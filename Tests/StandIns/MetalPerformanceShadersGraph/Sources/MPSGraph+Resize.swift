extension MPSGraph {
  /// Images of another size, `[height, width]`.
  ///
  /// With aligned corners these stay; otherwise pixel `x` of the result lies at `x * source / result`, or with a
  /// centred result, as in TensorFlow 2, at `(x + 0.5) * source / result - 0.5`.
  /// https://developer.apple.com/documentation/metalperformanceshadersgraph/mpsgraph/resize(_:size:mode:centerresult:aligncorners:layout:name:)
  public func resize(
    _ imagesTensor: MPSGraphTensor, size: [NSNumber], mode: MPSGraphResizeMode, centerResult: Bool,
    alignCorners: Bool, layout: MPSGraphTensorNamedDataLayout, name: String?
  ) -> MPSGraphTensor {
    let images = ImageLayout(layout)
    let (height, width) = (size[0].intValue, size[1].intValue)
    return add(
      name, [imagesTensor],
      Rule(shape: { shapes in
        let source = images.sizes(shapes[0])
        return images.shape(
          ImageSizes(
            batch: source.batch, height: height, width: width, channels: source.channels))
      }) { inputs, result in
        images.forEachImage(inputs[0], result) { source, destination in
          let columns = (0..<width).map {
            Sample($0, width, source.width, mode, centerResult, alignCorners)
          }
          let rows = (0..<height).map {
            Sample($0, height, source.height, mode, centerResult, alignCorners)
          }
          for (y, row) in rows.enumerated() {
            for (x, column) in columns.enumerated() {
              let result = destination.pixel(x, y)
              for c in 0..<source.channels {
                func between(_ y: Int) -> Float {
                  let (left, right) = (
                    source.pixel(column.first, y)[c], source.pixel(column.second, y)[c]
                  )
                  return left + (right - left) * column.part
                }
                let (top, bottom) = (between(row.first), between(row.second))
                result[c] = top + (bottom - top) * row.part
              }
            }
          }
        }
      })
  }
}

/// Two neighbours in one dimension, and how far a place is from the first towards the second.
private struct Sample {
  let first: Int
  let second: Int
  let part: Float

  init(
    _ index: Int, _ size: Int, _ source: Int, _ mode: MPSGraphResizeMode, _ isCentered: Bool,
    _ alignsCorners: Bool
  ) {
    let place: Float
    if alignsCorners {
      place = size == 1 ? 0 : Float(index) * Float(source - 1) / Float(size - 1)
    } else {
      let scale = Float(source) / Float(size)
      place = isCentered ? (Float(index) + 0.5) * scale - 0.5 : Float(index) * scale
    }
    switch mode {
    case .nearest:
      first = min(max(Int((place + 0.5).rounded(.down)), 0), source - 1)
      (second, part) = (first, 0)
    case .bilinear:
      let inside = min(max(place, 0), Float(source - 1))
      first = Int(inside)
      second = min(first + 1, source - 1)
      part = inside - Float(first)
    }
  }
}

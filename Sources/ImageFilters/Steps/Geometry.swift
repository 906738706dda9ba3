import ModelIR

/// Steps that only move pixels.
extension Picture {
  /// Returns the pixels of a rectangle inside the picture.
  func cropped(to area: PixelStep.Area) -> [Float] {
    let row = area.width * channels
    return [Float](unsafeUninitializedCapacity: area.height * row) { buffer, count in
      for y in 0..<area.height {
        let first = ((area.y + y) * width + area.x) * channels
        _ = UnsafeMutableBufferPointer(rebasing: buffer[y * row..<(y + 1) * row])
          .initialize(fromContentsOf: values[first..<first + row])
      }
      count = area.height * row
    }
  }

  /// Returns the picture with the pixels of a rectangle replaced.
  func replacing(_ area: PixelStep.Area, with part: [Float]) -> [Float] {
    var values = values
    let row = area.width * channels
    for y in 0..<area.height {
      let first = ((area.y + y) * width + area.x) * channels
      values.replaceSubrange(first..<first + row, with: part[y * row..<(y + 1) * row])
    }
    return values
  }

  /// Returns the picture without alpha: composited over a colour, or with its own colours.
  func opaque(over background: [Double]?) -> [Float] {
    guard hasAlpha else { return values }
    let colors = colors
    let behind = background.map { numbers in
      (0..<colors).map { Float(numbers[numbers.count == 1 ? 0 : $0]) }
    }
    return [Float](unsafeUninitializedCapacity: height * width * colors) { buffer, count in
      for pixel in 0..<height * width {
        let alpha = values[pixel * channels + colors] / 255
        for color in 0..<colors {
          let value = values[pixel * channels + color]
          buffer[pixel * colors + color] =
            behind.map { value * alpha + $0[color] * (1 - alpha) } ?? value
        }
      }
      count = height * width * colors
    }
  }

  /// Returns the picture with a border of opaque pixels of one colour.
  func padded(by margins: PixelStep.Margins, _ numbers: [Double]) -> [Float] {
    var pixel = (0..<colors).map { Float(numbers[numbers.count == 1 ? 0 : $0]) }
    if hasAlpha { pixel.append(255) }
    func pixels(_ count: Int) -> [Float] {
      Array(Array(repeating: pixel, count: count).joined())
    }
    let wide = margins.left + width + margins.right
    let (left, right) = (pixels(margins.left), pixels(margins.right))
    var result: [Float] = []
    result.reserveCapacity((margins.top + height + margins.bottom) * wide * channels)
    result += pixels(margins.top * wide)
    for y in 0..<height {
      result += left
      result += values[y * width * channels..<(y + 1) * width * channels]
      result += right
    }
    result += pixels(margins.bottom * wide)
    return result
  }

  /// Returns the picture rotated clockwise by quarter turns.
  func rotated(by quarters: Int) -> [Float] {
    let row = width * channels
    let strides =
      switch quarters {
      case 1: (channels, -row)
      case 2: (-row, -channels)
      default: (-channels, row)
      }
    return moved(strides, quarters == 2 ? (height, width) : (width, height))
  }

  /// Returns the picture with rows and columns exchanged.
  func transposed() -> [Float] { moved((channels, width * channels), (width, height)) }

  private func moved(_ strides: (Int, Int), _ sizes: (Int, Int)) -> [Float] {
    guard !values.isEmpty else { return [] }
    let copy = StridedCopy([
      StridedCopy.Dimension(size: sizes.0, stride: strides.0),
      StridedCopy.Dimension(size: sizes.1, stride: strides.1),
      StridedCopy.Dimension(size: channels, stride: 1),
    ])
    return [Float](unsafeUninitializedCapacity: values.count) { buffer, count in
      values.withUnsafeBufferPointer { source in
        if let from = source.baseAddress, let to = buffer.baseAddress { copy.run(from, to) }
      }
      count = values.count
    }
  }
}

import ModelIR

/// Values of which the last is repeated up to the count: TensorFlow omits the repetitions in files.
struct RepeatedLast: TensorSource {
  /// The stored values, at least one.
  let source: any TensorSource
  let count: Int

  var elementType: ElementType { source.elementType }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try read(range, into: values) { part, values throws(NetconvError) in
      try source.read(part, into: values)
    }
  }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    try read(range, into: values) { part, values throws(NetconvError) in
      try source.read(part, into: values)
    }
  }

  private func read<Number>(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Number>,
    _ read: (Range<Int>, UnsafeMutableBufferPointer<Number>) throws(NetconvError) -> Void
  ) throws(NetconvError) {
    let own = range.clamped(to: 0..<source.count)
    if !own.isEmpty { try read(own, UnsafeMutableBufferPointer(rebasing: values[..<own.count])) }
    guard own.count < range.count else { return }
    let rest = UnsafeMutableBufferPointer(rebasing: values[own.count..<range.count])
    try read(source.count - 1..<source.count, UnsafeMutableBufferPointer(rebasing: rest[..<1]))
    rest.dropFirst().update(repeating: rest[0])
  }

  func overflows(in range: Range<Int>) throws(NetconvError) -> Overflow {
    let own = range.clamped(to: 0..<source.count)
    var overflow = own.isEmpty ? Overflow() : try source.overflows(in: own)
    if range.upperBound > source.count {
      overflow.add(try source.overflows(in: source.count - 1..<source.count))
    }
    return overflow
  }
}

/// Computed numbers, or numbers that a file lists in a wider type.
struct NumberSource: TensorSource {
  let numbers: [Double]
  let elementType: ElementType

  var count: Int { numbers.count }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    for (index, number) in zip(values.indices, numbers[range]) { values[index] = Float(number) }
  }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Double>
  ) throws(NetconvError) {
    _ = values.update(fromContentsOf: numbers[range])
  }
}

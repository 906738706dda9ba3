import ModelIR

/// The values of a source, rounded to float16 or bfloat16.
struct RoundedSource: TensorSource {
  let source: any TensorSource
  let type: ElementType

  var elementType: ElementType { .float32 }
  var count: Int { source.count }
  var isSequential: Bool { source.isSequential }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try source.read(range, into: values)
    if type == .float16 { Half.round(values) } else { BFloat16.round(values) }
  }
}

extension RelatedTensor {
  /// The same with what `likeness` makes of its values, if that is rounding to a type.
  func rounded(as likeness: Likeness) -> RelatedTensor {
    guard case .rounded(let type) = likeness, type != .float32 else { return self }
    return RelatedTensor(
      name: name, shape: shape, source: RoundedSource(source: source, type: type))
  }
}

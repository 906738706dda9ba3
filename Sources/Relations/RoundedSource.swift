import ModelIR

/// The values of a source, rounded or truncated to float16 or bfloat16.
struct RoundedSource: TensorSource {
  let source: any TensorSource
  let likeness: Likeness

  var elementType: ElementType { .float32 }
  var count: Int { source.count }
  var isSequential: Bool { source.isSequential }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try source.read(range, into: values)
    switch likeness {
    case .rounded(.float16): Half.round(values)
    case .rounded(.bfloat16): BFloat16.round(values)
    default:
      for index in values.indices {
        values[index] = Float(bitPattern: likeness.apply(to: values[index].bitPattern))
      }
    }
  }
}

extension RelatedTensor {
  /// The tensor with rounded or truncated values; unchanged for other changes.
  func rounded(as likeness: Likeness) -> RelatedTensor {
    guard likeness.narrowType != nil else { return self }
    return RelatedTensor(
      name: name, shape: shape, source: RoundedSource(source: source, likeness: likeness))
  }
}

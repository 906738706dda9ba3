/// Values that are rounded to a type when they are read.
package struct RoundedValues: TensorSource {
  private let values: any TensorSource
  package let elementType: ElementType

  /// Rounds `values` to `elementType`, if it is a floating-point type narrower than float32.
  package init(_ values: any TensorSource, to elementType: ElementType) {
    (self.values, self.elementType) = (values, elementType)
  }

  package var count: Int { values.count }
  package var isSequential: Bool { values.isSequential }

  package func read(
    _ range: Range<Int>, into found: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try values.read(range, into: found)
    elementType.round(UnsafeMutableBufferPointer(rebasing: found[..<range.count]))
  }
}

extension ElementType {
  /// Rounds values to this type, if it is a floating-point type narrower than float32.
  package func round(_ values: UnsafeMutableBufferPointer<Float>) {
    switch self {
    case .float16: Half.round(values)
    case .bfloat16: BFloat16.round(values)
    default: break
    }
  }
}

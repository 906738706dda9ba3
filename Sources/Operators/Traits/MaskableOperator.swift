import ModelIR

/// An operator over sequences that has a form for sequences of which some steps do not count.
package protocol MaskableOperator: Operator {
  /// The same with a mask as its second input: 1 for steps that count, 0 for others.
  var masked: any Operator { get }
}

extension SpatialGlobalAveragePooling: MaskableOperator where Space == Line {
  /// The mean of the steps that count.
  package var masked: any Operator { MaskedAverage(keepDimensions: keepDimensions) }
}

import ModelIR

/// An operator over sequences that has a variant with a mask.
package protocol MaskableOperator: Operator {
  /// The variant with a mask as its second input: 1 for valid steps, 0 for masked steps.
  var masked: any Operator { get }
}

extension SpatialGlobalAveragePooling: MaskableOperator where Space == Line {
  /// The mean over the unmasked steps.
  package var masked: any Operator { MaskedAverage(keepDimensions: keepDimensions) }
}

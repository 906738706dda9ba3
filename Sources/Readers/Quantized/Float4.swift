import ModelIR

/// 4-bit floating-point values (E2M1).
///
/// Source: OCP Microscaling Formats (MX) Specification, version 1.0, section 5.3.3.
enum Float4 {
  /// The value of each code.
  static let numbers: [Float] = [
    0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6,
  ]

  /// Returns the values of rows of codes, two per byte, of which each `block` have a scale.
  ///
  /// - Parameters:
  ///   - scales: The stored scales, one per block.
  ///   - factors: The values of the scales.
  /// - Throws: `badData` if the shapes do not fit together.
  static func values(
    _ codes: StoredTensor, block: Int, _ scales: StoredTensor, _ factors: any TensorSource
  ) throws(NetconvError) -> GroupedValues {
    let bytesPerBlock = block / 2
    guard let bytes = codes.sizes.last, codes.sizes.count >= 2,
      bytes.isMultiple(of: bytesPerBlock),
      scales.sizes == codes.sizes(endingWith: bytes / bytesPerBlock)
    else { throw .memberOfShape(scales.path, scales.sizes, expected: codes.sizes) }
    return GroupedValues(
      codes: PackedCodes(
        words: codes.source, wordBits: 8, bits: 4, columns: bytes * 2, wordColumns: max(1, bytes),
        order: .stream, numbers: numbers),
      columns: max(1, bytes * 2), rowGroups: .each, columnGroups: .blocks(of: block),
      groupColumns: bytes / bytesPerBlock, scales: factors)
  }

  /// The shape of the values of `codes`, two per byte.
  static func shape(_ codes: StoredTensor) -> [Int] {
    codes.sizes(endingWith: 2 * (codes.sizes.last ?? 0))
  }
}

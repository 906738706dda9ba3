import Documents
import ModelIR

/// AWQ's linear layers: 4-bit codes and zero points, packed along the outputs in an interleaved order.
///
/// The weight is `(code - zero) * scale`, as `[out, in]`.
/// Source: AutoAWQ, awq/modules/linear/gemm.py, `from_linear`: the order 0, 2, 4, 6, 1, 3, 5, 7.
enum AWQForm: QuantizedForm {
  /// The nibble of a word that holds each of 8 consecutive codes.
  private static let places = [0, 4, 1, 5, 2, 6, 3, 7]

  static func products(
    in table: TensorTable, _ config: QuantizationConfig
  ) throws(NetconvError) -> [QuantizedProduct] {
    try products(of: table.scopes(of: "qweight"), named: "qweight") { start throws(NetconvError) in
      let parts = try PackedLinear(start, table, config)
      return parts.isAWQ ? try product(parts, table, config) : nil
    }
  }

  private static func product(
    _ parts: PackedLinear, _ table: TensorTable, _ config: QuantizationConfig
  ) throws(NetconvError) -> QuantizedProduct {
    try check(config.settings)
    let (inputs, words) = (parts.codes.sizes[0], parts.codes.sizes[1])
    let (groups, outputs) = (parts.scales.sizes[0], words * 8)
    guard parts.zeros.sizes == [groups, words] else {
      throw .memberOfShape(parts.zeros.path, parts.zeros.sizes, expected: [groups, words])
    }
    guard groups > 0, inputs.isMultiple(of: groups) else {
      throw .memberOfShape(parts.scales.path, parts.scales.sizes, expected: [inputs, outputs])
    }
    let stated = config.settings?["group_size"]?.int ?? config.settings?["q_group_size"]?.int
    if let stated, (stated > 0 ? stated : inputs) != inputs / groups {
      throw .contradictingConfig("the group size", "\(stated)", "\(groups) groups of \(inputs)")
    }
    let values = GroupedValues(
      codes: codes(parts.codes, words), columns: outputs,
      rowGroups: .blocks(of: inputs / groups, rows: inputs), columnGroups: .blocks(of: 1),
      groupColumns: outputs, scales: parts.scales.source, zeros: codes(parts.zeros, words))
    return try QuantizedProduct(
      parts.start + "weight", "AWQ 4 bits/\(inputs / groups)", of: parts.members, in: table,
      values.view(offset: 0, sizes: [outputs, inputs], strides: [1, outputs]),
      shape: [outputs, inputs])
  }

  private static func codes(_ tensor: StoredTensor, _ words: Int) -> PackedCodes {
    PackedCodes(
      words: tensor.source, wordBits: 32, bits: 4, columns: words * 8, wordColumns: words,
      order: .places(places), numbers: (0..<16).map(Float.init))
  }

  private static func check(_ settings: JSONValue?) throws(NetconvError) {
    let bits = settings?["bits"]?.int ?? settings?["w_bit"]?.int ?? 4
    guard bits == 4 else { throw .unknownForm("AWQ with \(bits) bits") }
    let version = settings?["version"]?.string?.lowercased() ?? "gemm"
    guard version == "gemm" else { throw .unknownForm("AWQ of the version \(quoted(version))") }
  }
}

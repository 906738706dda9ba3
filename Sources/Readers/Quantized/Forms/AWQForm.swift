import Documents
import ModelIR

/// AWQ's linear layers: 4-bit codes and zero points, packed along the outputs in an interleaved order, or along the inputs.
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
    if version(config.settings) == "gemv" { return try productForVectors(parts, table, config) }
    let (inputs, words) = (parts.codes.sizes[0], parts.codes.sizes[1])
    let (groups, outputs) = (parts.scales.sizes[0], words * 8)
    guard parts.zeros.sizes == [groups, words] else {
      throw .memberOfShape(parts.zeros.path, parts.zeros.sizes, expected: [groups, words])
    }
    guard groups > 0, inputs.isMultiple(of: groups) else {
      throw .memberOfShape(parts.scales.path, parts.scales.sizes, expected: [inputs, outputs])
    }
    if let stated = groupSize(config.settings), (stated > 0 ? stated : inputs) != inputs / groups {
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

  /// The layout for vectors: `[out, in]`, packed along the inputs in their order; rows of scales and zero points are padded.
  ///
  /// Source: AutoAWQ, awq/modules/linear/gemv.py, `from_linear`, `calculate_zeros_width`.
  private static func productForVectors(
    _ parts: PackedLinear, _ table: TensorTable, _ config: QuantizationConfig
  ) throws(NetconvError) -> QuantizedProduct {
    let (outputs, inputs) = (parts.codes.sizes[0], parts.codes.sizes[1] * 8)
    guard let stated = groupSize(config.settings) else {
      throw .ambiguousForm("the size of its groups", "state 'group_size' in the config.json")
    }
    let size = stated > 0 ? stated : inputs
    guard size >= 32, inputs.isMultiple(of: size) else {
      throw .contradictingConfig("the group size", "\(stated)", "\(inputs) inputs")
    }
    // The rows have as many words as the kernel reads at a time.
    let multiple = size >= 128 ? 1 : size == 64 ? 2 : 4
    let words = ((inputs / size + 7) / 8 + multiple - 1) / multiple * multiple
    guard parts.zeros.sizes == [outputs, words] else {
      throw .memberOfShape(parts.zeros.path, parts.zeros.sizes, expected: [outputs, words])
    }
    guard parts.scales.sizes == [outputs, words * 8] else {
      throw .memberOfShape(parts.scales.path, parts.scales.sizes, expected: [outputs, words * 8])
    }
    let values = GroupedValues(
      codes: plainCodes(parts.codes, parts.codes.sizes[1]), columns: max(1, inputs),
      rowGroups: .each, columnGroups: .blocks(of: size), groupColumns: words * 8,
      scales: parts.scales.source, zeros: plainCodes(parts.zeros, words))
    return try QuantizedProduct(
      parts.start + "weight", "AWQ 4 bits/\(size)", of: parts.members, in: table, values,
      shape: [outputs, inputs])
  }

  private static func plainCodes(_ tensor: StoredTensor, _ words: Int) -> PackedCodes {
    PackedCodes(
      words: tensor.source, wordBits: 32, bits: 4, columns: words * 8, wordColumns: max(1, words),
      order: .stream, numbers: (0..<16).map(Float.init))
  }

  private static func codes(_ tensor: StoredTensor, _ words: Int) -> PackedCodes {
    PackedCodes(
      words: tensor.source, wordBits: 32, bits: 4, columns: words * 8, wordColumns: words,
      order: .places(places), numbers: (0..<16).map(Float.init))
  }

  /// The layout that the configuration states; `gemm` by default.
  static func version(_ settings: JSONValue?) -> String {
    settings?["version"]?.string?.lowercased() ?? "gemm"
  }

  private static func groupSize(_ settings: JSONValue?) -> Int? {
    settings?["group_size"]?.int ?? settings?["q_group_size"]?.int
  }

  private static func check(_ settings: JSONValue?) throws(NetconvError) {
    let bits = settings?["bits"]?.int ?? settings?["w_bit"]?.int ?? 4
    guard bits == 4 else { throw .unknownForm("AWQ with \(bits) bits") }
    let version = version(settings)
    guard version == "gemm" || version == "gemv" else {
      throw .unknownForm("AWQ of the version \(quoted(version))")
    }
  }
}

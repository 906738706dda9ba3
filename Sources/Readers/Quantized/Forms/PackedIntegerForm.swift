import Documents
import ModelIR

/// compressed-tensors' packed integers: rows of codes packed into words, group scales, and the shape in a tensor.
///
/// Source: compressed-tensors, compressors/pack_quantized/helpers.py, `pack_to_int32`: codes are stored with an
/// offset of half of their range, as a contiguous bit stream. Versions before 0.12 stored whole codes per word. The two
/// differ if 32 is not a multiple of the bits. A value is `(code - zero) * scale`.
enum PackedIntegerForm: QuantizedForm {
  private static let ending = "_packed"

  static func products(
    in table: TensorTable, _ config: QuantizationConfig
  ) throws(NetconvError) -> [QuantizedProduct] {
    try products(of: table.stems(of: ending), named: ending) { name throws(NetconvError) in
      guard let codes = table[name + ending],
        Set<ElementType>.words.contains(codes.source.elementType)
      else { return nil }
      return try product(name, codes.checked(.words, rank: 2), table, config)
    }
  }

  private static func product(
    _ name: String, _ codes: StoredTensor, _ table: TensorTable, _ config: QuantizationConfig
  ) throws(NetconvError) -> QuantizedProduct {
    let shapeTensor = try table.required(name + "_shape").checked(.wholeNumbers, rank: 1)
    guard shapeTensor.source.count == 2 else {
      throw .memberOfShape(shapeTensor.path, shapeTensor.sizes, expected: [2])
    }
    let shape = try shapeTensor.source.integers(0..<2).map { Int($0) }
    let (rows, columns, words) = (shape[0], shape[1], codes.sizes[1])
    let packing = try packing(config, columns: columns, words: words)
    let bits = packing.bits
    guard codes.sizes[0] == rows else {
      throw .memberOfShape(codes.path, codes.sizes, expected: [rows, words])
    }
    let scales = try table.required(name + "_scale").checked(.floats, rank: 2)
    let groups = scales.sizes[1]
    guard scales.sizes[0] == rows, groups > 0 else {
      throw .memberOfShape(scales.path, scales.sizes, expected: [rows, groups])
    }
    var members = [name + ending, name + "_shape", name + "_scale"]
    let half = 1 << (bits - 1)
    let numbers = (0..<2 * half).map { Float($0 - half) }
    var values = GroupedValues(
      codes: PackedCodes(
        words: codes.source, wordBits: 32, bits: bits, columns: columns, wordColumns: words,
        order: packing.perWord.map { .places(Array(0..<$0)) } ?? .stream, numbers: numbers),
      columns: max(1, columns), rowGroups: .each,
      columnGroups: try columnGroups(name, columns, groups, table, &members),
      groupColumns: groups, scales: scales.source)
    if let zeros = table[name + "_zero_point"] {
      values.zeros = try self.zeros(zeros, rows, groups, packing, numbers)
      members.append(name + "_zero_point")
    } else if config.isAsymmetric {
      throw .missingMember(name + "_zero_point")
    }
    return try QuantizedProduct(
      name, "int\(bits)/\(groups == 1 ? "channel" : "\(columns / groups)")", of: members,
      in: table, values, shape: shape)
  }

  private static func columnGroups(
    _ name: String, _ columns: Int, _ groups: Int, _ table: TensorTable, _ members: inout [String]
  ) throws(NetconvError) -> GroupedValues.Columns {
    if let indices = table[name + "_g_idx"] {
      members.append(name + "_g_idx")
      guard try indices.checked(.wholeNumbers, rank: 1).sizes == [columns] else {
        throw .memberOfShape(indices.path, indices.sizes, expected: [columns])
      }
      return .named(GroupIndices(indices.source))
    }
    guard columns.isMultiple(of: groups) else {
      throw .memberOfShape(name + "_scale", [groups], expected: [columns])
    }
    return .blocks(of: max(1, columns / groups))
  }

  /// The zero points: packed along the rows, or int8.
  private static func zeros(
    _ zeros: StoredTensor, _ rows: Int, _ groups: Int, _ packing: (bits: Int, perWord: Int?),
    _ numbers: [Float]
  ) throws(NetconvError) -> any TensorSource {
    if zeros.source.elementType == .int8, zeros.sizes == [rows, groups] { return zeros.source }
    let words = ColumnCodes.wordRows(
      of: rows, bits: packing.bits, codesInWord: packing.perWord)
    guard try zeros.checked(.words, rank: 2).sizes == [words, groups] else {
      throw .memberOfShape(zeros.path, zeros.sizes, expected: [words, groups])
    }
    return ColumnCodes(
      words: zeros.source, bits: packing.bits, rows: rows, columns: groups,
      codesInWord: packing.perWord, numbers: numbers)
  }

  /// The bits per code, and the codes per word if codes do not span words.
  ///
  /// They are those of the configuration, or the only choice that fits the shape.
  /// - Throws: `badData` if no choice fits, or several do.
  private static func packing(
    _ config: QuantizationConfig, columns: Int, words: Int
  ) throws(NetconvError) -> (bits: Int, perWord: Int?) {
    let fitting: [(bits: Int, perWord: Int?)] =
      (2...8).filter { (columns * $0 + 31) / 32 == words }.map { ($0, nil) }
      + [3, 5, 6, 7].filter { (columns + 32 / $0 - 1) / (32 / $0) == words }.map { ($0, 32 / $0) }
    let stated = config.weightBits
    let choices = fitting.filter { stated.isEmpty || stated.contains($0.bits) }
    guard let choice = choices.first else {
      throw .contradictingConfig(
        "'num_bits'", "\(stated.sorted())", "\(words) words for \(columns) codes")
    }
    guard choices.count == 1 else {
      throw .ambiguousForm(
        "whether a code has \(choices.map { String($0.bits) }.joined(separator: " or ")) bits",
        "put the config.json with 'num_bits' beside the weights")
    }
    return choice
  }
}

extension QuantizationConfig {
  private var weightGroups: [JSONValue] {
    guard case .object(let groups)? = settings?["config_groups"] else { return [] }
    return groups.values.compactMap { $0["weights"] }
  }

  /// The values of `num_bits` in all groups of layers.
  fileprivate var weightBits: Set<Int> { Set(weightGroups.compactMap { $0["num_bits"]?.int }) }

  /// True if all weights are quantised asymmetrically, with zero points.
  fileprivate var isAsymmetric: Bool {
    !weightGroups.isEmpty && weightGroups.allSatisfy { $0["symmetric"] == .bool(false) }
  }
}

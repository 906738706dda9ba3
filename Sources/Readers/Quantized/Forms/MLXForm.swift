import Documents
import ModelIR

/// MLX's quantised matrices: rows of codes packed into 32-bit words, with a scale, or a scale and a bias, per group.
///
/// Source: mlx/python/src/ops.cpp, `quantize`: `w = scales * q + biases`; mlx/ops.cpp for the modes; mlx-lm,
/// `quantization` of `config.json`, with overrides per layer name.
enum MLXForm: QuantizedForm {
  static func products(
    in table: TensorTable, _ config: QuantizationConfig
  ) throws(NetconvError) -> [QuantizedProduct] {
    try products(of: table.scopes(of: "weight"), named: "weight") { start throws(NetconvError) in
      let name = start + "weight"
      guard let codes = table[name], codes.source.elementType == .uint32, codes.kind == nil,
        table[start + "scales"] != nil || config.mlx != nil
      else { return nil }
      let settings = Settings(config.mlx, of: name.splitAtLast(".").scope)
      return try product(name, start, codes, table, settings)
    }
  }

  /// The quantisation settings of a layer.
  private struct Settings {
    var bits: Int?
    var groupSize: Int?
    var mode: String?

    init(_ config: JSONValue?, of layer: String) {
      for part in [config, config?[layer]].compactMap(\.self) {
        bits = part["bits"]?.int ?? bits
        groupSize = part["group_size"]?.int ?? groupSize
        mode = part["mode"]?.string ?? mode
      }
    }
  }

  private static func product(
    _ name: String, _ start: String, _ codes: StoredTensor, _ table: TensorTable,
    _ settings: Settings
  ) throws(NetconvError) -> QuantizedProduct {
    let scales = try table.required(start + "scales")
    let shape = codes.sizes
    guard let words = shape.last, shape.count >= 2, let groups = scales.sizes.last, groups > 0,
      scales.sizes.dropLast() == shape.dropLast()
    else { throw .memberOfShape(scales.path, scales.sizes, expected: shape) }
    if scales.source.elementType == .uint8 {
      let form = try FloatForm(settings, words: words, groups: groups)
      return try form.product(name, start, codes, scales, table)
    }
    guard settings.mode ?? "affine" == "affine" else {
      throw .contradictingConfig("the mode", settings.mode ?? "", "affine groups")
    }
    let biases = try table.required(start + "biases")
    guard biases.sizes == scales.sizes else {
      throw .memberOfShape(biases.path, biases.sizes, expected: scales.sizes)
    }
    for member in [scales, biases] { _ = try member.checked(.floats, rank: shape.count) }
    let (bits, size) = try sizes(settings, words: words, groups: groups)
    let packed = PackedCodes(
      words: codes.source, wordBits: 32, bits: bits, columns: groups * size, wordColumns: words,
      order: .stream, numbers: (0..<1 << bits).map(Float.init))
    let values = GroupedValues(
      codes: packed, columns: groups * size, rowGroups: .each, columnGroups: .blocks(of: size),
      groupColumns: groups, scales: scales.source, biases: biases.source)
    return try QuantizedProduct(
      name, "MLX \(bits) bits/\(size)", of: [name, start + "scales", start + "biases"], in: table,
      values, shape: codes.sizes(endingWith: groups * size))
  }

  /// The bits per code and the group size.
  ///
  /// The shapes alone do not determine them: 4 bits in groups of 64 and 8 bits in groups of 32 have equal shapes.
  private static func sizes(
    _ settings: Settings, words: Int, groups: Int
  ) throws(NetconvError) -> (bits: Int, groupSize: Int) {
    var choices: [(bits: Int, groupSize: Int)] = []
    for bits in [2, 3, 4, 5, 6, 8] where (settings.bits ?? bits) == bits {
      for size in [32, 64, 128] where (settings.groupSize ?? size) == size {
        if words * 32 == groups * size * bits { choices.append((bits, size)) }
      }
    }
    guard let choice = choices.first else {
      throw .contradictingConfig(
        "the bits and the group size",
        "\(settings.bits.map(String.init) ?? "?") and \(settings.groupSize.map(String.init) ?? "?")",
        "\(words) words for \(groups) groups")
    }
    guard choices.count == 1 else {
      throw .ambiguousForm(
        "whether it has "
          + choices.map { "\($0.bits) bits in groups of \($0.groupSize)" }.joined(separator: ", "),
        "put the config.json with 'quantization' beside the weights")
    }
    return choice
  }

  /// The modes with floating-point codes and without biases.
  private struct FloatForm {
    let name: String
    let bits: Int
    let groupSize: Int
    let scaleNumbers: [Float]

    init(_ settings: Settings, words: Int, groups: Int) throws(NetconvError) {
      switch settings.mode {
      case "mxfp4": (bits, groupSize, scaleNumbers) = (4, 32, Float8.e8m0.numbers)
      case "mxfp8": (bits, groupSize, scaleNumbers) = (8, 32, Float8.e8m0.numbers)
      case "nvfp4": (bits, groupSize, scaleNumbers) = (4, 16, Float8.e4m3.numbers)
      default:
        throw .ambiguousForm(
          "the mode of its codes",
          "put the config.json with 'quantization' and its 'mode' beside the weights")
      }
      name = settings.mode ?? ""
      guard words * 32 == groups * groupSize * bits, settings.bits ?? bits == bits,
        settings.groupSize ?? groupSize == groupSize
      else {
        throw .contradictingConfig("the mode", name, "\(words) words for \(groups) groups")
      }
    }

    func product(
      _ tensor: String, _ start: String, _ codes: StoredTensor, _ scales: StoredTensor,
      _ table: TensorTable
    ) throws(NetconvError) -> QuantizedProduct {
      guard table[start + "biases"] == nil else {
        throw .contradictingConfig("the mode", name, "groups with biases")
      }
      let words = codes.sizes.last ?? 0
      let groups = scales.sizes.last ?? 0
      let packed = PackedCodes(
        words: codes.source, wordBits: 32, bits: bits, columns: groups * groupSize,
        wordColumns: words, order: .stream,
        numbers: bits == 4 ? Float4.numbers : Float8.e4m3.numbers)
      let values = GroupedValues(
        codes: packed, columns: groups * groupSize, rowGroups: .each,
        columnGroups: .blocks(of: groupSize), groupColumns: groups,
        scales: CodedValues(scales.source, scaleNumbers))
      return try QuantizedProduct(
        tensor, "MLX \(name)", of: [tensor, start + "scales"], in: table, values,
        shape: codes.sizes(endingWith: groups * groupSize))
    }
  }
}

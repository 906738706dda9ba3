import Documents
import ModelIR

/// FP8 or int8 codes times scales per tensor, per channel or per block.
///
/// Values are multiplied by `weight_scale_inv` too, despite its name.
/// Source: DeepSeek-V3, inference/kernel.py, `weight_dequant`; compressed-tensors, `float-quantized`, `int-quantized`;
/// transformers, `fbgemm_fp8` and `fp8`.
enum FP8Form: QuantizedForm {
  private static let endings = ["_scale_inv", "_scale"]

  static func products(
    in table: TensorTable, _ config: QuantizationConfig
  ) throws(NetconvError) -> [QuantizedProduct] {
    try products(of: table.names) { name throws(NetconvError) in
      guard let codes = table[name], codes.isCode8, !name.contains("scale"),
        let ending = endings.first(where: { table[name + $0] != nil })
      else { return nil }
      return try product(name, codes, ending, table, config)
    }
  }

  private static func product(
    _ name: String, _ codes: StoredTensor, _ ending: String, _ table: TensorTable,
    _ config: QuantizationConfig
  ) throws(NetconvError) -> QuantizedProduct {
    guard endings.filter({ table[name + $0] != nil }).count == 1 else {
      throw .ambiguousForm("which of two scales is meant", "leave one of them out")
    }
    let scales = try table.required(name + ending)
    guard scales.kind != nil || Set<ElementType>.floats.contains(scales.source.elementType) else {
      throw .memberOfType(scales.path, scales.typeName, expected: .floats)
    }
    let grid = try Grid(codes.sizes, scales, config)
    var members = [name, name + ending]
    var values = GroupedValues(
      codes: codes.source, columns: grid.columns,
      rowGroups: .blocks(of: grid.block.rows, rows: grid.rows),
      columnGroups: .blocks(of: grid.block.columns), groupColumns: grid.groupColumns,
      scales: scales.source)
    if let zeros = table[name + "_zero_point"] {
      guard zeros.sizes == scales.sizes else {
        throw .memberOfShape(name + "_zero_point", zeros.sizes, expected: scales.sizes)
      }
      values.zeros = zeros.source
      members.append(name + "_zero_point")
    }
    return try QuantizedProduct(
      name, "\(codes.typeName)/\(grid.words)", of: members, in: table, values, shape: codes.sizes)
  }

  /// The partition of the codes into blocks that share a scale.
  private struct Grid {
    let rows: Int
    let columns: Int
    let block: (rows: Int, columns: Int)
    let groupColumns: Int
    let words: String

    init(
      _ sizes: [Int], _ scales: StoredTensor, _ config: QuantizationConfig
    ) throws(NetconvError) {
      columns = sizes.last ?? 1
      if scales.source.count == 1 {
        rows = try ModelIR.product(sizes.dropLast())
        (block, groupColumns, words) = ((max(1, rows), max(1, columns)), 1, "tensor")
        return
      }
      rows = sizes.dropLast().last ?? 1
      var found = scales.sizes
      // Scales per channel may be stored as a vector.
      if found.count == 1, sizes.count == 2, found[0] == rows { found.append(1) }
      guard found.count == sizes.count, sizes.count >= 2, found.dropLast(2) == sizes.dropLast(2),
        let groupRows = found.dropLast().last, let groupColumns = found.last
      else { throw .memberOfShape(scales.path, scales.sizes, expected: sizes) }
      let stated = config.blockSizes
      block = (
        try Self.block(rows, groupRows, stated?.rows, "rows"),
        try Self.block(columns, groupColumns, stated?.columns, "columns")
      )
      self.groupColumns = groupColumns
      words =
        block == (1, columns) && groupColumns == 1
        ? "channel" : "\(block.rows)x\(block.columns)"
    }

    /// The block size along an axis.
    private static func block(
      _ size: Int, _ groups: Int, _ stated: Int?, _ what: String
    ) throws(NetconvError) -> Int {
      if groups == size { return 1 }
      if groups == 1 { return max(1, size) }
      guard groups > 0 else { throw .unknownForm("no scales for \(size) \(what)") }
      let fits = { (block: Int) in block > 0 && (size + block - 1) / block == groups }
      if let stated, fits(stated) { return stated }
      if let stated {
        throw .contradictingConfig("a block of \(what)", "\(stated)", "\(groups) for \(size)")
      }
      var choices = Set((0..<20).map { 1 << $0 }.filter(fits))
      if size.isMultiple(of: groups) { choices.insert(size / groups) }
      guard choices.count == 1, let choice = choices.first else {
        throw .ambiguousForm(
          "how many \(what) of \(size) share one of \(groups) scales",
          "put the config.json with 'weight_block_size' beside the weights")
      }
      return choice
    }
  }
}

extension QuantizationConfig {
  /// The value of `weight_block_size`; `nil` if it is not stated.
  fileprivate var blockSizes: (rows: Int, columns: Int)? {
    guard let sizes = settings?["weight_block_size"]?.array?.compactMap(\.int), sizes.count == 2
    else { return nil }
    return (sizes[0], sizes[1])
  }
}

extension StoredTensor {
  /// True if the values are FP8 or int8 codes.
  fileprivate var isCode8: Bool {
    kind.map { $0.name.hasPrefix("F8_E") && $0.name != Float8.e8m0.rawValue }
      ?? (source.elementType == .int8)
  }
}

import ModelIR

/// MXFP4: blocks of 32 float4 codes with a power of 2 as scale, in stacked experts of gpt-oss and linear layers of
/// compressed-tensors.
///
/// Experts are `[expert, in, out]`, like the module's parameter of that name.
/// Source: transformers, integrations/mxfp4.py, `convert_moe_packed_tensors`; OCP Microscaling Formats (MX) Specification,
/// version 1.0.
enum MXFP4Form: QuantizedForm {
  private static let (ending, scaleEnding, packed) = ("_blocks", "_scales", "_packed")

  static func products(
    in table: TensorTable, _ config: QuantizationConfig
  ) throws(NetconvError) -> [QuantizedProduct] {
    let linear = table.stems(of: packed).filter { isLinear($0, table) }
    return try products(of: table.stems(of: ending), named: ending) { name throws(NetconvError) in
      try product(name, table)
    }
      + products(of: linear, named: packed) { name throws(NetconvError) in
        try self.linear(name, table)
      }
  }

  /// Returns true if `name` is a linear layer with float4 codes and powers of 2 as scales.
  static func isLinear(_ name: String, _ table: TensorTable) -> Bool {
    guard let codes = table[name + packed], codes.kind == nil, codes.source.elementType == .uint8,
      table[name + "_global_scale"] == nil, let scales = table[name + "_scale"]
    else { return false }
    return scales.kind.map { $0.name == Float8.e8m0.rawValue }
      ?? (scales.source.elementType == .uint8)
  }

  private static func linear(
    _ name: String, _ table: TensorTable
  ) throws(NetconvError) -> QuantizedProduct {
    let codes = try table.required(name + packed)
    let scales = try table.required(name + "_scale")
    return try QuantizedProduct(
      name, "MXFP4/32", of: [name + packed, name + "_scale"], in: table,
      Float4.values(
        codes, block: 32, scales,
        scales.kind == nil ? CodedValues(scales.source, Float8.e8m0.numbers) : scales.source),
      shape: Float4.shape(codes))
  }

  private static func product(
    _ name: String, _ table: TensorTable
  ) throws(NetconvError) -> QuantizedProduct {
    let blocks = try table.required(name + ending).checked(.bytes, rank: 4)
    let scales = try table.required(name + scaleEnding).checked(.bytes, rank: 3)
    let (experts, outputs, groups) = (blocks.sizes[0], blocks.sizes[1], blocks.sizes[2])
    guard blocks.sizes[3] == 16, scales.sizes == [experts, outputs, groups] else {
      throw .memberOfShape(scales.path, scales.sizes, expected: [experts, outputs, groups])
    }
    let inputs = try ModelIR.product([groups, 32])
    let values = GroupedValues(
      codes: PackedCodes(
        words: blocks.source, wordBits: 8, bits: 4, columns: 32, wordColumns: 16, order: .stream,
        numbers: Float4.numbers),
      columns: 32, rowGroups: .each, columnGroups: .blocks(of: 32), groupColumns: 1,
      scales: CodedValues(scales.source, Float8.e8m0.numbers))
    return try QuantizedProduct(
      name, "MXFP4/32", of: [name + ending, name + scaleEnding], in: table,
      values.view(
        offset: 0, sizes: [experts, inputs, outputs], strides: [outputs * inputs, 1, inputs]),
      shape: [experts, inputs, outputs])
  }
}

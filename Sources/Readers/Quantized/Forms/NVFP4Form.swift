import ModelIR

/// NVFP4: blocks of 16 float4 codes, with an FP8 scale per block and a scale for the whole tensor.
///
/// Scales are divided by compressed-tensors' `weight_global_scale`, and multiplied by modelopt's `weight_scale_2`.
/// Source: compressed-tensors, compressors/nvfp4; NVIDIA Model Optimizer,
/// torch/quantization/qtensor/nvfp4_tensor.py.
enum NVFP4Form: QuantizedForm {
  private static let packed = "_packed"

  static func products(
    in table: TensorTable, _ config: QuantizationConfig
  ) throws(NetconvError) -> [QuantizedProduct] {
    try products(of: table.names) { member throws(NetconvError) in
      guard let codes = table[member], codes.kind == nil, codes.source.elementType == .uint8
      else { return nil }
      let isPacked = member.hasSuffix(packed)
      let name = isPacked ? String(member.dropLast(packed.count)) : member
      guard isPacked ? !MXFP4Form.isLinear(name, table) : table[name + "_scale_2"] != nil else {
        return nil
      }
      return try product(name, member, codes, divides: isPacked, table)
    }
  }

  private static func product(
    _ name: String, _ member: String, _ codes: StoredTensor, divides: Bool, _ table: TensorTable
  ) throws(NetconvError) -> QuantizedProduct {
    let wholeName = name + (divides ? "_global_scale" : "_scale_2")
    let whole = try table.required(wholeName)
    let scales = try table.required(name + "_scale")
    guard whole.source.count == 1 else {
      throw .memberOfShape(wholeName, whole.sizes, expected: [1])
    }
    guard scales.kind?.name == Float8.e4m3.rawValue else {
      throw .unknownForm("codes of 4 bits with scales of the type \(scales.typeName)")
    }
    return try QuantizedProduct(
      name, "NVFP4/16", of: [member, name + "_scale", wholeName], in: table,
      Float4.values(
        codes, block: 16, scales,
        TwiceScaled(scales: scales.source, whole: whole.source, divides: divides)),
      shape: Float4.shape(codes))
  }
}

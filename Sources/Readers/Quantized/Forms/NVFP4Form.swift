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
    var products: [QuantizedProduct] = []
    for member in table.names {
      guard let codes = table[member], codes.kind == nil, codes.source.elementType == .uint8
      else { continue }
      let isPacked = member.hasSuffix(packed)
      let name = isPacked ? String(member.dropLast(packed.count)) : member
      guard isPacked ? !MXFP4Form.isLinear(name, table) : table[name + "_scale_2"] != nil else {
        continue
      }
      do throws(NetconvError) {
        products.append(try product(name, member, codes, divides: isPacked, table))
      } catch {
        throw error.inTensor(member)
      }
    }
    return products
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
    guard let bytes = codes.sizes.last, codes.sizes.count >= 2, bytes.isMultiple(of: 8),
      scales.sizes == codes.sizes(endingWith: bytes / 8)
    else { throw .memberOfShape(scales.path, scales.sizes, expected: codes.sizes) }
    let columns = bytes * 2
    let values = GroupedValues(
      codes: PackedCodes(
        words: codes.source, wordBits: 8, bits: 4, columns: columns, wordColumns: max(1, bytes),
        order: .stream, numbers: Float4.numbers),
      columns: max(1, columns), rowGroups: .each, columnGroups: .blocks(of: 16),
      groupColumns: bytes / 8,
      scales: TwiceScaled(scales: scales.source, whole: whole.source, divides: divides))
    return try QuantizedProduct(
      name, "NVFP4/16", of: [member, name + "_scale", wholeName], in: table, values,
      shape: codes.sizes(endingWith: columns))
  }
}

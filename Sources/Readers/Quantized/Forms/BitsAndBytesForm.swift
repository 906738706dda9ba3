import Documents
import ModelIR

/// bitsandbytes' 4-bit weights, with a code table in the file, and 8-bit weights with a scale per row.
///
/// Source: bitsandbytes/functional.py, `QuantState.from_dict`, `dequantize_4bit`: two codes per byte, the first in the high
/// nibble; `int8_vectorwise_dequant`: codes times `SCB`, times 1/127.
enum BitsAndBytesForm: QuantizedForm {
  private static let state = ".quant_state.bitsandbytes__"
  private static let longestState = 1 << 16

  static func products(
    in table: TensorTable, _ config: QuantizationConfig
  ) throws(NetconvError) -> [QuantizedProduct] {
    let inFourBits = table.names.filter { table[$0 + ".absmax"] != nil }
    return try products(of: inFourBits) { name throws(NetconvError) in try fourBits(name, table) }
      + products(of: table.scopes(of: "SCB"), named: "SCB") { start throws(NetconvError) in
        try eightBits(start, table)
      }
  }

  private static func fourBits(
    _ name: String, _ table: TensorTable
  ) throws(NetconvError) -> QuantizedProduct {
    guard
      let stateName = ["nf4", "fp4"].map({ name + state + $0 }).first(where: { table[$0] != nil })
    else { throw .missingMember(name + state + "nf4") }
    let settings = try settings(table.required(stateName))
    guard let type = settings["quant_type"]?.string, ["nf4", "fp4"].contains(type),
      stateName.hasSuffix("__" + type), let block = settings["blocksize"]?.int, block > 0,
      let shape = settings["shape"]?.array?.compactMap(\.int), !shape.isEmpty
    else { throw .unknownForm("bitsandbytes with a state that has no type, block size or shape") }
    let count = try ModelIR.product(shape)
    let codes = try table.required(name)
    guard codes.kind == nil, codes.source.elementType == .uint8,
      codes.source.count == count / 2 + count % 2
    else { throw .codesOfOtherShape(codes.source.count * 2, shape) }
    let numbers = try self.numbers(name + ".quant_map", 16, table)
    var members = [name, name + ".absmax", name + ".quant_map", stateName]
    let scales = try scales(
      name, settings, count: (count + block - 1) / block, table, &members)
    let values = GroupedValues(
      codes: SliceSource(
        PackedCodes(
          words: codes.source, wordBits: 8, bits: 4, columns: codes.source.count * 2,
          wordColumns: max(1, codes.source.count), order: .highFirst, numbers: numbers),
        0..<count),
      columns: max(1, count), rowGroups: .each, columnGroups: .blocks(of: block),
      groupColumns: max(1, scales.count), scales: scales)
    return try QuantizedProduct(
      name, "\(type.uppercased())/\(block)", of: members, in: table, values, shape: shape)
  }

  /// Parses the JSON that is stored in the bytes of a tensor.
  private static func settings(_ tensor: StoredTensor) throws(NetconvError) -> JSONValue {
    guard tensor.source.elementType == .uint8, tensor.source.count <= longestState else {
      throw .memberOfType(tensor.path, tensor.typeName, expected: .bytes)
    }
    let bytes = try tensor.source.allValues().map { UInt8($0) }
    return try JSONDocument.parse(bytes, refusesRepeatedKeys: true)
  }

  private static func numbers(
    _ name: String, _ count: Int, _ table: TensorTable
  ) throws(NetconvError) -> [Float] {
    let tensor = try table.required(name).checked([.float32], rank: 1)
    guard tensor.source.count == count else {
      throw .memberOfShape(name, tensor.sizes, expected: [count])
    }
    return try tensor.source.allValues()
  }

  /// The scales of blocks, which may be quantised themselves.
  private static func scales(
    _ name: String, _ settings: JSONValue, count: Int, _ table: TensorTable,
    _ members: inout [String]
  ) throws(NetconvError) -> any TensorSource {
    let stored = try table.required(name + ".absmax")
    guard stored.source.count == count else {
      throw .memberOfShape(stored.path, stored.sizes, expected: [count])
    }
    guard stored.source.elementType == .uint8 else {
      guard settings["nested_offset"] == nil else {
        throw .memberOfType(stored.path, stored.typeName, expected: .bytes)
      }
      return try stored.checked([.float32], rank: 1).source
    }
    guard let block = settings["nested_blocksize"]?.int, block > 0,
      case .number(let offset)? = settings["nested_offset"]
    else { throw .unknownForm("bitsandbytes with codes for scales and no 'nested_offset'") }
    let scales = try table.required(name + ".nested_absmax").checked([.float32], rank: 1)
    guard scales.source.count == (count + block - 1) / block else {
      throw .memberOfShape(scales.path, scales.sizes, expected: [(count + block - 1) / block])
    }
    members += [name + ".nested_absmax", name + ".nested_quant_map"]
    let values = GroupedValues(
      codes: CodedValues(stored.source, try numbers(name + ".nested_quant_map", 256, table)),
      columns: max(1, count), rowGroups: .each, columnGroups: .blocks(of: block),
      groupColumns: max(1, scales.source.count), scales: scales.source)
    return ShiftedValues(values: values, shift: Float(offset))
  }

  private static func eightBits(
    _ start: String, _ table: TensorTable
  ) throws(NetconvError) -> QuantizedProduct {
    let codes = try table.required(start + "weight").checked([.int8], rank: 2)
    let scales = try table.required(start + "SCB").checked([.float32], rank: 1)
    guard scales.sizes == [codes.sizes[0]] else {
      throw .memberOfShape(scales.path, scales.sizes, expected: [codes.sizes[0]])
    }
    var members = [start + "weight", start + "SCB"]
    if let format = table[start + "weight_format"] {
      // 0 is row-major; the other formats are tiled for older GPUs.
      guard try format.source.allValues().allSatisfy({ $0 == 0 }) else {
        throw .unknownForm("bitsandbytes with rows in tiles")
      }
      members.append(start + "weight_format")
    }
    let values = GroupedValues(
      codes: codes.source, columns: codes.sizes[1], rowGroups: .each,
      columnGroups: .blocks(of: max(1, codes.sizes[1])), groupColumns: 1, scales: scales.source)
    return try QuantizedProduct(
      start + "weight", "int8/channel", of: members, in: table, Parts127(values: values),
      shape: codes.sizes)
  }
}

/// Values times 1/127, with the constant that bitsandbytes uses.
private struct Parts127: TensorSource {
  let values: any TensorSource
  private static let part = Float(7.874015718698502e-3)

  var elementType: ElementType { .float32 }
  var count: Int { values.count }

  func read(
    _ range: Range<Int>, into found: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try values.read(range, into: found)
    for index in 0..<range.count { found[index] *= Self.part }
  }
}

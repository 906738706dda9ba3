import Documents
import ModelIR

/// GPTQ's linear layers: codes packed along the inputs, zero points along the outputs, and a group index per input.
///
/// The weight is `(code - zero) * scale`, as `[out, in]`.
/// Source: AutoGPTQ, auto_gptq/nn_modules/qlinear/qlinear_cuda.py, `pack`; GPTQModel, `checkpoint_format`: zero points are
/// stored minus one unless it is `gptq_v2`.
enum GPTQForm: QuantizedForm {
  static func products(
    in table: TensorTable, _ config: QuantizationConfig
  ) throws(NetconvError) -> [QuantizedProduct] {
    try products(of: table.scopes(of: "qweight"), named: "qweight") { start throws(NetconvError) in
      let parts = try PackedLinear(start, table, config)
      return parts.isAWQ ? nil : try product(parts, table, config)
    }
  }

  private static func product(
    _ parts: PackedLinear, _ table: TensorTable, _ config: QuantizationConfig
  ) throws(NetconvError) -> QuantizedProduct {
    guard let settings = config.settings else {
      throw .ambiguousForm(
        "whether zero points are stored less one",
        "put the config.json or quantize_config.json of the network beside the weights")
    }
    guard let bits = settings["bits"]?.int, [2, 3, 4, 8].contains(bits) else {
      throw .unknownForm("GPTQ without 'bits' of 2, 3, 4 or 8")
    }
    let shift = try shift(settings)
    let (words, outputs) = (parts.codes.sizes[0], parts.codes.sizes[1])
    guard (words * 32).isMultiple(of: bits) else {
      throw .contradictingConfig("'bits'", "\(bits)", "\(words) words")
    }
    let inputs = words * 32 / bits
    let groups = parts.scales.sizes[0]
    let zeroWords = (outputs * bits + 31) / 32
    guard parts.zeros.sizes == [groups, zeroWords] else {
      throw .memberOfShape(parts.zeros.path, parts.zeros.sizes, expected: [groups, zeroWords])
    }
    let codeNumbers = (0..<1 << bits).map(Float.init)
    let zeros = GPTQZeros(
      codes: PackedCodes(
        words: parts.zeros.source, wordBits: 32, bits: bits, columns: outputs,
        wordColumns: zeroWords, order: .stream, numbers: codeNumbers),
      shift: shift, mask: 1 << bits - 1,
      expected: settings["sym"] == .bool(true) ? Float(1 << (bits - 1)) : nil)
    var members = parts.members
    let rows: GroupedValues.Rows
    if let indices = table[parts.start + "g_idx"] {
      guard try indices.checked(.wholeNumbers, rank: 1).sizes == [inputs] else {
        throw .memberOfShape(indices.path, indices.sizes, expected: [inputs])
      }
      rows = .named(GroupIndices(indices.source))
      members.append(parts.start + "g_idx")
    } else {
      rows = .blocks(of: try groupSize(settings, inputs: inputs, groups: groups), rows: inputs)
    }
    let values = GroupedValues(
      codes: ColumnCodes(
        words: parts.codes.source, bits: bits, rows: inputs, columns: outputs, codesInWord: nil,
        numbers: codeNumbers),
      columns: outputs, rowGroups: rows, columnGroups: .blocks(of: 1), groupColumns: outputs,
      scales: parts.scales.source, zeros: zeros)
    return try QuantizedProduct(
      parts.start + "weight", "GPTQ \(bits) bits", of: members, in: table,
      values.view(offset: 0, sizes: [outputs, inputs], strides: [1, outputs]),
      shape: [outputs, inputs])
  }

  /// The number that is added to stored zero points.
  private static func shift(_ settings: JSONValue) throws(NetconvError) -> Float {
    switch settings["checkpoint_format"]?.string ?? settings["format"]?.string ?? "gptq" {
    case "gptq": return 1
    case "gptq_v2": return 0
    case let other: throw .unknownForm("GPTQ in the format \(quoted(other))")
    }
  }

  private static func groupSize(
    _ settings: JSONValue, inputs: Int, groups: Int
  ) throws(NetconvError) -> Int {
    guard settings["desc_act"] != .bool(true), let stated = settings["group_size"]?.int else {
      throw .missingMember("g_idx")
    }
    let size = stated > 0 ? stated : inputs
    guard size > 0, (inputs + size - 1) / size == groups else {
      throw .contradictingConfig("'group_size'", "\(stated)", "\(groups) groups of \(inputs)")
    }
    return size
  }
}

/// GPTQ's zero points, checked while reading.
private struct GPTQZeros: TensorSource {
  let codes: any TensorSource
  /// The number that is added to each stored zero point.
  let shift: Float
  /// The largest code.
  let mask: Int
  /// The required zero point of symmetric quantisation; `nil` if zero points vary.
  let expected: Float?

  var elementType: ElementType { .float32 }
  var count: Int { codes.count }

  func read(
    _ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>
  ) throws(NetconvError) {
    try codes.read(range, into: values)
    for index in 0..<range.count {
      if shift == 1, values[index] == Float(mask) { throw .wrappedZero(mask) }
      values[index] += shift
      if let expected, values[index] != expected {
        throw .otherZero(values[index], expected: expected)
      }
    }
  }
}

/// The tensors of a linear layer of GPTQ or AWQ.
struct PackedLinear {
  let start: String
  let codes: StoredTensor
  let zeros: StoredTensor
  let scales: StoredTensor
  /// True if codes are packed along the outputs, as in AWQ.
  let isAWQ: Bool

  var members: [String] { ["qweight", "qzeros", "scales"].map { start + $0 } }

  /// Finds the tensors with the prefix `start` and detects their form.
  ///
  /// - Throws: `badData` if a tensor is missing, or the configuration contradicts the shapes.
  init(
    _ start: String, _ table: TensorTable, _ config: QuantizationConfig
  ) throws(NetconvError) {
    self.start = start
    codes = try table.required(start + "qweight").checked(.words, rank: 2)
    scales = try table.required(start + "scales").checked(.floats, rank: 2)
    zeros = try table.required(start + "qzeros").checked(.words, rank: 2)
    let (columns, outputs) = (codes.sizes[1], scales.sizes[1])
    // AWQ's layout for vectors is not told by shapes.
    let isForVectors = AWQForm.version(config.settings) == "gemv"
    guard isForVectors || columns > 0 && (columns == outputs || columns * 8 == outputs) else {
      throw .memberOfShape(codes.path, codes.sizes, expected: [codes.sizes[0], outputs])
    }
    isAWQ = isForVectors || columns != outputs
    let form = isAWQ ? "awq" : "gptq"
    // AutoAWQ's file does not state the method.
    let stated =
      config.method ?? (config.settings.map { $0["w_bit"] != nil ? "awq" : "gptq" } ?? form)
    guard stated == form else { throw .contradictingConfig("the method", quoted(stated), form) }
  }
}

extension NetconvError {
  fileprivate static func wrappedZero(_ code: Int) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "has a stored zero point of \(code), which may stand for 0 or \(code + 1) in the first version of GPTQ's files; "
        + "\(.rawCodes) reads the codes")
  }

  fileprivate static func otherZero(_ found: Float, expected: Float) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "has a zero point of \(found), but the configuration says 'sym', which makes it \(expected): zero points are "
        + "stored otherwise than 'checkpoint_format' says; correct it (gptq: less one, gptq_v2: as they are)"
    )
  }
}

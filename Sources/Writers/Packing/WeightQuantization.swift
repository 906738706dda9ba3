import Documents
import ModelIR

/// A quantisation of weights, by its name on the command line.
public enum WeightQuantization: Sendable, Equatable {
  /// Blocks of GGUF: `q8_0`, `q4_0`.
  case gguf(GGUFBlocks)
  /// Groups of MLX: `mlx-4bit`, or `mlx-4bit/32` for groups of 32.
  case mlx(MLXBlocks)

  /// The names, for messages.
  public static let names =
    "q8_0, q4_0, mlx-4bit (2, 3, 4, 6 or 8 bits), mlx-4bit/32 (groups of 32, 64 or 128)"

  /// Parses a name; `nil` if it is none.
  public init?(_ text: String) {
    if let blocks = GGUFBlocks(rawValue: text.lowercased()) {
      self = .gguf(blocks)
      return
    }
    let parts = text.lowercased().split(separator: "/", omittingEmptySubsequences: false)
    guard let first = parts.first, first.hasPrefix("mlx-"), first.hasSuffix("bit"),
      let bits = Int(first.dropFirst(4).dropLast(3)), parts.count <= 2,
      let groupSize = parts.count == 1 ? 64 : Int(parts[1]),
      let blocks = MLXBlocks(bits: bits, groupSize: groupSize)
    else { return nil }
    self = .mlx(blocks)
  }

  /// The form of the blocks.
  public var packing: any BlockPacking {
    switch self {
    case .gguf(let blocks): blocks
    case .mlx(let blocks): blocks
    }
  }

  /// The containers that can hold the result.
  public var formats: [OutputFormat] {
    switch self {
    case .gguf: [.gguf]
    case .mlx: [.safetensors, .shards]
    }
  }

  /// Returns true if a tensor is quantised, by its name and shape.
  ///
  /// Vectors and tensors whose rows are not multiples of a block are not; for MLX neither are tensors other than
  /// matrices called `weight`.
  public func applies(to name: String, _ shape: [Int]) -> Bool {
    guard let last = shape.last, last > 0, last.isMultiple(of: packing.valueCount) else {
      return false
    }
    if case .mlx = self { return shape.count == 2 && name.hasSuffix(".weight") }
    return shape.count >= 2
  }

  /// Returns the tensors that store the weight `tensor`, called `name`.
  ///
  /// - Parameter type: The type in which MLX has scales and biases, and to which it rounds values before.
  /// - Throws: `badData` if the values are in another order than they are written in.
  public func packed(
    _ tensor: Tensor, called name: String, _ type: ElementType
  ) throws(NetconvError) -> [(tensor: Tensor, name: String, type: ElementType)] {
    guard tensor.rearrangement.copy.isIdentity else { throw .packedInOtherOrder }
    let shape = tensor.shape
    var values = tensor.stored.source
    guard case .mlx(var blocks) = self else {
      let bytes = PackedValues(values, shape: shape, as: packing)
      return [
        (try tensor.packed(bytes, shape: bytes.byteShape, tensor.spec.role), name, .uint8)
      ]
    }
    if values.elementType != type, type != .float32 {
      values = RoundedValues(values, to: type)
    }
    blocks.parameterType = type
    let bytes = PackedValues(values, shape: shape, as: blocks)
    let start = name.dropLast("weight".count)
    let groups = shape.dropLast() + [(shape.last ?? 0) / blocks.groupSize]
    var all =
      [(try tensor.packed(bytes, shape: bytes.byteShape, tensor.spec.role), name, .uint8)]
      as [(tensor: Tensor, name: String, type: ElementType)]
    for (role, isBias) in [("scales", false), ("biases", true)] {
      let source = MLXParameters(
        values: values, blocks: blocks, isBias: isBias, elementType: type)
      all.append(
        (
          try tensor.packed(source, shape: Array(groups), ParameterRole(rawValue: role)),
          start + role, type
        ))
    }
    return all
  }
}

extension Tensor {
  /// Returns a tensor of the same layer whose values are made of this one's.
  fileprivate func packed(
    _ source: any TensorSource, shape: [Int], _ role: ParameterRole
  ) throws(NetconvError) -> Tensor {
    var stored = StoredTensor(
      source: source, layout: nil, shape: shape, path: self.stored.path, name: nil)
    stored.kind = self.stored.kind
    return try Tensor(layer: layer, spec: ParameterSpec(role, shape: shape), stored: stored)
  }
}

extension NetconvError {
  fileprivate static let packedInOtherOrder = NetconvError(
    .badData,
    "has its axes in another order for the target, and cannot be quantised in the same step; convert first, and "
      + "quantise the result")
}

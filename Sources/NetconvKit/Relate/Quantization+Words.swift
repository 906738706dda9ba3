import ModelIR
import Relations
import Writers

extension RelatedTensor {
  /// Creates a tensor of B; if it is quantised in a form that netconv writes, with the quantisations that may have given it.
  init(ofB tensor: Tensor) {
    self.init(tensor, requantizers: Self.requantizers(tensor.stored.kind?.name ?? ""))
  }

  /// The types to which originals are often converted before they are quantised.
  private static let types: [ElementType] = [.float32, .bfloat16, .float16]

  private static func requantizers(_ kind: String) -> [Requantizer] {
    if let blocks = GGUFBlocks(rawValue: kind.lowercased()) {
      return types.map { requantizer(blocks, of: $0) }
    }
    let words = kind.split { " /".contains($0) }
    guard words.count == 4, words[0] == "MLX", words[2] == "bits", let bits = Int(words[1]),
      let size = Int(words[3]), let blocks = MLXBlocks(bits: bits, groupSize: size)
    else { return [] }
    return types.map { type in
      var blocks = blocks
      blocks.parameterType = type
      return requantizer(blocks, of: type)
    }
  }

  private static func requantizer(
    _ packing: some BlockPacking, of type: ElementType
  ) -> Requantizer {
    { values in
      RequantizedValues(
        type == .float32 ? values : RoundedValues(values, to: type), as: packing)
    }
  }
}

extension Quantization {
  /// A description such as `as Q4_0: quantising it again gives the same codes`.
  var words: String {
    switch verdict {
    case .requantized: "as \(kind): quantising it again gives the same codes"
    case .nearest where excludesChange: "as \(kind): each code is the nearest"
    case .nearest:
      "as \(kind): each code is the nearest, but too few values tell that from others that differ by "
        + "\(Self.change) of themselves"
    case .consistent:
      "consistent with \(kind): of \(grouped(beyond)) \(beyond == 1 ? "value" : "values") another code is nearer, at most "
        + "\(significant(worst)) steps away; other originals close to these are not excluded"
    }
  }
}

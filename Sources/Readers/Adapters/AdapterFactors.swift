import ModelIR

/// The product of an adapted module and the magnitudes of its outputs, checked against the weight of the base.
struct AdapterFactors {
  let product: LowRankProduct
  /// The norms of the outputs (DoRA); `nil` without.
  let magnitudes: (any TensorSource)?

  /// Checks the factors of `module`.
  ///
  /// - Parameters:
  ///   - shape: The shape of the base weight.
  ///   - isInputsFirst: True if the rows of matrices are inputs; `nil` if that differs between modules.
  /// - Throws: `badData` if a shape does not fit, or the order of a square matrix is unknown.
  init(
    _ module: AdapterParts.Module, of shape: [Int], _ config: AdapterConfig, isInputsFirst: Bool?
  ) throws(NetconvError) {
    let isEmbedding =
      module.parts[.embeddingInput] != nil || module.parts[.embeddingOutput] != nil
    let a = try module.required(isEmbedding ? .embeddingInput : .inputFactor)
    let b = try module.required(isEmbedding ? .embeddingOutput : .outputFactor)
    guard !isEmbedding || module.parts[.inputFactor] == nil && module.parts[.outputFactor] == nil
    else { throw .twoKinds }
    let rank = try config.rank(of: module.name)
    guard a.sizes.count >= 2, a.sizes[0] == rank, b.sizes.count == a.sizes.count,
      b.sizes[1] == rank, b.sizes.dropFirst(2).allSatisfy({ $0 == 1 })
    else { throw .otherRank(a.sizes, b.sizes, rank: rank) }
    let (inputs, outputs) = (Array(a.sizes.dropFirst()), b.sizes[0])
    let isTransposed: Bool
    if isEmbedding {
      guard shape == inputs + [outputs], inputs.count == 1 else {
        throw .otherProduct(inputs + [outputs], shape)
      }
      isTransposed = true
    } else {
      isTransposed = try Self.isTransposed(inputs, outputs, shape, isInputsFirst)
    }
    product = LowRankProduct(
      outputFactor: b.source, inputFactor: a.source, rank: rank,
      scale: try config.scale(of: module.name), rows: shape[0],
      columns: try ModelIR.product(Array(shape.dropFirst())), isTransposed: isTransposed)
    magnitudes = try Self.magnitudes(of: module, outputs, config)
  }

  /// True if the rows of the base weight are inputs.
  private static func isTransposed(
    _ inputs: [Int], _ outputs: Int, _ shape: [Int], _ isInputsFirst: Bool?
  ) throws(NetconvError) -> Bool {
    let expected = [outputs] + inputs
    guard inputs.count == 1 else {
      guard shape == expected else { throw .otherProduct(expected, shape) }
      return false
    }
    let fits = (plain: shape == expected, transposed: shape == expected.reversed())
    guard fits.plain || fits.transposed else { throw .otherProduct(expected, shape) }
    guard fits.plain, fits.transposed else { return fits.transposed }
    guard let isInputsFirst else { throw .unknownOrder }
    return isInputsFirst
  }

  private static func magnitudes(
    of module: AdapterParts.Module, _ outputs: Int, _ config: AdapterConfig
  ) throws(NetconvError) -> (any TensorSource)? {
    guard config.hasMagnitudes else {
      guard module.parts[.magnitude] == nil else { throw .unexpected(.magnitude, "use_dora") }
      return nil
    }
    let stored = try module.required(.magnitude)
    guard stored.source.count == outputs else {
      throw .otherMagnitudes(stored.source.count, outputs: outputs)
    }
    return stored.source
  }
}

extension NetconvError {
  static func unexpected(_ part: AdapterParts.Part, _ setting: String) -> NetconvError {
    NetconvError(
      .badData,
      "the adapter has \(quoted(String(part.rawValue.dropFirst()))) for it, but \(quoted(setting)) is not set"
    )
  }

  fileprivate static let twoKinds = NetconvError(
    .badData, "the adapter has factors of a layer and of an embedding for it")

  fileprivate static func otherRank(_ a: [Int], _ b: [Int], rank: Int) -> NetconvError {
    NetconvError(
      .badData,
      "its factors have the shapes \(a) and \(b), but the configuration says that the rank is \(rank)"
    )
  }

  fileprivate static func otherProduct(_ found: [Int], _ expected: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "the adapter is for a weight of shape \(found), but the base has \(expected); name the base it was trained on"
    )
  }

  fileprivate static let unknownOrder = NetconvError(
    .badData,
    "is square, and 'fan_in_fan_out' does not say which axis has the inputs: the shapes of other weights contradict it"
  )

  fileprivate static func otherMagnitudes(_ count: Int, outputs: Int) -> NetconvError {
    NetconvError(.badData, "has \(count) magnitudes, expected \(outputs), one for each output")
  }
}

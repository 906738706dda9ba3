import Datasets
import ImageFilters
import ModelIR
import Operators
import Transforms

/// Arrays of a file as inputs of a model.
///
/// Preprocessing and accepted shapes follow the same rules as in `verify`; see Docs/preparation.md.
struct RunInputs {
  /// An array and its preprocessing.
  private struct Fed {
    let array: SampleArray
    let preparation: PixelPreparation?
    let order: SampleOrder?
    /// The shape in which a sample is fed; `nil` if it is the array's own.
    let shape: [Int]?
    /// The quantisation of the array's integers; `nil` if its numbers are fed.
    let quantization: Quantization?
  }

  /// The arrays by name of the input.
  private let fed: [String: Fed]
  private let path: String
  /// The report on each input, in order.
  let rows: [RunReport.Input]
  /// Events for the user.
  let events: [Event]

  /// Reads and preprocesses the arrays of a request.
  ///
  /// - Throws: `usage` if the arrays do not fit the model, `badData`, `cannotOpen` or `inputOutput`.
  init(
    _ path: String, _ request: RunRequest, for model: Model, _ axes: SourceAxes, isRawBlobs: Bool
  ) throws(NetconvError) {
    let stored = try Netconv.stored(in: path, for: model)
    var options = PixelOptions(
      scale: request.scale, offset: request.offset, isRawBlobs: isRawBlobs, areArrays: true,
      mayBeQuantities: true)
    let filters = try InputFilters(request.filters, for: model)
    var fed: [String: Fed] = [:]
    var rows: [RunReport.Input] = []
    var events: [Event] = stored.inOrder.isEmpty ? [] : [.inputsInOrder(stored.inOrder)]
    for input in model.inputs {
      guard let array = stored.arrays[input.name] else { continue }
      let facts: PixelFacts
      do {
        facts = try PixelFacts(array)
      } catch {
        throw error.inFile(path)
      }
      options.filters = filters[input.name]
      options.areVectors = array.shape.dropFirst().count(where: { $0 != 1 }) < 2
      let quantization = try Self.quantization(of: array, input, model, options)
      let preparation =
        quantization == nil ? Self.preparation(array, facts, input, model, options) : nil
      let order = SampleOrder(
        Array(array.shape.dropFirst()), into: axes[input.name], preparation?.steps ?? [])
      let shape = order == nil ? Self.shape(of: array, preparation?.steps ?? [], input, model) : nil
      fed[input.name] = Fed(
        array: array, preparation: preparation, order: order, shape: shape,
        quantization: quantization)
      rows.append(
        RunReport.Input(
          name: input.name, shape: array.shape, dtype: array.elementType.rawValue,
          nonFinite: facts.notFinite, axes: order?.order.rawValue,
          rowByRow: shape?.count == 1 && array.shape.count > 2 ? true : nil, pixels: preparation))
      events += order.map { Event.axes(ofInput: input.name, $0) } ?? []
      events += (preparation?.warnings ?? []).map { .pixels($0) }
      if facts.notFinite > 0 { events.append(.inputNotFinite(input.name, facts.notFinite)) }
    }
    if request.scale != nil || request.offset != nil || !filters.isEmpty,
      rows.allSatisfy({ $0.pixels == nil })
    {
      let options: [(Message, isThere: Bool)] = [
        ("\(.scale)", request.scale != nil), ("\(.offset)", request.offset != nil),
        ("\(.filters)", !filters.isEmpty),
      ]
      throw NetconvError.nothingToScale(
        model.inputs.map(\.name), leavingOut: options.filter(\.isThere).map(\.0)
      ).inFile(request.path)
    }
    (self.fed, self.path, self.rows, self.events) = (fed, path, rows, events)
  }

  /// The number of samples in the batch.
  var count: Int { fed.values.first?.array.count ?? 0 }

  /// Ranges of samples to run one after the other: a single range, unless an array is too large for memory.
  ///
  /// If arrays have different numbers of samples, the engine receives them unchanged and reports the error.
  var parts: [Range<Int>] {
    guard count > 0, !fed.values.allSatisfy(\.array.isHeld),
      fed.values.allSatisfy({ $0.array.count == count })
    else { return [0..<count] }
    let size = fed.values.reduce(0) { $0 + $1.array.sampleSize * MemoryLayout<Float>.size }
    let step = max(1, SampleArray.heldSize / max(1, size))
    return stride(from: 0, to: count, by: step).map { $0..<min($0 + step, count) }
  }

  /// Returns the inputs for some samples by name; for all samples if arrays have different numbers of them.
  ///
  /// - Throws: `badData` if there is too little memory, or pixels cannot be preprocessed; `inputOutput`.
  func arrays(of samples: Range<Int>) throws(NetconvError) -> [String: NDArray<Float>] {
    var arrays: [String: NDArray<Float>] = [:]
    for (name, fed) in fed {
      do {
        var array = try fed.array.samples(
          samples == 0..<count ? 0..<fed.array.count : samples)
        if let quantization = fed.quantization {
          array = array.map { quantization.number(Int($0)) }
        }
        arrays[name] = try Self.prepared(array, fed)
      } catch {
        throw error.inFile(path)
      }
    }
    return arrays
  }

  /// Checks that the files of arrays that are read later have not been modified.
  ///
  /// - Throws: `inputOutput`.
  func checkUnchanged() throws(NetconvError) {
    for fed in fed.values { try fed.array.checkUnchanged() }
  }

  /// Returns the quantisation of an array whose integers are those that the input is rounded to.
  ///
  /// - Throws: `badData` for integers of another type, which are neither these nor pixels.
  private static func quantization(
    of array: SampleArray, _ input: ModelInput, _ model: Model, _ options: PixelOptions
  ) throws(NetconvError) -> Quantization? {
    guard let quantization = model.quantization(ofInput: input.name),
      options.scale == nil, options.offset == nil, options.filters == nil
    else { return nil }
    if array.elementType == quantization.type { return quantization }
    guard [.int8, .int16].contains(array.elementType) else { return nil }
    throw .otherIntegers(array.elementType.rawValue, input.name, quantization.type.rawValue)
  }

  /// Returns the preprocessing of an array; `nil` if there is none, and the array holds no pixels.
  private static func preparation(
    _ array: SampleArray, _ facts: PixelFacts, _ input: ModelInput, _ model: Model,
    _ options: PixelOptions
  ) -> PixelPreparation? {
    let isImage = (2...3).contains(input.shape.rank)
    let isOnly = model.inputs.count == 1
    let isPixels: Bool
    if options.scale != nil || options.offset != nil || options.filters != nil {
      isPixels = isImage || isOnly
    } else if model.layerReadingTokenIDs(of: input.name) != nil {
      isPixels = false
    } else if array.elementType.isInteger {
      isPixels = isImage || isOnly || array.elementType == .uint8
    } else {
      let own = model.ownScaling(of: input.name)?.operation
      isPixels = isImage || input.preprocessing != nil || own is any RescalingOperator
    }
    return isPixels ? PixelPreparation(of: facts, for: input, of: model, options) : nil
  }

  /// Returns the shape in which a sample of an array is fed, if it is not its own; the engine rejects shapes that do
  /// not fit.
  private static func shape(
    of array: SampleArray, _ steps: [PixelStep], _ input: ModelInput, _ model: Model
  ) -> [Int]? {
    var sample = PixelBatch(shape: Array(array.shape.dropFirst()), values: [])
    guard (try? sample.apply(steps)) != nil,
      !Shape(sample.shape).isCompatible(with: input.shape)
    else { return nil }
    return ImageFeed.shape(
      of: input.shape, for: sample.shape, isSequence: model.readsSteps(of: input))
  }

  private static func prepared(
    _ array: NDArray<Float>, _ fed: Fed
  ) throws(NetconvError) -> NDArray<Float> {
    if let order = fed.order { return try order.prepared(array) }
    guard let count = array.shape.first else { return array }
    let steps = fed.preparation?.steps ?? []
    guard !steps.isEmpty else {
      return fed.shape.map { array.reshaped([count] + $0) } ?? array
    }
    var batch = PixelBatch(shape: Array(array.shape.dropFirst()), values: array.values)
    try batch.apply(steps)
    return NDArray(shape: [count] + (fed.shape ?? batch.shape), values: batch.values)
  }
}

extension NetconvError {
  fileprivate static func otherIntegers(
    _ type: String, _ input: String, _ expected: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "the array has the type \(type), but the input \(quoted(input)) is quantised to \(expected); feed integers of that type, or real numbers as float32"
    )
  }
}

extension Event {
  fileprivate static func inputsInOrder(_ pairs: [(input: String, array: String)]) -> Event {
    .warning(
      "the arrays are not named like the inputs, and were assigned in order; "
        + "numpy.savez(file, NAME=array, …) names them",
      details: pairs.map { "\(quoted($0.array)) to \(quoted($0.input))" })
  }

  fileprivate static func inputNotFinite(_ name: String, _ count: Int) -> Event {
    .warning(
      "the input \(quoted(name)) holds \(count) \(count == 1 ? "value that is" : "values that are") not finite",
      details: [])
  }
}

extension NetconvError {
  fileprivate static func nothingToScale(_ inputs: [String], leavingOut options: [Message])
    -> NetconvError
  {
    NetconvError(
      .usage,
      text:
        "has the inputs \(inputs.quotedList), none of which is an image; "
        + "leave out \(options.joined(separator: " and ")), and prepare the arrays yourself"
    )
  }
}

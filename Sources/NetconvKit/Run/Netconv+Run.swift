import Datasets
import ModelIR
import Readers

extension Netconv {
  /// Runs a model on arrays and writes its outputs.
  ///
  /// - Throws: `usage` if arrays or layers do not fit the model, `badData`, `cannotOpen`,
  ///   `cannotCreate`, `inputOutput` or `interrupted`.
  public static func run(
    _ request: RunRequest, observer: Observer = Observer()
  ) throws(NetconvError) -> RunReport {
    let destination = try request.output.map { path throws(NetconvError) in
      try RunOutput(path, for: request)
    }
    let source = try ReaderRegistry.read(
      request.path,
      request.options.reading(LayerReplacements(options: request.replacements)))
    source.tell(observer)
    _ = try source.checkIntegrity(observer)
    let model = try source.model
    for layer in request.layers where model.producer(of: layer) == nil {
      throw NetconvError.unknownLayer(layer).inFile(request.path)
    }
    // An output may be listed twice, and is then written twice.
    let names = model.outputs + unique(request.layers.filter { !model.outputs.contains($0) })
    try destination?.check(names)
    let axes = source.axes(of: model)
    let feed = try RunFeed(request, for: model, axes, isRawBlobs: source.isRawBlobs)
    for event in feed.events { observer.onEvent(event) }
    let results: RunResults
    do {
      let engine = try request.engine.engine(
        for: model, keeping: Set(request.layers), precision: request.precision)
      observer.onEvent(.fallbacks(of: engine))
      results = try feed.results(of: engine, repeating: request.repetitions, observer)
    } catch {
      throw error.inFile(request.path)
    }
    for event in results.events { observer.onEvent(event) }
    var keys = UniqueNames(separator: ":", from: 1)
    let outputs = names.compactMap { name in
      results.outputs[name].map {
        OrderedOutput(keys.next(name), $0, axes[name], in: request.axes)
      }
    }
    try observer.checkCancellation()
    if request.axes == .model, outputs.allSatisfy({ $0.axes == nil }) {
      observer.onEvent(.sameAxes)
    }
    try destination?.write(outputs.map { ($0.name, $0.array) })
    return RunReport(
      path: request.path, engine: request.engine.rawValue, precision: request.precision.rawValue,
      batch: results.batch, inputs: results.inputs, outputs: outputs.map(RunReport.Row.init),
      pictures: results.pictures, output: request.output,
      medianMilliseconds: results.medianMilliseconds)
  }

  /// Reads the arrays of a file and matches them with the inputs by name, or else in order.
  ///
  /// - Throws: `usage` if they do not fit the inputs, `cannotOpen` or `badData`.
  static func stored(
    in path: String, for model: Model
  ) throws(NetconvError) -> StoredInputs {
    let arrays = try NumpyArchive.open(path)
    do throws(NetconvError) {
      guard arrays.count <= model.inputs.count else {
        let named = arrays.filter { array in model.inputs.contains { $0.name == array.name } }
        guard named.count == model.inputs.count else {
          throw .tooManyArrays(arrays.count, inputs: model.inputs.map(\.name))
        }
        return try inputs(named, for: model)
      }
      return try inputs(arrays, for: model)
    } catch {
      throw error.inFile(path)
    }
  }

  private static func inputs(
    _ arrays: [(name: String, array: SampleArray)], for model: Model
  ) throws(NetconvError) -> StoredInputs {
    let isByName = arrays.allSatisfy { array in model.inputs.contains { $0.name == array.name } }
    if !isByName,
      let known = arrays.first(where: { array in
        model.inputs.contains { $0.name == array.name }
      }),
      let stranger = arrays.first(where: { array in
        !model.inputs.contains { $0.name == array.name }
      })
    {
      throw .arraysPartlyNamed(known.name, stranger.name, inputs: model.inputs.map(\.name))
    }
    var inputs: [String: SampleArray] = [:]
    var inOrder: [(input: String, array: String)] = []
    for (index, input) in model.inputs.enumerated() {
      let array =
        isByName
        ? arrays.first { $0.name == input.name } : index < arrays.count ? arrays[index] : nil
      guard let array else { throw .missingInput(input.name, found: arrays.map(\.name)) }
      guard !array.array.shape.isEmpty else {
        throw NetconvError.wrongScalar(array.array.shape).inTensor(input.name)
      }
      try model.checkTokenIDs(in: array.array, of: input.name)
      inputs[input.name] = array.array
      // With one array for one input, nothing can be exchanged.
      if !isByName, model.inputs.count > 1 { inOrder.append((input.name, arrays[index].name)) }
    }
    return StoredInputs(arrays: inputs, inOrder: inOrder)
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }
}

/// The arrays of a file for the inputs of a model.
struct StoredInputs {
  /// The arrays by name of the input.
  let arrays: [String: SampleArray]
  /// Arrays with other names that were matched with inputs in order, where another order is possible.
  let inOrder: [(input: String, array: String)]
}

extension NetconvError {
  fileprivate static func unknownLayer(_ name: String) -> NetconvError {
    NetconvError(.usage, "there is no layer \(quoted(name)); netconv inspect lists them")
  }

  fileprivate static func missingInput(_ name: String, found: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "there is no array for the input \(quoted(name)); found "
        + (found.isEmpty ? "none" : found.quotedList)
        + "; give one array that name")
  }

  fileprivate static func arraysPartlyNamed(
    _ known: String, _ stranger: String, inputs: [String]
  ) -> NetconvError {
    NetconvError(
      .usage,
      "has an array for the input \(quoted(known)), but \(quoted(stranger)) is not the name of an input, "
        + inputs.quotedList + "; name all arrays or none")
  }

  fileprivate static func tooManyArrays(_ found: Int, inputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "holds \(found) arrays, but the model has \(inputs.count) "
        + "\(inputs.count == 1 ? "input" : "inputs"), "
        + inputs.quotedList
        + "; name the arrays like the inputs, or leave out the others")
  }

  fileprivate static func wrongScalar(_ shape: [Int]) -> NetconvError {
    NetconvError(
      .badData,
      "has shape \(Shape(shape)), expected the batch as its first axis; x[numpy.newaxis] adds one")
  }
}

extension Event {
  fileprivate static let sameAxes = Event.warning(
    "no output has channels first in the source, so its order of axes is the model's",
    details: [])
}

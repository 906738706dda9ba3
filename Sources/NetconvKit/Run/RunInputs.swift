import Datasets
import ImageFilters
import ModelIR
import Transforms

/// Arrays of a file on their way into a model.
///
/// An array of unsigned bytes whose input is an image, (height, width) or (height, width, channels), holds pixels, and
/// is prepared as `verify` prepares them. Everything else is fed as it stands, unless a scale or an offset is named. An
/// input with channels first takes channels last too.
struct RunInputs {
  /// What is fed, by the name of the input.
  let arrays: [String: NDArray<Float>]
  /// What was done, in the order of the inputs.
  let rows: [RunReport.Input]
  /// What a user should know.
  let events: [Event]

  /// Reads and prepares what `request` names.
  ///
  /// - Throws: `usage` if the arrays do not fit the model, `badData`, `cannotOpen` or `inputOutput`.
  init(
    _ path: String, _ request: RunRequest, for model: Model, _ axes: SourceAxes, isRawBlobs: Bool
  ) throws(NetconvError) {
    let stored = try Netconv.stored(in: path, for: model)
    var options = PixelOptions(
      scale: request.scale, offset: request.offset, isRawBlobs: isRawBlobs, areArrays: true)
    let filters = try InputFilters(request.filters, for: model)
    var arrays: [String: NDArray<Float>] = [:]
    var rows: [RunReport.Input] = []
    var events: [Event] = stored.inOrder.isEmpty ? [] : [.inputsInOrder(stored.inOrder)]
    for input in model.inputs {
      guard let array = stored.arrays[input.name] else { continue }
      let facts = PixelFacts(array.values, array.elementType)
      options.filters = filters[input.name]
      let preparation = Self.preparation(array, facts, input, model, options)
      let order = SampleOrder(
        Array(array.shape.dropFirst()), into: axes[input.name], preparation?.steps ?? [])
      do {
        arrays[input.name] = try Self.prepared(array, preparation, order)
      } catch {
        throw error.inFile(path)
      }
      rows.append(
        RunReport.Input(
          name: input.name, shape: array.shape, dtype: array.elementType.rawValue,
          nonFinite: facts.notFinite, axes: order?.order.rawValue, pixels: preparation))
      events += order.map { Event.axes(ofInput: input.name, $0) } ?? []
      events += (preparation?.warnings ?? []).map { .pixels($0) }
      if facts.notFinite > 0 { events.append(.inputNotFinite(input.name, facts.notFinite)) }
    }
    if request.scale != nil || request.offset != nil || !filters.isEmpty,
      rows.allSatisfy({ $0.pixels == nil })
    {
      throw NetconvError.nothingToScale(model.inputs.map(\.name)).inFile(request.path)
    }
    (self.arrays, self.rows, self.events) = (arrays, rows, events)
  }

  /// What is done to an array; `nil` if it holds no pixels.
  private static func preparation(
    _ array: NumpyArray, _ facts: PixelFacts, _ input: ModelInput, _ model: Model,
    _ options: PixelOptions
  ) -> PixelPreparation? {
    let isImage = (2...3).contains(input.shape.rank)
    let isNamed = options.scale != nil || options.offset != nil || options.filters != nil
    let isPixels =
      isNamed
      ? isImage || model.inputs.count == 1
      : isImage && (array.elementType == .uint8 || !array.elementType.isInteger)
    guard isPixels else { return nil }
    return PixelPreparation(of: facts, for: input, of: model, options)
  }

  private static func prepared(
    _ array: NumpyArray, _ preparation: PixelPreparation?, _ order: SampleOrder?
  ) throws(NetconvError) -> NDArray<Float> {
    if let order {
      return try order.prepared(NDArray(shape: array.shape, values: array.values))
    }
    guard let preparation, !preparation.steps.isEmpty, let count = array.shape.first else {
      return NDArray(shape: array.shape, values: array.values)
    }
    var batch = PixelBatch(shape: Array(array.shape.dropFirst()), values: array.values)
    try batch.apply(preparation.steps)
    return NDArray(shape: [count] + batch.shape, values: batch.values)
  }
}

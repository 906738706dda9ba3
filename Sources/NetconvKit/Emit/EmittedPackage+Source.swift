import Emission
import Files
import ModelIR
import Readers
import Transforms

extension EmittedPackage {
  /// The rules for kernels that the code needs in float32.
  var elementTypeRules: [ElementTypeRule] {
    layersOfFloats.map { layer in
      // A pattern cannot escape a star.
      ElementTypeRule(layer.replacing("*", with: "?"), .float32)
    }
  }

  /// Creates a package of the model that was read from `path`, named after it unless a name is given.
  ///
  /// - Throws: `usage` for an invalid name, `badData` with every layer that the language does not support, or any
  ///   error from reading a parameter.
  init(
    _ source: ReadSource, at path: String, in language: PackageLanguage, called name: String?,
    precision: Precision, foldsBatchNormalization: Bool, takesPictures: Bool,
    labels: ClassLabels? = nil
  ) throws(NetconvError) {
    let model = try source.model
    let pictures = takesPictures ? PictureInput(of: model, read: source) : nil
    if let labels { try model.check(labels) }
    let folding = foldsBatchNormalization ? try model.foldingBatchNormalization() : nil
    try self.init(
      folding?.model ?? model, in: language, from: Directory.lastComponent(of: path),
      name: name ?? Self.name(for: Netconv.stem(of: path)), storesHalves: precision == .float16,
      folded: folding?.folded.map(\.layer) ?? [], pictures: pictures, labels: labels?.names)
  }
}

extension Model {
  /// Checks that the model has a single output, with a value for each label.
  ///
  /// - Throws: `usage` if the output is not a vector of classes, `badData` if there are more or fewer labels.
  fileprivate func check(_ labels: ClassLabels) throws(NetconvError) {
    guard outputs.count == 1, let shape = shape(of: outputs[0]) else {
      throw .classesOfSeveralOutputs(outputs)
    }
    guard shape.known != nil else { throw .noClasses(outputs[0], shape) }
    try labels.check(outputs[0], shape)
  }
}

extension PictureInput {
  /// Creates the preprocessing of pictures in `run`; `nil` if the model accepts none that a package supports.
  fileprivate init?(of model: Model, read source: ReadSource) {
    guard let input = model.inputs.first, model.inputs.count == 1 else { return nil }
    let preparation = PixelPreparation(
      of: .bytes, for: input, of: model,
      PixelOptions(scale: nil, offset: nil, isRawBlobs: false))
    // Token ids are not pixels.
    guard model.layerReadingTokenIDs(of: input.name) == nil else { return nil }
    self.init(
      into: input, hasChannelsFirst: source.axes(of: model)[input.name] != nil, preparation.steps,
      remark: preparation.text.description)
  }
}

extension NetconvError {
  fileprivate static func classesOfSeveralOutputs(_ outputs: [String]) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "has the outputs \(outputs.quotedList), and labels are for a single output; "
        + "leave out \(.labels)")
  }
}

import Emission
import Files
import ModelIR
import Readers
import Transforms

extension EmittedPackage {
  /// The types of kernels that the code needs to be of floats.
  var elementTypeRules: [ElementTypeRule] {
    layersOfFloats.map { layer in
      // A pattern has no way to say a star.
      ElementTypeRule(layer.replacing("*", with: "?"), .float32)
    }
  }

  /// A package of what was read at `path`, called as that is unless it is named.
  ///
  /// - Throws: `usage` for a wrong name, `badData` with every layer that the language lacks, or what reading a
  ///   parameter throws.
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
  /// Checks that there is one output with a value for each label.
  ///
  /// - Throws: `usage` if there are no classes, `badData` if there are more or fewer.
  fileprivate func check(_ labels: ClassLabels) throws(NetconvError) {
    guard outputs.count == 1, let shape = shape(of: outputs[0]) else {
      throw .classesOfSeveralOutputs(outputs)
    }
    guard shape.known != nil else { throw .noClasses(outputs[0], shape) }
    try labels.check(outputs[0], shape)
  }
}

extension PictureInput {
  /// How `run` takes pictures into a model; `nil` if it takes none that a package could.
  fileprivate init?(of model: Model, read source: ReadSource) {
    guard let input = model.inputs.first, model.inputs.count == 1 else { return nil }
    let preparation = PixelPreparation(
      of: .bytes, for: input, of: model,
      PixelOptions(scale: nil, offset: nil, isRawBlobs: false))
    // Numbers of things are no pixels.
    guard model.layerTakingNumbers(of: input.name) == nil else { return nil }
    self.init(
      into: input, hasChannelsFirst: source.axes(of: model)[input.name] != nil, preparation.steps,
      remark: preparation.text.description)
  }
}

import ModelIR

/// The errors of this module, except those of the Keras readers.
extension NetconvError {
  static func noLayerToRename(_ name: String, among names: [String]) -> NetconvError {
    NetconvError(
      .usage,
      text:
        "there is no layer \(quoted(name)) to rename; \(.inspectTensors) lists the layers"
        + Message(text: didYouMean(name, among: names))
    )
  }

  static func missingCompanion(_ file: String) -> NetconvError {
    NetconvError(
      .badData,
      "the manifest names \(quoted(file)), which is missing; convert the model again")
  }

  static let missingBlob = NetconvError(
    .cannotOpen, "there is no such file, though the manifest lists it; convert the model again")

  static func foreign(_ format: ForeignFormat) -> NetconvError {
    NetconvError(.badData, text: "is \(format.name), \(format.verdict); \(format.wayOn)")
  }

  static func unknownFormat(_ probe: SourceProbe, known: [String]) -> NetconvError {
    let found =
      probe.isFile
      ? "is not a format that netconv reads (it begins with \(opening(probe.prefix)))"
      : "is a folder without model.json or manifest.json"
    return NetconvError(.badData, found + "; expected one of", details: known)
  }

  /// Formats the first bytes as text or in hexadecimal.
  private static func opening(_ bytes: [UInt8]) -> String {
    let start = bytes.prefix(16)
    if start.allSatisfy({ (0x20..<0x7f).contains($0) || $0 == 0x0a || $0 == 0x0d || $0 == 9 }) {
      return "the text " + quoted(String(decoding: start, as: UTF8.self))
    }
    return "the bytes " + hexadecimal(start.prefix(8), separator: " ")
  }

  /// - Parameter takesOne: True if the weights can be bound to a graph.
  static func noGraph(takesOne: Bool) -> NetconvError {
    let wayOn: Message =
      takesOne
      ? "name one with \(.architecture) (\(.scaffold) writes a first draft), or convert the weights alone with "
        + "\(.convertWeightsOnly)"
      : "inspect lists them, and \(.convertWeightsOnly) writes them"
    return NetconvError(
      .usage, text: "holds weights without a graph, so they cannot be run; " + wayOn)
  }

  static func unknownKind(_ kind: String) -> NetconvError {
    NetconvError(
      .badData,
      "kind \(quoted(kind)) is unknown; expected one of "
        + ParameterKind.allCases.map(\.rawValue).joined(separator: ", "))
  }

  static func wrongSizes(_ sizes: [String: Int], layout: String) -> NetconvError {
    let found = sizes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return NetconvError(
      .badData,
      "sizes are \(escaped(found.joined(separator: " "))), expected a size for each axis of "
        + "\(quoted(layout)) and no other")
  }

  static var noGraphEnds: NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.graphInput) and \(.graphOutput) name nodes of a TensorFlow or ONNX graph, and this is not one"
    )
  }

  static var noEntries: NetconvError {
    NetconvError(
      .usage,
      text:
        "holds one network; leave out \(.entry), which is for files of PyTorch and Neural Amp Modeler that hold several"
    )
  }

  static var architectureOfNeither: NetconvError {
    NetconvError(
      .usage,
      text:
        "both hold their own architecture; leave out \(.architecture), which is for files that hold only weights"
    )
  }

  static var graphEndsOfNeither: NetconvError {
    NetconvError(
      .usage,
      text:
        "\(.graphInput) and \(.graphOutput) name nodes of a TensorFlow or ONNX graph, and neither source is one"
    )
  }

  static var entriesOfNeither: NetconvError {
    NetconvError(
      .usage,
      text:
        "neither source holds several networks; leave out \(.entry), which is for files of PyTorch and Neural Amp Modeler"
    )
  }

  static var nothingToRename: NetconvError {
    NetconvError(
      .usage,
      text:
        "holds no variables to rename; leave out \(.renames), which is for TensorFlow"
    )
  }

  static var ownArchitecture: NetconvError {
    NetconvError(
      .usage,
      text:
        "holds its own architecture; leave out \(.architecture), which is for "
        + "files that hold only weights")
  }

  static func leavesFolder(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "file \(quoted(name)) leaves the folder; name a file in it, without '..' and without a "
        + "leading '/'")
  }

  static func symbolicLink(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "file \(quoted(name)) is reached through a symbolic link; copy the file itself there"
    )
  }

  static func unknownOperators(_ list: [String]) -> NetconvError {
    NetconvError(
      .badData, list.count == 1 ? "1 unknown operator" : "\(list.count) unknown operators",
      details: list)
  }

  static func wrongOutputShape(_ stated: Shape, expected: Shape) -> NetconvError {
    NetconvError(
      .badData, "outputShape is \(stated), but the layer returns \(expected); correct or remove it")
  }

  static func unknownReversedAxis(_ name: String, layout: Layout) -> NetconvError {
    NetconvError(
      .badData, "reversed names the axis \(quoted(name)), which the layout \(layout) does not have")
  }

  static func unknownLayout(_ layout: String) -> NetconvError {
    NetconvError(
      .badData,
      "layout \(quoted(layout)) cannot be read; write axes slowest first, such as HWIO, OHWI, "
        + "(IHW)O or O(IHW)")
  }

  static func firstOutput(_ outputs: [String]) -> NetconvError {
    NetconvError(
      .badData,
      "the outputs begin with \(outputs.first.map { quoted($0) } ?? "none"), expected the name of the layer"
    )
  }

  static func repeatedRole(_ role: String) -> NetconvError {
    NetconvError(.badData, "the role \(quoted(role)) occurs twice")
  }

  static func unknownElementType(_ type: String) -> NetconvError {
    NetconvError(
      .badData,
      "dtype \(quoted(type)) is unknown; expected one of "
        + ElementType.allCases.map(\.rawValue).joined(separator: ", "))
  }

  static func scaleWithoutIntegers(_ type: ElementType) -> NetconvError {
    NetconvError(
      .badData, "has scales, but values of \(type.rawValue); only int8 is multiplied by scales")
  }

  static func noOutputChannels(_ layout: Layout) -> NetconvError {
    NetconvError(
      .badData,
      "has scales for its output channels, which the layout \(layout) does not separate; only kernels "
        + "with a separate axis of output channels have scales")
  }

  static func wrongTypeOfScales(_ type: ElementType, _ path: String) -> NetconvError {
    NetconvError(.badData, "the scales \(quoted(path)) are \(type.rawValue), expected float32")
  }

  static func otherOrderOfScales(_ scales: String, _ path: String) -> NetconvError {
    NetconvError(
      .badData,
      "one of \(quoted(path)) and its scales \(quoted(scales)) is in Fortran order, the other is not; write "
        + "both in C order")
  }

  static func wrongScaleCount(_ found: Int, expected: Int, _ layout: Layout) -> NetconvError {
    NetconvError(
      .badData,
      "has \(found) scales, but \(layout) has \(expected) output channels; each has one float32")
  }

  static func wrongScale(_ scale: Float, channel: Int) -> NetconvError {
    NetconvError(
      .badData, "the scale of output channel \(channel) is \(scale), expected a finite number")
  }

  static func offsetOutside(_ offset: Int, size: Int) -> NetconvError {
    NetconvError(.badData, "offset \(offset) is outside the file, which holds \(size) bytes")
  }

  static func wrongBlobSize(
    _ found: Int, expected: Int, shape: [Int], type: ElementType, isWholeFile: Bool,
    wayOn: String? = nil
  ) -> NetconvError {
    NetconvError(
      .badData,
      "holds \(found) bytes\(isWholeFile ? "" : " from its offset on"), expected "
        + "\(isWholeFile ? "" : "at least ")\(expected) (\(shape) of \(type.rawValue)); "
        + (wayOn.map { $0 + "; " } ?? "") + "correct the layer, the type or the file")
  }

  static func tooFewValues(_ found: Int, wanted: Int) -> NetconvError {
    NetconvError(.badData, "holds \(found) values, expected at least \(wanted)")
  }

  static func wrongFileSize(_ found: Int, expected: Int) -> NetconvError {
    NetconvError(
      .badData, "holds \(found) bytes, the manifest says \(expected); convert the model again")
  }

  static func wrongLength(
    _ found: Int, expected: Int, shape: [Int], type: ElementType
  ) -> NetconvError {
    NetconvError(
      .badData,
      "the manifest says that it holds \(found) bytes, but \(shape) of \(type.rawValue) are "
        + "\(expected); convert the model again")
  }

  static func differentDescriptions(
    _ what: String, _ inModel: String, _ inTensors: String, in key: String, file: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "the manifest contradicts itself about \(quoted(file)): its \(what) is \(inModel) in '\(key)' "
        + "and \(inTensors) in 'tensors'; convert the model again")
  }

  static func wrongScales(
    _ file: String, _ what: String, _ found: String, expected: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "the manifest names \(quoted(file)) as its scales, but the \(what) of these is \(found), expected "
        + "\(expected); convert the model again")
  }

  static func unusedTensor(_ file: String) -> NetconvError {
    NetconvError(
      .badData,
      "no layer of the manifest's model has the parameter \(quoted(file)); convert the model again")
  }

  static func repeatedFile(_ file: String) -> NetconvError {
    NetconvError(.badData, "the manifest lists \(quoted(file)) twice; convert the model again")
  }

  static func wrongOffset(_ stated: Int, found: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the manifest says that it begins at byte \(stated) of the file, but it begins at byte \(found); "
        + "convert the model again")
  }

  static func missingPlace(_ format: String) -> NetconvError {
    NetconvError(
      .badData,
      "the manifest lists the format '\(format)', but no location in it; convert the model again")
  }

  static func differentContents(_ found: String, manifest: String) -> NetconvError {
    NetconvError(
      .badData, "is \(found), the manifest says \(manifest); convert the model again")
  }

  static func differentContainers(
    _ what: String, _ stated: String, _ found: String, _ path: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "\(what) is \(quoted(stated)) in model.json, but \(quoted(found)) in \(quoted(path)); use the "
        + "file's value")
  }

  static func noSuchTensor(_ name: String, found: [String]) -> NetconvError {
    NetconvError(
      .badData, "there is no tensor \(quoted(name)); there are \(found.count)",
      details: found.sorted().prefix(20).map { quoted($0) })
  }

  static let noCodes = NetconvError(
    .usage, text: "holds no quantised weights; leave out \(.rawCodes), which is for their codes")

  static func codesInContainer(_ name: String, _ type: String) -> NetconvError {
    NetconvError(
      .badData,
      text:
        "\(quoted(name)) is of the type \(type), which model.json cannot name; name this file as the source, and "
        + "model.json with \(.architecture)")
  }

  static func offsetInContainer(_ path: String) -> NetconvError {
    NetconvError(
      .badData,
      "\(quoted(path)) is named with an offset; leave it out, since the file states where its tensors are"
    )
  }

  static func unreadableEntry(_ name: String) -> NetconvError {
    NetconvError(
      .badData,
      "the entry \(quoted(name)) is neither stored nor deflated as declared; write it with numpy.savez"
    )
  }

  static func wrongArraySize(
    _ found: Int, expected: Int, shape: [Int], _ type: ElementType
  ) -> NetconvError {
    NetconvError(
      .badData,
      "holds \(found) bytes of values, expected \(expected) (\(shape) of \(type.rawValue))")
  }

  static func wrongLayoutMetadata(_ reason: NetconvError) -> NetconvError {
    NetconvError(.badData, "'netconv' in '__metadata__' cannot be read: \(reason.message)")
  }

  static func notInManifest(_ file: String) -> NetconvError {
    NetconvError(.badData, "file \(quoted(file)) is not a tensor of the manifest")
  }

  static func missingEntry(_ file: String, length: Int) -> NetconvError {
    NetconvError(
      .badData,
      "there is no stored entry \(quoted(file)) of \(length) bytes, which the manifest lists; "
        + "convert the model again")
  }

  static func differentManifests(in container: String) -> NetconvError {
    NetconvError(
      .badData,
      "is not the manifest.json that \(container) holds; one of the two was changed, so convert "
        + "the model again")
  }

  static func differentSharedParameter(
    _ file: String, owner: String, expected: String
  ) -> NetconvError {
    NetconvError(
      .badData,
      "names the file \(quoted(file)), but sharesParametersOf says that it is that of "
        + "\(quoted(owner)), \(quoted(expected)); name the same file, or remove sharesParametersOf"
    )
  }

  static var noManifest: NetconvError {
    NetconvError(
      .badData,
      "is a ZIP archive, but neither netconv's (there is no manifest.json) nor that of a Keras model "
        + "(config.json and model.weights.h5); unpack it, and name the model in it")
  }
}

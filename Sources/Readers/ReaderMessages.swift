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

  static func unknownElementType(_ type: String) -> NetconvError {
    NetconvError(
      .badData,
      "dtype \(quoted(type)) is unknown; expected one of "
        + ElementType.allCases.map(\.rawValue).joined(separator: ", "))
  }

  static func wrongScale(_ scale: Float, channel: Int) -> NetconvError {
    NetconvError(
      .badData, "the scale of output channel \(channel) is \(scale), expected a finite number")
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

  static func differentContents(_ found: String, manifest: String) -> NetconvError {
    NetconvError(
      .badData, "is \(found), the manifest says \(manifest); convert the model again")
  }

  static func noSuchTensor(_ name: String, found: [String]) -> NetconvError {
    NetconvError(
      .badData, "there is no tensor \(quoted(name)); there are \(found.count)",
      details: found.sorted().prefix(20).map { quoted($0) })
  }

  static let noCodes = NetconvError(
    .usage, text: "holds no quantised weights; leave out \(.rawCodes), which is for their codes")

  static func notInManifest(_ file: String) -> NetconvError {
    NetconvError(.badData, "file \(quoted(file)) is not a tensor of the manifest")
  }

  static func missingEntry(_ file: String, length: Int) -> NetconvError {
    NetconvError(
      .badData,
      "there is no stored entry \(quoted(file)) of \(length) bytes, which the manifest lists; "
        + "convert the model again")
  }

  static var noManifest: NetconvError {
    NetconvError(
      .badData,
      "is a ZIP archive, but neither netconv's (there is no manifest.json) nor that of a Keras model "
        + "(config.json and model.weights.h5); unpack it, and name the model in it")
  }
}

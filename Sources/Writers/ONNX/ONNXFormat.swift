import Documents
import Files
import ModelIR
import ONNXExport

extension ONNXContainer: WritableContainer {
  static func layout(
    of contents: ContainerContents
  ) throws(NetconvError) -> any ContainerLayout {
    guard case .model(let model) = contents.network else { throw .noGraphForONNX }
    return try ONNXLayout(model, contents)
  }

  /// Any file written by netconv.
  static var replaceable: ReplaceableFile {
    ReplaceableFile("a file") { file throws(NetconvError) in
      try ONNXFile.recognizes(file.prefix(ONNXFile.prefixCount))
    }
  }
}

private struct ONNXLayout: ContainerLayout {
  let places: [TensorRecord.Place] = []
  private let file: ONNXFile
  private let entries: [OutputPlan.Entry]

  init(_ model: Model, _ contents: ContainerContents) throws(NetconvError) {
    entries = contents.entries
    let stored = Dictionary(
      entries.map { ($0.tensor.key, (name: $0.name, type: $0.elementType)) },
      uniquingKeysWith: { first, _ in first })
    let opset = contents.graph.opset ?? ONNXGraph.opsets.lowerBound
    guard ONNXGraph.opsets.contains(opset) else { throw .unwrittenOperatorSet(opset) }
    let graph = try ONNXGraph(
      model, stored: stored, channelsFirst: contents.graph.channelsFirst, opset: opset)
    file = ONNXFile(graph, dataFile: ONNXContainer.dataFile)
    if file.hasDataBeside, contents.graph.isAlone { throw .tooManyBytesForONNX }
  }

  func writer(in folder: String) throws(NetconvError) -> any ContainerWriter {
    try GraphFileWriter(
      ONNXContainer.file, file.bytes, file.places.map { ($0.key, $0.offset, $0.count) }, entries,
      dataFile: file.hasDataBeside ? ONNXContainer.dataFile : nil, in: folder)
  }
}

extension NetconvError {
  fileprivate static let noGraphForONNX = NetconvError(
    .usage,
    "an ONNX file is a graph with its weights, but there are only weights; write them into a file that ends in .npz"
  )

  fileprivate static func unwrittenOperatorSet(_ version: Int) -> NetconvError {
    let opsets = ONNXGraph.opsets
    return NetconvError(
      .usage,
      "an ONNX graph is written in the operator sets \(opsets.lowerBound) to \(opsets.upperBound), not \(version)"
    )
  }

  fileprivate static let tooManyBytesForONNX = NetconvError(
    .usage,
    "an ONNX file is limited to 2 GB, but these weights are larger; name a folder, which stores them beside the graph"
  )
}

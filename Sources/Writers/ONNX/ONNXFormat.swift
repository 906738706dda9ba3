import Documents
import Files
import ModelIR
import ONNXExport

extension ONNXContainer: WritableContainer {
  static func layout(
    of contents: ContainerContents
  ) throws(NetconvError) -> any ContainerLayout {
    guard case .model(let model) = contents.network else { throw .noGraphForONNX }
    let opset = contents.graph.opset ?? ONNXGraph.opsets.lowerBound
    guard ONNXGraph.opsets.contains(opset) else { throw .unwrittenOperatorSet(opset) }
    let graph = try ONNXGraph(
      model, stored: contents.stored, channelsFirst: contents.graph.channelsFirst, opset: opset)
    let file = ONNXFile(graph, dataFile: ONNXContainer.dataFile)
    if file.hasDataBeside, contents.graph.isAlone { throw .tooManyBytesForONNX }
    return GraphFileLayout(
      name: ONNXContainer.file, bytes: file.bytes,
      values: file.places.map { ($0.key, $0.offset, $0.count) }, entries: contents.entries,
      dataFile: file.hasDataBeside ? ONNXContainer.dataFile : nil)
  }

  /// Any file written by netconv.
  static var replaceable: ReplaceableFile {
    ReplaceableFile("a file") { file throws(NetconvError) in
      try ONNXFile.recognizes(file.prefix(ONNXFile.prefixCount))
    }
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

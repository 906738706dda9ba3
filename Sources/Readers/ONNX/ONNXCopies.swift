import Documents
import ModelIR
import ONNXExport
import ProtocolBuffers

extension GraphCopies {
  /// The ONNX file in `folder`, with inputs and outputs in either order; `nil` if it was not written, or is missing.
  static func onnx(
    _ manifest: Manifest, _ network: Network, in folder: String, there names: [String]
  ) -> GraphCopies? {
    GraphCopies(.onnx, manifest, network, in: folder, there: names) {
      model, stored throws(NetconvError) in
      // A damaged file is none that was written.
      guard let opset = try? operatorSet(in: folder),
        ONNXExport.ONNXGraph.opsets.contains(opset)
      else { return [] }
      return try [false, true].map { channelsFirst throws(NetconvError) in
        let file = ONNXFile(
          try ONNXExport.ONNXGraph(
            model, stored: stored, channelsFirst: channelsFirst, opset: opset),
          dataFile: ONNXContainer.dataFile)
        return WrittenGraph(
          count: file.count, bytes: file.bytes,
          places: file.places.map { ($0.key, $0.offset, $0.count) },
          dataFile: file.hasDataBeside ? ONNXContainer.dataFile : nil)
      }
    }
  }

  /// The operator set that the ONNX file in `folder` states.
  private static func operatorSet(in folder: String) throws(NetconvError) -> Int {
    let file = try ContainedPath(ONNXContainer.file, in: folder).open()
    let model = try ONNXModel(
      WireBytes(file).message("ModelProto"), external: ONNXExternalFiles(folder: folder))
    return model.opsets.version(of: "")
  }
}

import Documents
import Files
import ModelIR
import ONNXExport
import ProtocolBuffers

extension GraphCopies {
  /// The ONNX file in `folder`, with inputs and outputs in either order; `nil` if it was not written, or is missing.
  static func onnx(
    _ manifest: Manifest, _ network: Network, in folder: String, there names: [String]
  ) -> GraphCopies? {
    GraphCopies(.onnx, manifest, network, in: folder, there: names) {
      model, stored, file throws(NetconvError) in
      // A damaged file is none that was written.
      guard let opset = try? operatorSet(of: file, in: folder),
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

  /// The operator set that an ONNX file in `folder` states.
  private static func operatorSet(
    of file: RandomAccessFile, in folder: String
  ) throws(NetconvError) -> Int {
    let model = try ONNXModel(
      WireBytes(file).message("ModelProto"), external: ONNXExternalFiles(folder: folder))
    return model.opsets.version(of: "")
  }
}

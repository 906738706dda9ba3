import Documents
import ModelIR
import ONNXExport

extension GraphCopies {
  /// The ONNX file in `folder`, with inputs and outputs in either order; `nil` if it was not written, or is missing.
  static func onnx(
    _ manifest: Manifest, _ network: Network, in folder: String, there names: [String]
  ) -> GraphCopies? {
    GraphCopies(.onnx, manifest, network, in: folder, there: names) {
      model, stored throws(NetconvError) in
      try [false, true].map { channelsFirst throws(NetconvError) in
        let file = ONNXFile(
          try ONNXExport.ONNXGraph(model, stored: stored, channelsFirst: channelsFirst),
          dataFile: ONNXContainer.dataFile)
        return WrittenGraph(
          count: file.count, bytes: file.bytes,
          places: file.places.map { ($0.key, $0.offset, $0.count) },
          dataFile: file.hasDataBeside ? ONNXContainer.dataFile : nil)
      }
    }
  }
}

import Documents
import ModelIR
import TFLiteExport

extension GraphCopies {
  /// The TensorFlow Lite file in `folder`; `nil` if it was not written, or is missing.
  static func tflite(
    _ manifest: Manifest, _ network: Network, in folder: String, there names: [String]
  ) -> GraphCopies? {
    GraphCopies(.tflite, manifest, network, in: folder, there: names) {
      model, stored, _ throws(NetconvError) in
      let file = TFLiteFile(try TFLiteGraph(model, stored: stored))
      return [
        WrittenGraph(
          count: file.count, bytes: file.bytes,
          places: file.places.map { ($0.key, $0.offset, $0.count) })
      ]
    }
  }
}

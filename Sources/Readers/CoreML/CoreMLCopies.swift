import CoreMLExport
import Documents
import ModelIR

extension GraphCopies {
  /// The package in `folder`, with inputs and outputs in either order; `nil` if it was not written, or is missing.
  static func coreml(
    _ manifest: Manifest, _ network: Network, in folder: String, there names: [String]
  ) -> GraphCopies? {
    GraphCopies(.coreml, manifest, network, in: folder, there: names) {
      model, stored, _ throws(NetconvError) in
      try [false, true].map { channelsFirst throws(NetconvError) in
        let package = CoreMLPackage(
          try MILProgram(model, stored: stored, channelsFirst: channelsFirst))
        let weights = CoreMLContainer.folder + "/" + CoreMLContainer.weights
        return WrittenGraph(
          count: package.model.count, bytes: [(0, package.model)],
          places: package.places.map { ($0.key, $0.offset, $0.count) },
          dataFile: package.weights.isEmpty ? nil : weights,
          data: (package.weightCount, package.weights))
      }
    }
  }
}

import Documents
import ModelIR
import Readers

/// The names of a source's tensors in containers; for sources that netconv wrote, not the paths of their files.
struct ContainerNames {
  private let records: [String: String]

  /// Collects the names of the tensors of `source`.
  init(_ source: ReadSource) {
    records = Dictionary(
      (source.converted?.manifest.tensors ?? []).flatMap { record in
        record.places.values.flatMap { place in
          [place.path, place.tensor].compactMap(\.self).map { ($0, record.name) }
        }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the name that a container has, or would have, for `tensor`.
  func name(of tensor: Tensor) -> String { name(ofPath: tensor.stored.path) }

  /// Returns the name that a container has, or would have, for the tensor at `path`.
  func name(ofPath path: String) -> String {
    if let name = records[path] { return name }
    // In a container that holds its graph, paths begin with the name of the container.
    let parts = path.split(separator: ":", maxSplits: 1)
    let isContainer =
      parts.count == 2
      && OutputFormat.allCases.contains { $0.ending.map(parts[0].hasSuffix) ?? false }
    return String((isContainer ? parts[1] : path[...]).drop { $0 == "/" })
  }
}

import Documents
import ModelIR
import Readers

/// What containers call the tensors of a source: of what netconv wrote, not the paths of their files.
struct ContainerNames {
  private let records: [String: String]

  /// The names of the tensors of `source`.
  init(_ source: ReadSource) {
    records = Dictionary(
      (source.converted?.manifest.tensors ?? []).flatMap { record in
        record.places.values.flatMap { place in
          [place.path, place.tensor].compactMap(\.self).map { ($0, record.name) }
        }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// What a container calls `tensor`, or would call it.
  func name(of tensor: Tensor) -> String {
    let path = tensor.stored.path
    if let name = records[path] { return name }
    // A container that holds its graph is named in front of its tensors.
    let parts = path.split(separator: ":", maxSplits: 1)
    let isContainer =
      parts.count == 2
      && OutputFormat.allCases.contains { $0.ending.map(parts[0].hasSuffix) ?? false }
    return String((isContainer ? parts[1] : path[...]).drop { $0 == "/" })
  }
}

import HDF5
import ModelIR

/// The HDF5 files that hold weights in Keras's own format: one, or several among which its groups are shared out.
struct KerasWeightFiles {
  private let files: [HDF5File]

  /// These, in which no array is twice.
  ///
  /// - Throws: as ``HDF5File/checkNames()``.
  init(_ files: [HDF5File]) throws(NetconvError) {
    self.files = files
  }

  /// Whether one of the files has something at `path`.
  func holds(_ path: String) -> Bool { files.contains { $0[path] != nil } }

  /// The array at `path`; `nil` if no file has one there.
  func array(at path: String) -> Array? {
    files.lazy.compactMap { file in file[path]?.dataset.map { Array(file: file, entry: $0) } }.first
  }

  /// All arrays.
  var arrays: [Array] {
    files.flatMap { file in file.datasets.map { Array(file: file, entry: $0) } }
  }

  /// The paths of all groups.
  var groups: [String] { unique(files.flatMap { $0.objects.compactMap(\.group?.path) }) }

  /// The paths of the groups in the group at `path`.
  func groups(in path: String) -> [String] {
    unique(
      files.flatMap { file in (file[path]?.group?.children ?? []).compactMap(\.group?.path) })
  }

  /// The attribute `name` at `path`; `nil` if no file has it, or it is no text.
  func string(_ name: String, at path: String) -> String? {
    files.lazy.compactMap { file in (try? file.string(name, at: path)) ?? nil }.first
  }

  private func unique(_ paths: [String]) -> [String] {
    guard files.count > 1 else { return paths }
    var seen: Set<String> = []
    return paths.filter { seen.insert($0).inserted }
  }

  /// An array, and the file that holds it.
  struct Array {
    fileprivate let file: HDF5File
    fileprivate let entry: HDF5DatasetEntry

    /// Where it is in the file.
    var path: String { entry.path }

    /// The values.
    ///
    /// - Parameter opaqueType: What they are if neither HDF5 nor Keras says it.
    /// - Throws: `badData` if they are no numbers that netconv can decode.
    func stored(opaqueType: ElementType?) throws(NetconvError) -> StoredTensor {
      // Keras 3 notes the type of values that HDF5 has no type for.
      let noted = try file.string("dtype", at: entry.path).flatMap(ElementType.init)
      let dataset = try file.dataset(entry, opaqueType: noted ?? opaqueType)
      return StoredTensor(source: dataset, layout: nil, shape: dataset.shape, path: entry.path)
    }
  }
}

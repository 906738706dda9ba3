import HDF5
import ModelIR

/// One or more HDF5 files with weights in Keras's own format; several files share its groups among them.
struct KerasWeightFiles {
  private let files: [HDF5File]

  /// Groups the files of a checkpoint, which must not have arrays in common.
  init(_ files: [HDF5File]) throws(NetconvError) {
    self.files = files
  }

  /// Returns true if one of the files has an object at `path`.
  func holds(_ path: String) -> Bool { files.contains { $0[path] != nil } }

  /// Returns the array at `path`; `nil` if no file has one.
  func array(at path: String) -> Array? {
    files.lazy.compactMap { file in file[path]?.dataset.map { Array(file: file, entry: $0) } }.first
  }

  var arrays: [Array] {
    files.flatMap { file in file.datasets.map { Array(file: file, entry: $0) } }
  }

  var groups: [String] { unique(files.flatMap { $0.objects.compactMap(\.group?.path) }) }

  /// Returns the paths of the groups in the group at `path`.
  func groups(in path: String) -> [String] {
    unique(
      files.flatMap { file in (file[path]?.group?.children ?? []).compactMap(\.group?.path) })
  }

  /// Returns the attribute `name` at `path`; `nil` if no file has it, or it is not a string.
  func string(_ name: String, at path: String) -> String? {
    files.lazy.compactMap { file in (try? file.string(name, at: path)) ?? nil }.first
  }

  private func unique(_ paths: [String]) -> [String] {
    guard files.count > 1 else { return paths }
    var seen: Set<String> = []
    return paths.filter { seen.insert($0).inserted }
  }

  /// An array and its file.
  struct Array {
    fileprivate let file: HDF5File
    fileprivate let entry: HDF5DatasetEntry

    /// The path in the file.
    var path: String { entry.path }

    /// Returns the values.
    ///
    /// - Parameter opaqueType: The element type if neither HDF5 nor Keras states it.
    /// - Throws: `badData` if the values cannot be decoded as numbers.
    func stored(opaqueType: ElementType?) throws(NetconvError) -> StoredTensor {
      // Keras 3 stores the type of values for which HDF5 has none.
      let noted = try file.string("dtype", at: entry.path).flatMap(ElementType.init)
      let dataset = try file.dataset(entry, opaqueType: noted ?? opaqueType)
      return StoredTensor(source: dataset, layout: nil, shape: dataset.shape, path: entry.path)
    }
  }
}

import Files
import ModelIR

/// An HDF5 file that is open for reading, with its tree in memory and its data on disk.
///
/// The tree (groups, links, attributes and dataset metadata) is read once. Other files are never opened, even if this
/// one refers to them, and no lock is acquired.
public struct HDF5File: Sendable {
  /// The path of the file.
  public let path: String
  let index: HDF5Index
  private let window: HDF5Window
  private let reader: any ValueReader

  /// Opens the file at `path` and reads its tree.
  ///
  /// - Throws: `cannotOpen` if there is no such file or it cannot be opened; `badData` if it is not an HDF5 file, is
  ///   truncated or damaged, or exceeds the limits in ``HDF5Limits``.
  public init(path: String) throws(NetconvError) {
    try self.init(RandomAccessFile(path: path))
  }

  /// Reads the tree of an HDF5 file, which may be part of another file, such as an entry of a ZIP archive.
  ///
  /// - Parameters:
  ///   - file: The file, which stays open as long as this value exists.
  ///   - window: The byte range of the HDF5 file; by default the whole file.
  /// - Throws: `badData` if the bytes are not an HDF5 file, are truncated or damaged, or exceed the limits in
  ///   ``HDF5Limits``.
  public init(_ file: RandomAccessFile, window: Range<Int>? = nil) throws(NetconvError) {
    try self.init(file, window: window, through: Self.connection)
  }

  /// Opens the file in the helper process of `connection`, or in this process if that is `nil`.
  package init(
    _ file: RandomAccessFile, window: Range<Int>? = nil, through connection: HDF5Connection?
  ) throws(NetconvError) {
    path = file.path
    let opened = try placing(file: path) { () throws(NetconvError) in
      let opened = try HDF5Opening.open(HDF5Window(file, window: window), through: connection)
      try opened.index.checkClaims(fileSize: opened.window.size)
      return opened
    }
    (self.window, reader, index) = (opened.window, opened.reader, opened.index)
  }

  /// The root group.
  public var root: HDF5Group {
    HDF5Group(index: index, number: HDF5Index.root)
  }

  /// Every object once, at its shortest path; groups precede their contents, which are sorted by name.
  public var objects: [HDF5Object] {
    index.numbersInPathOrder.map(index.object)
  }

  /// Every dataset once, at its shortest path, in order of names.
  public var datasets: [HDF5DatasetEntry] {
    objects.compactMap(\.dataset)
  }

  /// Returns the object at `path`, following hard and soft links.
  ///
  /// - Returns: `nil` if there is none, or the link is dangling or external.
  public subscript(path: String) -> HDF5Object? {
    root[path]
  }

  /// Returns the values at `path`, following hard and soft links.
  ///
  /// - Parameters:
  ///   - path: The path from the root.
  ///   - opaqueType: The type of opaque little-endian values, if the caller knows it.
  /// - Throws: `badData` if there is no dataset, or its values are not numbers in this file that netconv can decode.
  public func dataset(
    at path: String, opaqueType: ElementType? = nil
  ) throws(NetconvError) -> HDF5Dataset {
    let found = try placing(tensor: path, file: self.path) { () throws(NetconvError) in
      switch index.resolve(path, from: HDF5Index.root) {
      case .object(let number): index.object(number)
      case let failure: throw index.error(for: failure)
      }
    }
    guard case .dataset(let entry) = found else {
      throw .notADataset(found).inTensor(path).inFile(self.path)
    }
    return try dataset(entry, opaqueType: opaqueType)
  }

  /// Returns the values of a dataset in this file.
  ///
  /// - Parameters:
  ///   - entry: The dataset.
  ///   - opaqueType: The type of opaque little-endian values, if the caller knows it.
  /// - Throws: `badData` if the values are not numbers in this file that netconv can decode.
  public func dataset(
    _ entry: HDF5DatasetEntry, opaqueType: ElementType? = nil
  ) throws(NetconvError) -> HDF5Dataset {
    try placing(tensor: entry.path, file: path) { () throws(NetconvError) in
      try HDF5Dataset(entry, in: window, reader, opaqueType: opaqueType)
    }
  }
}

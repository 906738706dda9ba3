import Files
import ModelIR

/// An HDF5 file, opened for reading: its tree in memory, its data where it was.
///
/// The tree (groups, links, attributes, and what each dataset is like) is read once. No other file is
/// opened for it, whatever this one refers to, and no lock is taken.
public struct HDF5File: Sendable {
  /// The file's path, as it was opened.
  public let path: String
  let index: HDF5Index
  private let window: HDF5Window
  private let reader: any ValueReader

  /// Opens the file at `path` and reads its tree.
  ///
  /// - Throws: `cannotOpen` if there is no such file or it cannot be opened; `badData` if it is not an
  ///   HDF5 file, is cut off or damaged, or holds more than the limits in ``HDF5Limits``.
  public init(path: String) throws(NetconvError) {
    try self.init(RandomAccessFile(path: path))
  }

  /// Reads the tree of a file that is, or a part of which is, an HDF5 file, such as an entry of a ZIP
  /// archive.
  ///
  /// - Parameters:
  ///   - file: stays open as long as this does.
  ///   - window: the bytes of the file that are the HDF5 file; all of them by default.
  /// - Throws: `badData` if the bytes are not an HDF5 file, are cut off or damaged, or hold more than the
  ///   limits in ``HDF5Limits``.
  public init(_ file: RandomAccessFile, window: Range<Int>? = nil) throws(NetconvError) {
    try self.init(file, window: window, through: Self.connection)
  }

  /// The same, read by the process that `connection` leads to, or by this one.
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

  /// The group that holds everything.
  public var root: HDF5Group {
    HDF5Group(index: index, number: HDF5Index.root)
  }

  /// Every object, each once, at its shortest path; a group, then what it holds, in name order.
  public var objects: [HDF5Object] {
    index.numbersInPathOrder.map(index.object)
  }

  /// Every dataset, each once, at its shortest path, in name order.
  public var datasets: [HDF5DatasetEntry] {
    objects.compactMap(\.dataset)
  }

  /// The object at `path`, through hard and soft links.
  ///
  /// - Returns: `nil` if there is none, or only a link that leads nowhere or out of the file.
  public subscript(path: String) -> HDF5Object? {
    root[path]
  }

  /// The values at `path`, through hard and soft links.
  ///
  /// - Parameters:
  ///   - path: from the root on.
  ///   - opaqueType: what opaque values are, little-endian, if the caller knows.
  /// - Throws: `badData` if there is no dataset, or its values are not plain numbers in this file that
  ///   netconv can decode.
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

  /// The values of a dataset of this file.
  ///
  /// - Parameters:
  ///   - entry: the dataset.
  ///   - opaqueType: what opaque values are, little-endian, if the caller knows.
  /// - Throws: `badData` if they are not plain numbers in this file that netconv can decode.
  public func dataset(
    _ entry: HDF5DatasetEntry, opaqueType: ElementType? = nil
  ) throws(NetconvError) -> HDF5Dataset {
    try placing(tensor: entry.path, file: path) { () throws(NetconvError) in
      try HDF5Dataset(entry, in: window, reader, opaqueType: opaqueType)
    }
  }
}

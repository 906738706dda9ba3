import Files
import ModelIR

/// The global heap of a file, which stores variable-length values in collections of numbered objects.
///
/// The heap is not read through libhdf5, because that trusts the sizes in a collection: damaged sizes make it write
/// out of bounds, or loop forever.
///
/// Source: HDF5 File Format Specification 3.0, III.E "Disk Format: Level 1E - Global Heap".
package struct GlobalHeap {
  /// The byte ranges of a collection's objects by index.
  private typealias Collection = [Int: Range<Int>]

  /// The sizes of addresses and lengths in the file.
  package let widths: Widths
  private let file: HDF5Window
  /// The base address.
  private let base: Int
  /// The cached collections by address.
  private var collections: [Int: Collection] = [:]
  /// The number of cached objects, to limit memory.
  private var keptCount = 0
  /// The number of objects that may still be read.
  private var remainingCount = HDF5Limits.heapObjectCount

  /// The maximum number of cached objects.
  private static let largestKeptCount = 1 << 20

  /// Creates the heap of the HDF5 file in `file`, whose addresses are relative to `base`.
  init(_ file: HDF5Window, base: Int, widths: Widths) {
    self.file = file
    self.base = base
    self.widths = widths
  }

  /// Creates the heap of an HDF5 file that starts at the beginning of `file`.
  package init(_ file: RandomAccessFile, widths: Widths) throws(NetconvError) {
    self.init(try HDF5Window(file), base: 0, widths: widths)
  }

  /// Returns the string of `reference` up to the first NUL; invalid UTF-8 is repaired.
  ///
  /// - Throws: `badData` if there is no such object, or its length differs.
  package mutating func text(_ reference: Reference) throws(NetconvError) -> String {
    // An unwritten reference is all zeros, and an empty string needs no object.
    guard reference.length > 0 else { return "" }
    guard let address = Int(exactly: reference.address), address > 0, address < file.size - base
    else { throw .heapOutOfReach(reference.address) }
    guard let place = try collection(at: address)[reference.index] else {
      throw .noHeapObject(reference.index, address: address)
    }
    guard place.count == reference.length else {
      throw .heapObjectOfOtherSize(place.count, expected: reference.length)
    }
    let bytes = try file.bytes(at: base + place.lowerBound, count: place.count)
    guard bytes.count == place.count else { throw .changedWhileOpen() }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).exact
  }

  private mutating func collection(at address: Int) throws(NetconvError) -> Collection {
    if let known = collections[address] { return known }
    let collection = try objects(at: address)
    if keptCount + collection.count > Self.largestKeptCount {
      collections = [:]
      keptCount = 0
    }
    keptCount += collection.count
    collections[address] = collection
    return collection
  }

  /// Reads the object headers of the collection at `address`.
  private mutating func objects(at address: Int) throws(NetconvError) -> Collection {
    var headers = HeaderWindow(file: file, base: base, widths: widths)
    let end = try headers.endOfCollection(at: address)
    var objects: Collection = [:]
    var place = address + widths.collectionHeader
    // A remainder smaller than a header is unused.
    while end - place >= widths.objectHeader {
      let (index, size) = try headers.object(at: place)
      remainingCount -= 1
      guard remainingCount >= 0 else { throw .tooManyHeapObjects() }
      if index == 0 {
        // The size of free space includes the header.
        guard let size = Int(exactly: size), size >= widths.objectHeader, size <= end - place else {
          throw .heapObjectTooLarge(index, size: size, address: address)
        }
        place += size
        continue
      }
      let start = place + widths.objectHeader
      guard let size = Int(exactly: size), size <= end - start else {
        throw .heapObjectTooLarge(index, size: size, address: address)
      }
      guard objects.updateValue(start..<start + size, forKey: index) == nil else {
        throw .heapObjectTwice(index, address: address)
      }
      place = start + Widths.aligned(size)
    }
    return objects
  }
}

/// Reads the headers of a collection; most collections fit in one read.
private struct HeaderWindow {
  let file: HDF5Window
  let base: Int
  let widths: GlobalHeap.Widths
  private var bytes: [UInt8] = []
  private var start = 0

  /// The size of the smallest collection that libhdf5 writes.
  private static let size = 4096
  private static let signature = Array("GCOL".utf8)

  init(file: HDF5Window, base: Int, widths: GlobalHeap.Widths) {
    self.file = file
    self.base = base
    self.widths = widths
  }

  /// Returns the end of the collection at `address`.
  mutating func endOfCollection(at address: Int) throws(NetconvError) -> Int {
    let header = try header(at: address, count: widths.collectionHeader)
    guard header.starts(with: Self.signature) else { throw .noHeapCollection(address) }
    let version = header[header.startIndex + 4]
    guard version == 1 else { throw .heapVersion(version, address: address) }
    let size = widths.length(in: header.dropFirst(8))
    guard let size = Int(exactly: size), size >= widths.collectionHeader,
      size <= file.size - base - address
    else { throw .heapCollectionOfSize(size, address: address) }
    return address + size
  }

  /// Returns the index and size in the object header at `place`.
  mutating func object(at place: Int) throws(NetconvError) -> (index: Int, size: UInt64) {
    let header = try header(at: place, count: widths.objectHeader)
    return (Int(littleEndian(header.prefix(2))), widths.length(in: header.dropFirst(8)))
  }

  private mutating func header(
    at place: Int, count: Int
  ) throws(NetconvError) -> ArraySlice<UInt8> {
    if place < start || place - start > bytes.count - count {
      bytes = try file.bytes(at: base + place, count: Self.size)
      start = place
    }
    guard bytes.count - (place - start) >= count else {
      throw .noHeapCollection(place)
    }
    return bytes[place - start..<place - start + count]
  }
}

extension NetconvError {
  fileprivate static func heapOutOfReach(_ address: UInt64) -> NetconvError {
    NetconvError(.badData, "damaged: its text is at address \(address), which is not in the file")
  }
}

import Confinement
import Files
import ModelIR

/// The helper process that reads HDF5 files.
package struct HDF5Service: HelperService {
  /// A chunk can have up to 4 GiB and is decoded into a second buffer, which takes fifteen seconds.
  package static let purpose = HelperPurpose(
    argument: "read-hdf5", greeting: "netconv HDF5 1", deed: "HDF5 files are read",
    name: "the process that reads HDF5 files", roomSize: ValueSlots.size,
    largestAnswer: 2 << 30, addressSpace: 12 << 30, processorTime: 30)

  private let memory: HelperMemory
  private var files: [Int: LibraryFile] = [:]

  package init(memory: HelperMemory) {
    self.memory = memory
  }

  /// Loads libhdf5.
  package static func prepare() throws(NetconvError) {
    try HDF5Library.withLock { () throws(NetconvError) in }
  }

  package mutating func answer(_ request: [UInt8], _ file: Int32) throws -> [[UInt8]] {
    switch try HDF5Request(request) {
    case .open(let number, let base, let size, let path, let wantsIndex):
      return [try open(number, base..<base + size, file, path, wantsIndex)]
    case .read(let number, let values, let range, let slot):
      try read(number, values, range, slot)
      return [HDF5Answer.doneBytes]
    case .close(let number):
      files[number] = nil
      return []
    }
  }

  private mutating func open(
    _ number: Int, _ window: Range<Int>, _ descriptor: Int32, _ path: String, _ wantsIndex: Bool
  ) throws(NetconvError) -> [UInt8] {
    memory.announce("")
    let file = RandomAccessFile(descriptor, size: window.upperBound, as: path)
    let opened = try HDF5Opening.library(HDF5Window(file, window: window))
    files[number] = opened
    guard wantsIndex else { return HDF5Answer.doneBytes }
    let memory = memory
    return HDF5Answer.bytes(
      of: try IndexBuilder.index(of: opened) { path in
        memory.announce(path)
        if memory.step % 256 == 0 { HelperServer.allowTime(for: Self.purpose) }
      })
  }

  private func read(
    _ number: Int, _ values: StoredValues, _ range: Range<Int>, _ slot: Int
  ) throws(NetconvError) {
    memory.announce(values.path)
    let byteCount = try product([range.count, values.byteCount])
    guard let file = files[number], 0..<ValueSlots.count ~= slot, byteCount <= ValueSlots.slotSize
    else { throw .libraryNotUsable("") }
    try file.read(
      range, of: values,
      into: UnsafeMutableRawBufferPointer(rebasing: memory.slot(slot)[..<byteCount]))
  }
}

/// Slots for values in the shared memory: one is filled while the other is used.
enum ValueSlots {
  /// The size of a slot in bytes.
  static let slotSize = 512 << 10
  static let count = 2
  /// The total size in bytes.
  static let size = count * slotSize
}

extension HelperMemory {
  /// Returns the memory of the slot with the index `slot`.
  func slot(_ slot: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(
      rebasing: room[slot * ValueSlots.slotSize..<(slot + 1) * ValueSlots.slotSize])
  }
}

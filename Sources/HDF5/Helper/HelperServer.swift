internal import CSystemCalls
import Files
internal import Memory
import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The process that reads HDF5 files for another: it loads libhdf5, gives up all that it does not need for reading what it
/// is handed, and answers until nobody asks.
package enum HelperServer {
  /// The argument that makes a program this process.
  package static let argument = "read-hdf5"

  /// Bytes of address space; a chunk may have up to 4 GiB, and is unpacked from another one.
  private static let addressSpace: UInt64 = 12 << 30
  /// Seconds of processor time for one step; a chunk of 4 GiB takes fifteen.
  private static let patience: UInt32 = 30

  /// Serves, and ends the process; returns only if nobody has started it for that.
  package static func run() {
    guard let memory = netconv_shared_memory(HelperMemory.size) else { return }
    netconv_confine_resources(addressSpace)
    guard netconv_end_with(STDIN_FILENO) == 0 else { return }
    let socket = HelperSocket(descriptor: STDIN_FILENO)
    do {
      try serve(Session(memory: HelperMemory(memory), patience: patience), socket)
    } catch {}
    // At once: what a damaged file has left in the library could go wrong in its last moments.
    _exit(0)
  }

  private static func serve(_ session: consuming Session, _ socket: HelperSocket) throws {
    do throws(NetconvError) {
      try HDF5Library.withLock { () throws(NetconvError) in }
    } catch {
      return try socket.send(HelperAnswer.failed(error).bytes)
    }
    MachineMemory.confine()
    try socket.send(HelperAnswer.ready(filterError: netconv_confine_calls()).bytes)
    while true {
      let (bytes, descriptor) = try socket.receive { () throws(Never) in }
      netconv_limit_processor_time(patience)
      if let answer = session.answer(try HelperRequest(bytes), descriptor) {
        try socket.send(answer)
      }
    }
  }
}

/// The files that are open.
private struct Session {
  let memory: HelperMemory
  let patience: UInt32
  private var files: [Int: LibraryFile] = [:]

  init(memory: HelperMemory, patience: UInt32) {
    self.memory = memory
    self.patience = patience
  }

  /// Does what is asked for.
  ///
  /// - Returns: what to answer, if anything.
  mutating func answer(_ request: HelperRequest, _ descriptor: Int32) -> [UInt8]? {
    do throws(NetconvError) {
      switch request {
      case .open(let number, let base, let size, let path, let wantsIndex):
        return try open(number, base..<base + size, descriptor, path, wantsIndex)
      case .read(let number, let values, let range, let slot):
        try read(number, values, range, slot)
        return HelperAnswer.done.bytes
      case .close(let number):
        files[number] = nil
        return nil
      }
    } catch {
      return HelperAnswer.failed(error).bytes
    }
  }

  private mutating func open(
    _ number: Int, _ window: Range<Int>, _ descriptor: Int32, _ path: String, _ wantsIndex: Bool
  ) throws(NetconvError) -> [UInt8] {
    memory.announce("")
    let file = RandomAccessFile(descriptor, size: window.upperBound, as: path)
    let opened = try HDF5Opening.library(FileWindow(file, window: window))
    files[number] = opened
    guard wantsIndex else { return HelperAnswer.done.bytes }
    let (memory, patience) = (memory, patience)
    return HelperAnswer.bytes(
      of: try IndexBuilder.index(of: opened) { path in
        memory.announce(path)
        if memory.step % 256 == 0 { netconv_limit_processor_time(patience) }
      })
  }

  private func read(
    _ number: Int, _ values: StoredValues, _ range: Range<Int>, _ slot: Int
  ) throws(NetconvError) {
    memory.announce(values.path)
    let byteCount = try product([range.count, values.byteCount])
    guard let file = files[number], 0..<HelperMemory.slotCount ~= slot,
      byteCount <= HelperMemory.slotSize
    else { throw .libraryNotUsable("") }
    try file.read(
      range, of: values,
      into: UnsafeMutableRawBufferPointer(rebasing: memory.slot(slot)[..<byteCount]))
  }
}

internal import CSystemCalls

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Messages over a socket: eight bytes that say how long each is, then as many.
struct HelperSocket {
  /// The system's number.
  let descriptor: Int32

  /// The other side is gone, or what it sends is no message.
  enum Failure: Error {
    case closed
    case malformed
  }

  /// More than any answer can take.
  private static let largest = 2 << 30

  func send(_ bytes: [UInt8], with file: Int32 = -1) throws(Failure) {
    let length = (0..<8).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
    let code = (length + bytes).withUnsafeBytes {
      netconv_socket_send(descriptor, $0.baseAddress, $0.count, file)
    }
    guard code == 0 else { throw .closed }
  }

  /// The next message, and the descriptor that came with it.
  ///
  /// - Parameter wait: called before each wait for more.
  func receive<Stop: Error>(
    _ wait: () throws(Stop) -> Void
  ) throws -> (bytes: [UInt8], file: Int32) {
    var file: Int32 = -1
    let length = try receive(8, &file, wait)
    let count = Int(clamping: littleEndian(length[...]))
    guard count <= Self.largest else { throw Failure.malformed }
    return (try receive(count, &file, wait), file)
  }

  /// `count` bytes; room is made for what has come, not for what was promised.
  private func receive<Stop: Error>(
    _ count: Int, _ file: inout Int32, _ wait: () throws(Stop) -> Void
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      try wait()
      let wanted = min(count - bytes.count, 1 << 18)
      var received: Int32 = -1
      var outcome = 0
      let part = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initializedCount in
        outcome = netconv_socket_receive(descriptor, buffer.baseAddress, wanted, &received)
        initializedCount = max(0, outcome)
      }
      if received >= 0 {
        if file >= 0 { close(file) }
        file = received
      }
      guard outcome > 0 else { throw Failure.closed }
      if bytes.isEmpty, part.count == count { return part }
      bytes += part
    }
    return bytes
  }
}

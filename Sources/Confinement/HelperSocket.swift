internal import CSystemCalls

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Messages over a socket: an 8-byte length followed by the contents.
struct HelperSocket {
  /// The file descriptor of the socket.
  let descriptor: Int32

  /// The peer has closed the socket, or sent an invalid message.
  enum Failure: Error {
    case closed
    case malformed
    /// The system call failed with this error number.
    case system(Int32)

    /// Creates the failure for an error number.
    init(_ code: Int32) {
      self = code == EPIPE || code == ECONNRESET ? .closed : .system(code)
    }
  }

  /// The size below which messages are sent together.
  private static let small = 1 << 16

  /// Sends a message, and a descriptor with it unless it is negative.
  func send(_ message: [UInt8], with file: Int32 = -1) throws(Failure) {
    try send([message], with: file)
  }

  /// Sends messages, and a descriptor with the first unless it is negative.
  func send(_ messages: [[UInt8]], with file: Int32 = -1) throws(Failure) {
    var file = file
    var pending: [UInt8] = []
    func flush() throws(Failure) {
      guard !pending.isEmpty else { return }
      try sendBytes(pending, with: file)
      (pending, file) = ([], -1)
    }
    for message in messages {
      pending += (0..<8).map { UInt8(truncatingIfNeeded: message.count >> (8 * $0)) }
      if message.count < Self.small {
        pending += message
      } else {
        try flush()
        try sendBytes(message, with: -1)
      }
    }
    try flush()
  }

  private func sendBytes(_ bytes: [UInt8], with file: Int32) throws(Failure) {
    let code = bytes.withUnsafeBytes {
      netconv_socket_send(descriptor, $0.baseAddress, $0.count, file)
    }
    guard code == 0 else { throw Failure(code) }
  }

  /// Receives the next message and the descriptor that came with it.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of bytes.
  ///   - wait: Called before each wait for data.
  func receive<Stop: Error>(
    limit: Int, _ wait: () throws(Stop) -> Void
  ) throws -> (bytes: [UInt8], file: Int32) {
    var file: Int32 = -1
    let length = try receive(8, &file, wait)
    let count = Int(clamping: littleEndian(length[...]))
    guard count <= limit else { throw Failure.malformed }
    return (try receive(count, &file, wait), file)
  }

  /// Receives the next message, which must have `count` bytes; they are allocated in advance.
  ///
  /// - Parameter wait: Called before each wait for data.
  func receive<Stop: Error>(exactly count: Int, _ wait: () throws(Stop) -> Void) throws -> [UInt8] {
    var file: Int32 = -1
    let length = try receive(8, &file, wait)
    if file >= 0 { close(file) }
    guard Int(clamping: littleEndian(length[...])) == count else { throw Failure.malformed }
    var failure: (any Error)?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      do {
        while done < count {
          try wait()
          // The system closes a descriptor for which there is no buffer.
          let outcome = netconv_socket_receive(
            descriptor, buffer.baseAddress.map { $0 + done }, min(count - done, 1 << 20), nil)
          guard outcome > 0 else { throw outcome == 0 ? .closed : Failure(errno) }
          done += outcome
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Receives `count` bytes; memory is allocated as data arrives, not for the stated size.
  private func receive<Stop: Error>(
    _ count: Int, _ file: inout Int32, _ wait: () throws(Stop) -> Void
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      try wait()
      let wanted = min(count - bytes.count, 1 << 18)
      var received: Int32 = -1
      var outcome = 0
      var code: Int32 = 0
      let part = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initializedCount in
        outcome = netconv_socket_receive(descriptor, buffer.baseAddress, wanted, &received)
        if outcome < 0 { code = errno }
        initializedCount = max(0, outcome)
      }
      if received >= 0 {
        if file >= 0 { close(file) }
        file = received
      }
      guard outcome > 0 else { throw outcome == 0 ? .closed : Failure(code) }
      if bytes.isEmpty, part.count == count { return part }
      bytes += part
    }
    return bytes
  }
}

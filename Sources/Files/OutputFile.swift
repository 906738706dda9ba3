internal import CSystemCalls
import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A new file that is written at any place.
public final class OutputFile: Sendable {
  /// Where it is.
  public let path: String

  /// The system's number for the file, for libraries that read it themselves.
  public let descriptor: Int32

  /// Creates a file that must not exist yet.
  ///
  /// - Throws: `cannotCreate`.
  public init(creating path: String) throws(NetconvError) {
    descriptor = open(path.plain, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .cannotCreate(path, errno) }
    self.path = path
  }

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// Creates a file without a name, which is gone when the last reference goes.
  ///
  /// - Throws: `cannotCreate` if the folder for temporary files takes none.
  public static func temporary() throws(NetconvError) -> OutputFile {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    // One that never has a name is gone whatever happens.
    let unnamed = netconv_open_unnamed(folder)
    if unnamed >= 0 { return OutputFile(path: folder, descriptor: unnamed) }
    let name = String(UInt64.random(in: .min ... .max), radix: 36)
    let path = Directory.withoutTrailingSlashes(folder) + "/netconv-" + name
    let descriptor = open(path.plain, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .cannotCreate(path, errno) }
    unlink(path.plain)
    return OutputFile(path: path, descriptor: descriptor)
  }

  deinit {
    close(descriptor)
  }

  /// Checks that there is room for so many bytes more where the file is.
  ///
  /// - Throws: `inputOutput`.
  public func checkRoom(for byteCount: Int) throws(NetconvError) {
    guard let room = Directory.room(descriptor: descriptor), byteCount > room else { return }
    throw .noRoom(path, wanted: byteCount, found: room)
  }

  /// Fills `buffer` with what was written from `offset` on.
  ///
  /// - Throws: `inputOutput`.
  public func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(NetconvError) {
    let done: Int
    do throws(ReadFailure) {
      done = try readFully(descriptor, at: offset, into: buffer)
    } catch {
      throw .cannotRead(path, error.code)
    }
    guard done == buffer.count else { throw .cannotRead(path, EIO) }
  }

  /// Writes `buffer` at `offset`.
  ///
  /// - Throws: `inputOutput`, as on a full disk.
  public func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) throws(NetconvError) {
    var done = 0
    while done < buffer.count {
      let count = pwrite(
        descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(offset + done))
      if count < 0 {
        guard errno == EINTR else { throw .cannotWrite(path, errno) }
      } else {
        done += count
      }
    }
  }

  /// Writes `bytes` at `offset`.
  ///
  /// - Throws: `inputOutput`.
  public func write(_ bytes: [UInt8], at offset: Int) throws(NetconvError) {
    var failure: NetconvError?
    bytes.withUnsafeBytes { buffer in
      do throws(NetconvError) {
        try write(buffer, at: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}

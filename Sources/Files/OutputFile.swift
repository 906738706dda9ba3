internal import CSystemCalls
import ModelIR

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A new file that is written at arbitrary offsets.
public final class OutputFile: Sendable {
  /// The path of the file.
  public let path: String

  /// The file descriptor, for libraries that read the file themselves.
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

  /// Creates an unnamed temporary file, which is deleted when it is closed.
  ///
  /// - Throws: `cannotCreate` if the folder for temporary files is not writable.
  public static func temporary() throws(NetconvError) -> OutputFile {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    // A file that never has a name is deleted even after a crash.
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

  /// Checks that the file system has room for more bytes.
  ///
  /// - Throws: `inputOutput` if it has not.
  public func checkRoom(for byteCount: Int) throws(NetconvError) {
    guard let room = Directory.room(descriptor: descriptor), byteCount > room else { return }
    throw .noRoom(path, wanted: byteCount, found: room)
  }

  /// Fills `buffer` with the written bytes from `offset` on.
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
  /// - Throws: `inputOutput`, for example if the disk is full.
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

extension NetconvError {
  fileprivate static func cannotWrite(_ path: String, _ code: Int32) -> NetconvError {
    NetconvError(
      .inputOutput,
      code == ENOSPC || code == EFBIG || code == EDQUOT
        ? "cannot be written (\(systemMessage(code))); make room and run again"
        : "cannot be written (\(systemMessage(code)))"
    ).inFile(path)
  }
}

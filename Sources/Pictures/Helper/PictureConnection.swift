import Confinement
import Files
import ModelIR
import Synchronization

/// The connection to the process that decodes pictures.
///
/// The process starts with the first picture, and again after a failure. It ends with this object
/// or with the current process.
package final class PictureConnection: Sendable {
  private let helper: Mutex<Helper>

  /// Creates a connection without starting the process.
  package init(_ settings: HelperSettings) {
    helper = Mutex(Helper(PictureService.purpose, settings))
  }

  /// The identifier of the process, if it is running.
  package var processIdentifier: Int32? { helper.withLock { $0.processIdentifier } }

  /// Starts the process if it is not running, without waiting for it; errors are reported later.
  package func start() {
    helper.withLock { helper in try? helper.start() }
  }

  /// Decodes a PNG or JPEG.
  ///
  /// - Throws: The error that the process reports; `badData` if the process fails.
  func decode(
    _ file: RandomAccessFile, _ format: PictureFormat
  ) throws(NetconvError) -> StoredPicture {
    let answer = try helper.withLock { helper throws(NetconvError) in
      helper.endIfGone()
      try helper.start()
      return try helper.with(library: format.library ?? "") {
        process throws(HelperProcess.Failure) in
        process.send(PictureRequest(file).bytes, with: file.descriptor)
        return try Self.picture(from: process.reply(), process)
      }
    }
    return try answer.get()
  }

  private static func picture(
    from reply: HelperReply, _ process: HelperProcess
  ) throws(HelperProcess.Failure) -> Result<StoredPicture, NetconvError> {
    switch reply {
    case .failed(let error): return .failure(error)
    case .answer(let wire):
      guard let header = try? PictureHeader(answer: wire),
        let size = try? header.checkedByteCount()
      else { throw .nonsense }
      // This process holds the samples too, and converts them to floats.
      do throws(NetconvError) {
        try MemoryBound.check(file: header.decodedByteCount)
      } catch {
        return .failure(error)
      }
      return .success(StoredPicture(header: header, samples: try process.bytes(size)))
    case .ready: throw .nonsense
    }
  }
}

extension PictureFile {
  private static let current = CurrentConnection<PictureConnection>()

  /// The connection for pictures opened from now on; `nil`, the default, to decode in this process.
  package static var connection: PictureConnection? {
    get { current.value }
    set { current.value = newValue }
  }
}

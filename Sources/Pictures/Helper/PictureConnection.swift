import Confinement
import Files
import ModelIR
import Synchronization

/// The process that decodes pictures, as the one that uses it sees it.
///
/// It is started with the first picture, and again after it has failed; it ends with this object, or with this process.
package final class PictureConnection: Sendable {
  private let helper: Mutex<Helper>

  /// Nothing is started yet.
  package init(_ settings: HelperSettings) {
    helper = Mutex(Helper(PictureService.purpose, settings))
  }

  /// The system's number for the process, if it is there.
  package var processIdentifier: Int32? { helper.withLock { $0.processIdentifier } }

  /// Starts the process without waiting for it, if it is not there; what goes wrong is found out later.
  package func start() {
    helper.withLock { helper in try? helper.start() }
  }

  /// Has a PNG or a JPEG decoded.
  ///
  /// - Throws: what the process says is wrong with it; `badData` if the process fails.
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
      // This process has the samples, too, and makes floats of them.
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

  /// The process that decodes pictures which are opened from now on; `nil`, as at first, if it is this one.
  package static var connection: PictureConnection? {
    get { current.value }
    set { current.value = newValue }
  }
}

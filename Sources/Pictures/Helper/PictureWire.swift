import Confinement
import ModelIR

/// What the process that decodes pictures answers, for tests of how it is taken apart.
package enum PictureWire {
  /// The same answer, taken apart and put together again.
  ///
  /// - Throws: `badData` if it is none.
  package static func recoded(_ bytes: [UInt8]) throws(NetconvError) -> [UInt8] {
    do throws(MalformedWire) {
      switch try HelperReply(bytes, for: PictureService.purpose) {
      case .ready(let code):
        return HelperReply.ready(filterError: code, for: PictureService.purpose)
      case .failed(let error): return HelperReply.failed(error)
      case .answer(let wire): return try PictureHeader(answer: wire).answer
      }
    } catch {
      throw .answersNonsense(PictureService.purpose)
    }
  }
}

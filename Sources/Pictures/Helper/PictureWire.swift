import Confinement
import ModelIR

/// The replies of the decoding process, for tests of the parser.
package enum PictureWire {
  /// Parses and encodes a reply.
  ///
  /// - Throws: `badData` if it is invalid.
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

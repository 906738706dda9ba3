import Confinement
import ModelIR

/// Replies of the HDF5 helper process, for tests of the decoder.
package enum HDF5Wire {
  /// Decodes a reply and encodes it again.
  ///
  /// - Throws: `badData` if the reply is malformed, or its file exceeds a limit.
  package static func recoded(_ bytes: [UInt8]) throws(NetconvError) -> [UInt8] {
    do {
      let reply = try HelperReply(bytes, for: HDF5Service.purpose)
      if case .ready(let code) = reply {
        return HelperReply.ready(filterError: code, for: HDF5Service.purpose)
      }
      switch HDF5Answer(reply) {
      case .index(let wire): return HDF5Answer.bytes(of: try IndexDecoder.index(in: wire))
      case .done: return HDF5Answer.doneBytes
      case .failed(let error): return HelperReply.failed(error)
      case .other: throw MalformedWire()
      }
    } catch IndexDecoder.Failure.refused(let error) {
      throw error
    } catch {
      throw .answersNonsense(HDF5Service.purpose)
    }
  }
}

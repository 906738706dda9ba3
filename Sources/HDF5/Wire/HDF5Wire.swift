import Confinement
import ModelIR

/// What the process that reads HDF5 files answers, for tests of how it is taken apart.
package enum HDF5Wire {
  /// The same answer, taken apart and put together again.
  ///
  /// - Throws: `badData` if it is none, or one about a file that holds too much.
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

import ModelIR

/// What the process that reads HDF5 files answers, for tests of how it is taken apart.
package enum HDF5Wire {
  /// The same answer, taken apart and put together again.
  ///
  /// - Throws: `badData` if it is none, or one about a file that holds too much.
  package static func recoded(_ bytes: [UInt8]) throws(NetconvError) -> [UInt8] {
    do {
      let answer = try HelperAnswer(bytes)
      guard case .index(let wire) = answer else { return answer.bytes }
      return HelperAnswer.bytes(of: try IndexDecoder.index(in: wire))
    } catch IndexDecoder.Failure.refused(let error) {
      throw error
    } catch {
      throw .helperAnsweredNonsense()
    }
  }
}

import ModelIR

/// A test signal in a source, with the output that the program which made the source computed for it.
public struct TestVectors: Sendable {
  /// The input of the network: a batch of one sample.
  public let input: NDArray<Float>
  /// The expected output; the first axis is the batch.
  public let output: NDArray<Float>
}

extension SourceNote {
  /// Reports test samples that are not used.
  ///
  /// - Parameter path: The path of the source, if it is not the user's main source.
  public static func unusedTestVectors(
    _ why: NetconvError, of path: String? = nil
  ) -> SourceNote {
    SourceNote(
      text: (path.map { "\(escaped($0)): " } ?? "")
        + "the file holds test samples, which are not used here",
      details: [why.description], isWarning: true)
  }
}

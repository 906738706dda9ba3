import Datasets
import Files
import ModelIR
import Writers

/// Where the outputs of a run go, checked before the model runs.
struct RunOutput {
  private let destination: Destination
  /// Whether it holds one array, not an archive of them.
  private let isArray: Bool

  /// Checks that `path` names a format, is no input, and is free or may be replaced.
  ///
  /// - Throws: `usage` or `cannotCreate`.
  init(_ path: String, for request: RunRequest) throws(NetconvError) {
    isArray = path.hasSuffix(".npy")
    guard isArray || path.hasSuffix(".npz") else { throw .noOutputFormat(path) }
    try checkOutput(path, isNoneOf: request.inputPaths)
    destination = try Destination(file: path, replacing: .numpy, force: request.force)
  }

  /// Checks that there is a place for each output.
  ///
  /// - Throws: `usage`.
  func check(_ outputs: [String]) throws(NetconvError) {
    guard !isArray || outputs.count == 1 else {
      throw NetconvError.severalArrays(outputs).inFile(destination.path)
    }
  }

  /// Writes the outputs.
  ///
  /// - Throws: `cannotCreate` or `inputOutput`; what stood there is then there still.
  func write(_ outputs: [(name: String, array: NDArray<Float>)]) throws(NetconvError) {
    try AtomicFile.write(to: destination) { file throws(NetconvError) in
      if isArray, let output = outputs.first {
        try file.write(NumpyArray.encode(output.array), at: 0)
      } else {
        try NumpyArchive.write(outputs, to: file)
      }
    }
  }
}

extension RunRequest {
  /// What a run reads.
  fileprivate var inputPaths: [String] {
    [path] + data.paths + [options.architecture?.path, labels].compactMap(\.self)
  }
}

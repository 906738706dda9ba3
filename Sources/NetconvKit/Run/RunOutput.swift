import Datasets
import Files
import ModelIR
import Writers

/// The destination of a run's outputs, checked before the model runs.
struct RunOutput {
  private let destination: Destination
  /// True for a file with one array, false for an archive of arrays.
  private let isArray: Bool

  /// Checks that `path` has a supported extension, is not an input, and either does not exist or may be replaced.
  ///
  /// - Throws: `usage` or `cannotCreate`.
  init(_ path: String, for request: RunRequest) throws(NetconvError) {
    isArray = path.hasSuffix(".npy")
    guard isArray || path.hasSuffix(".npz") else { throw .noOutputFormat(path) }
    try checkOutput(path, isNoneOf: request.inputPaths)
    destination = try Destination(file: path, replacing: .numpy, force: request.force)
  }

  /// Checks that the file can hold all outputs.
  ///
  /// - Throws: `usage`.
  func check(_ outputs: [String]) throws(NetconvError) {
    guard !isArray || outputs.count == 1 else {
      throw NetconvError.severalArrays(outputs).inFile(destination.path)
    }
  }

  /// Writes the outputs.
  ///
  /// - Throws: `cannotCreate` or `inputOutput`; an existing file is then unchanged.
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
  /// The files that a run reads.
  fileprivate var inputPaths: [String] {
    [path] + data.paths + [options.architecture?.path, labels].compactMap(\.self)
  }
}

extension NetconvError {
  fileprivate static func noOutputFormat(_ path: String) -> NetconvError {
    NetconvError(
      .usage,
      "\(quoted(path)) names no format for the outputs; end it in .npz, or in .npy for a single output"
    )
  }

  fileprivate static func severalArrays(_ names: [String]) -> NetconvError {
    NetconvError(
      .usage,
      "an .npy file holds one array, but there are \(names.count) outputs: "
        + names.prefix(10).quotedList
        + (names.count > 10 ? ", …" : "") + "; end the name in .npz")
  }
}

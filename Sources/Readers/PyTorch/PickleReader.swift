import ModelIR

/// Reads a pickle of NumPy arrays that PyTorch did not write: arrays by name, without a graph.
enum PickleReader: ModelReader {
  static let format = "pickle"
  static let summary = "a Python pickle of NumPy arrays (.pkl)"
  static let takesArchitecture = true
  static let takesEntries = true

  static func recognizes(_ probe: SourceProbe) -> Bool {
    probe.isPickle && !TorchFile.isStream(probe.prefix)
  }

  static func read(
    _ probe: SourceProbe, _ options: ReaderOptions
  ) throws(NetconvError) -> ReadSource {
    try TorchFile(pickle: probe.opened()).source(probe, options, format: format, framework: nil)
  }
}

import ModelIR

/// A form in which a network in C has its weights.
public enum LibraryWeights: String, Sendable, CaseIterable {
  /// Constants in a header that the source includes.
  case array
  /// A file that the program loads or maps.
  case file

  /// The largest size of weights, in bytes, that are an array unless another form is asked for.
  public static let largestArray = 4 << 20
}

/// A network as C: a header, a source and its weights.
public struct EmittedLibrary: Sendable {
  /// The settings of a network in C.
  public struct Settings: Sendable {
    /// The prefix of all names.
    public var name: String
    /// The name of the source file, for a comment.
    public var source: String
    /// The form of the weights; `nil` for an array up to ``LibraryWeights/largestArray``.
    public var weights: LibraryWeights?
    /// The shapes of all values of the model, without open sizes.
    public var shapes: [String: [Int]]
    /// A sentence on the order of an input's axes, by name of the input.
    public var remarks: [String: String]
    /// The factor and the summand of a byte of an image, if that is all that happens to it.
    public var pixels: (scale: Double, offset: Double)?

    /// Creates settings.
    public init(
      name: String, source: String, weights: LibraryWeights?, shapes: [String: [Int]],
      remarks: [String: String] = [:], pixels: (scale: Double, offset: Double)? = nil
    ) {
      self.name = name
      self.source = source
      self.weights = weights
      self.shapes = shapes
      self.remarks = remarks
      self.pixels = pixels
    }
  }

  /// The text of all files but the self-test's.
  public let files: [EmittedFile]
  /// The file of weights, if they are no array.
  public let weights: (path: String, bytes: [UInt8])?
  /// The prefix of all names.
  public let name: String
  /// The number of values of the arena.
  public let arenaCount: Int
  /// The number of parameters.
  public let parameterCount: Int
  /// The names of the values that goldens are compared with, in the order of computation.
  public let tracedValues: [String]
  private let selfTest: CSelfTest

  /// Writes `model` as C.
  ///
  /// - Throws: `usage` for an invalid name, `badData` with every layer that is not written in C, or any error of
  ///   reading a parameter.
  public init(_ model: Model, _ settings: Settings) throws(NetconvError) {
    let name = try CName(settings.name)
    let network = try CNetwork(model, settings.shapes)
    let size = network.parameterCount * MemoryLayout<Float>.size
    let form =
      settings.weights ?? (size > LibraryWeights.largestArray ? .file : .array)
    let source = CNetworkSource(
      network, name, model: model.name, source: settings.source, form: form,
      remarks: settings.remarks)
    self.name = name.description
    arenaCount = network.arenaCount
    parameterCount = network.parameterCount
    tracedValues = network.statements.map(\.value)
    weights =
      form == .file ? (path: "\(name).weights", bytes: CWeightsFile(network).bytes) : nil
    selfTest = CSelfTest(name: name, network: network, form: form)
    files = source.files + CBuildFiles(network, name, form, settings.pixels).files
  }

  /// Returns the files of the self-test.
  ///
  /// - Parameter goldens: the inputs, and what each layer computes of them.
  public func selfTest(_ goldens: LibraryGoldens) -> [EmittedFile] { selfTest.files(goldens) }

  /// Returns the names of the functions that the code of `model` defines, and of the ways in which layers are fused.
  ///
  /// - Parameter length: the size of axes that the model leaves open.
  /// - Throws: as the initialiser.
  package static func features(
    of model: Model, length: Int?
  ) throws(NetconvError) -> Set<String> {
    let network = try CNetwork(model, try model.shapes(filling: length))
    var features = Set(network.functions.definitions.map(\.name))
    for part in ["with the zeros", "the scales behind", "plus a value", ", then "]
    where network.statements.contains(where: { $0.comment.contains(part) }) {
      features.insert(part)
    }
    if network.statements.contains(where: { $0.lines.contains { $0.contains("step--") } }) {
      features.insert("backwards")
    }
    if network.statements.contains(where: { $0.lines.contains { $0.contains(")[step]") } }) {
      features.insert("masked")
    }
    return features
  }

  /// Returns a prefix made of the name of a source.
  public static func name(for source: String) -> String { CName.prefix(for: source) }

  /// Returns the paths of all files that a network of this name may have.
  public static func paths(name: String) -> Set<String> {
    Set(
      [
        ".h", ".c", "_weights.h", ".weights", "_goldens.h", "_selftest.c", "_main.c", "_selftest",
        "_main",
      ].map { name + $0 }
    ).union(["Makefile", "CMakeLists.txt"])
  }
}

/// Inputs of a network, and what its layers compute of them.
public struct LibraryGoldens: Sendable {
  /// The stored part of a layer's output.
  public struct Layer: Sendable {
    /// The indices of the stored values; `nil` if all are stored.
    public var positions: [Int]?
    /// The stored values of each sample.
    public var samples: [[Float]]
    /// The distance that other programs may have.
    public var tolerance: Double

    /// Creates the stored part of a layer.
    public init(positions: [Int]?, samples: [[Float]], tolerance: Double) {
      self.positions = positions
      self.samples = samples
      self.tolerance = tolerance
    }
  }

  /// The number of samples.
  public let samples: Int
  /// The values of all samples, by name of the input.
  public let inputs: [String: [Float]]
  /// The layers by the names of their values.
  public let layers: [String: Layer]

  /// Creates goldens.
  public init(samples: Int, inputs: [String: [Float]], layers: [String: Layer]) {
    self.samples = samples
    self.inputs = inputs
    self.layers = layers
  }
}

import Documents
import ModelIR
import Operators

/// The WaveNet of Neural Amp Modeler as its configuration describes it.
///
/// Source: NeuralAmpModelerCore, NAM/wavenet/model.cpp, `parse_config_json`; neural-amp-modeler,
/// nam/models/wavenet/_layer_array.py, `export_config`.
struct NAMWaveNet {
  /// Layers of the same width, with one output to the head.
  let arrays: [Array]
  /// What follows the scaled sum of the heads; `nil` if nothing does.
  let head: Head?

  /// The channels of the signal.
  var inputChannels: Int { arrays[0].inputSize }

  /// The first steps that no output of the same place has, counted over everything.
  var reach: Int {
    arrays.reduce(0) { $0 + $1.reach + $1.headKernel - 1 }
      + (head?.kernelSizes ?? []).reduce(0) { $0 + $1 - 1 }
  }

  /// A block of layers.
  struct Array {
    let inputSize: Int
    let conditionSize: Int
    let channels: Int
    let bottleneck: Int
    let headSize: Int
    let headKernel: Int
    let headHasBias: Bool
    let inputGroups: Int
    let mixinGroups: Int
    /// The groups of the convolution behind the activation; `nil` if there is none.
    let outputGroups: Int?
    /// The convolution of what goes to the head; `nil` if there is none.
    let headConvolution: (channels: Int, groups: Int)?
    let layers: [Layer]

    /// The channels that go into the head.
    var headChannels: Int { headConvolution?.channels ?? bottleneck }
    /// The steps that all layers together take off the front.
    var reach: Int { layers.reduce(0) { $0 + $1.reach } }
  }

  /// One dilated convolution and what follows it.
  struct Layer {
    let kernelSize: Int
    let dilation: Int
    let activation: ActivationFunction
    let gate: Gate

    var reach: Int { (kernelSize - 1) * dilation }
  }

  /// What the second half of the channels does.
  enum Gate {
    /// There is none.
    case none
    /// Its function multiplies the first half.
    case multiplied(ActivationFunction)
    /// Its function says how much of the first half goes through the activation.
    case blended(ActivationFunction)
  }

  /// Activations and convolutions behind the sum.
  struct Head {
    let channels: Int
    let outputChannels: Int
    let activation: ActivationFunction
    let kernelSizes: [Int]
  }

  /// The most steps that one output may see; more is taken for a mistake.
  static let largestReach = 1 << 20

  /// The configuration.
  ///
  /// - Throws: `badData` if a key is missing, or one is there that might change what is computed.
  init(_ config: JSONValue?, at place: String) throws(NetconvError) {
    let fields = try JSONFields(
      config, at: place,
      known: ["layers", "head", "head_scale", "in_channels", "condition_dsp"])
    guard fields["condition_dsp"] == nil else { throw .notReadByNAM(fields.path("condition_dsp")) }
    var arrays: [Array] = []
    for (index, layers) in try fields.list("layers").enumerated() {
      arrays.append(try Array(layers, at: "\(fields.path("layers"))[\(index)]"))
    }
    guard let first = arrays.first else { throw .noLayers(fields.path("layers")) }
    self.arrays = arrays
    head = try fields["head"].map { value throws(NetconvError) in
      try Head(value, at: fields.path("head"))
    }
    // The scale is the last of the weights.
    _ = try fields.number("head_scale", default: 1)
    let channels = try fields.size("in_channels", default: first.inputSize)
    try Self.require(channels, "in_channels", first.inputSize, "input_size of layers[0]")
    for (index, array) in arrays.enumerated() {
      let place = "layers[\(index)]"
      try Self.require(
        array.conditionSize, "condition_size of \(place)", channels, "the channels of the input")
      guard index > 0 else { continue }
      let before = arrays[index - 1]
      try Self.require(
        array.inputSize, "input_size of \(place)", before.channels, "channels of the one before")
      try Self.require(
        before.headSize, "the head of layers[\(index - 1)]", array.headChannels,
        "what \(place) adds to it")
    }
    guard reach < Self.largestReach else { throw .longReach(reach, limit: Self.largestReach) }
  }

  private static func require(
    _ found: Int, _ name: String, _ expected: Int, _ other: String
  ) throws(NetconvError) {
    guard found == expected else { throw .differentSizes(name, found, other, expected) }
  }
}

extension NAMWaveNet.Head {
  fileprivate init(_ value: JSONValue, at place: String) throws(NetconvError) {
    let fields = try JSONFields(
      value, at: place,
      known: ["in_channels", "channels", "activation", "out_channels", "kernel_sizes"])
    channels = try fields.size("channels")
    outputChannels = try fields.size("out_channels")
    activation = try NAMActivation.function(
      fields["activation"], at: fields.path("activation"))
    kernelSizes = try fields.sizes("kernel_sizes")
    guard !kernelSizes.isEmpty else { throw .noLayers(fields.path("kernel_sizes")) }
  }
}

extension JSONFields {
  /// A list of sizes.
  func sizes(_ key: String) throws(NetconvError) -> [Int] {
    var sizes: [Int] = []
    for (index, value) in try list(key).enumerated() {
      sizes.append(try value.size(at: "\(path(key))[\(index)]"))
    }
    return sizes
  }
}

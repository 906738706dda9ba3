import Documents
import ModelIR
import Operators

/// The configuration of a Neural Amp Modeler WaveNet.
///
/// Source: NeuralAmpModelerCore, NAM/wavenet/model.cpp, `parse_config_json`; neural-amp-modeler,
/// nam/models/wavenet/_layer_array.py, `export_config`.
struct NAMWaveNet {
  /// Blocks of layers of equal width, each with one output to the head.
  let arrays: [Array]
  /// The network after the scaled sum of the heads; `nil` if there is none.
  let head: Head?

  /// The number of input channels.
  var inputChannels: Int { arrays[0].inputSize }

  /// The total number of leading steps without an output.
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
    /// The groups of the convolution after the activation; `nil` if there is none.
    let outputGroups: Int?
    /// The convolution on the way to the head; `nil` if there is none.
    let headConvolution: (channels: Int, groups: Int)?
    let layers: [Layer]

    /// The number of channels of the head's input.
    var headChannels: Int { headConvolution?.channels ?? bottleneck }
    /// The number of leading steps that all layers together remove.
    var reach: Int { layers.reduce(0) { $0 + $1.reach } }
  }

  /// A dilated convolution with its activation and gate.
  struct Layer {
    let kernelSize: Int
    let dilation: Int
    let activation: ActivationFunction
    let gate: Gate

    var reach: Int { (kernelSize - 1) * dilation }
  }

  /// The use of the second half of the channels.
  enum Gate {
    /// No gate.
    case none
    /// The function of the second half is multiplied with the first half.
    case multiplied(ActivationFunction)
    /// The function of the second half blends the first half with its activation.
    case blended(ActivationFunction)
  }

  /// Activations and convolutions after the sum.
  struct Head {
    let channels: Int
    let outputChannels: Int
    let activation: ActivationFunction
    let kernelSizes: [Int]
  }

  /// The maximum receptive field in steps; a larger one is assumed to be an error.
  static let largestReach = 1 << 20

  /// Reads the configuration.
  ///
  /// - Throws: `badData` if a key is missing, or an unknown key might change the result.
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
    // The scale is the last weight.
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
  /// Returns a list of sizes.
  func sizes(_ key: String) throws(NetconvError) -> [Int] {
    var sizes: [Int] = []
    for (index, value) in try list(key).enumerated() {
      sizes.append(try value.size(at: "\(path(key))[\(index)]"))
    }
    return sizes
  }
}

import Documents
import ModelIR
import Operators

extension NAMWaveNet.Array {
  /// The keys of FiLM layers, which scale and shift by the condition; active FiLM layers are not supported.
  private static let films = [
    "conv_pre_film", "conv_post_film", "input_mixin_pre_film", "input_mixin_post_film",
    "activation_pre_film", "activation_post_film", "layer1x1_post_film", "head1x1_post_film",
  ]

  private static let keys = Set(
    [
      "input_size", "condition_size", "channels", "bottleneck", "kernel_size", "kernel_sizes",
      "dilations", "activation", "gated", "gating_mode", "secondary_activation", "head",
      "head_size", "head_bias", "layer1x1", "head1x1", "groups_input", "groups_input_mixin",
      "slimmable",
    ] + films)

  /// Reads the block that `value` describes.
  init(_ value: JSONValue, at place: String) throws(NetconvError) {
    let fields = try JSONFields(value, at: place, known: Self.keys)
    try fields.requireNothingElse(Self.films)
    inputSize = try fields.size("input_size")
    conditionSize = try fields.size("condition_size")
    channels = try fields.size("channels")
    bottleneck = try fields.size("bottleneck", default: channels)
    (headSize, headKernel, headHasBias) = try fields.head()
    inputGroups = try fields.size("groups_input", default: 1)
    mixinGroups = try fields.size("groups_input_mixin", default: 1)
    outputGroups = try fields.outputGroups()
    headConvolution = try fields.headConvolution()
    layers = try fields.layers()
    guard outputGroups != nil || bottleneck == channels else {
      throw .differentSizes(
        fields.path("bottleneck"), bottleneck, "channels, as layer1x1 is not active", channels)
    }
    let isGated = layers.contains { if case .none = $0.gate { false } else { true } }
    guard !isGated || inputGroups == 1 && mixinGroups == 1 else {
      throw .notReadByNAM("groups of gated layers in \(place)")
    }
    try checkGroups(place)
  }

  private func checkGroups(_ place: String) throws(NetconvError) {
    try Self.check(inputGroups, divide: channels, and: bottleneck, in: place)
    try Self.check(mixinGroups, divide: conditionSize, and: bottleneck, in: place)
    try Self.check(outputGroups ?? 1, divide: bottleneck, and: channels, in: place)
    try Self.check(
      headConvolution?.groups ?? 1, divide: bottleneck, and: headChannels, in: place)
  }

  // The compiler chooses between two register allocations at random if this is inlined four times.
  @inline(never)
  private static func check(
    _ groups: Int, divide input: Int, and output: Int, in place: String
  ) throws(NetconvError) {
    guard input % groups == 0, output % groups == 0 else {
      throw .wrongRTNeuralGroups(groups, input, output).inLayer(place)
    }
  }
}

extension JSONFields {
  fileprivate func requireNothingElse(_ films: [String]) throws(NetconvError) {
    for key in films {
      guard let film = self[key], film != .bool(false) else { continue }
      let fields = try JSONFields(film, at: path(key), known: ["active", "shift", "groups"])
      // The C++ core defaults to active.
      guard try !fields.bool("active", default: true) else { throw .notReadByNAM(path(key)) }
    }
    guard self["slimmable"] == nil else { throw .notReadByNAM(path("slimmable")) }
  }

  /// Returns channels, kernel size and bias of the head; in older files the kernel size is 1.
  fileprivate func head() throws(NetconvError) -> (Int, Int, Bool) {
    guard let head = self["head"] else {
      return (try size("head_size"), 1, try bool("head_bias"))
    }
    guard self["head_size"] == nil, self["head_bias"] == nil else {
      throw .bothKeys("head", "head_size", in: place)
    }
    let fields = try JSONFields(
      head, at: path("head"), known: ["out_channels", "kernel_size", "bias"])
    return (
      try fields.size("out_channels"), try fields.size("kernel_size"), try fields.bool("bias")
    )
  }

  fileprivate func outputGroups() throws(NetconvError) -> Int? {
    guard let value = self["layer1x1"] else { return 1 }
    let fields = try JSONFields(value, at: path("layer1x1"), known: ["active", "groups"])
    return try fields.bool("active") ? try fields.size("groups", default: 1) : nil
  }

  fileprivate func headConvolution() throws(NetconvError) -> (channels: Int, groups: Int)? {
    guard let value = self["head1x1"] else { return nil }
    let fields = try JSONFields(
      value, at: path("head1x1"), known: ["active", "out_channels", "groups"])
    guard try fields.bool("active") else { return nil }
    return (try fields.size("out_channels"), try fields.size("groups", default: 1))
  }

  /// Returns the layers; settings that are stated once apply to all of them.
  fileprivate func layers() throws(NetconvError) -> [NAMWaveNet.Layer] {
    let dilations = try sizes("dilations")
    guard !dilations.isEmpty else { throw .noLayers(path("dilations")) }
    let kernelSizes = try kernelSizes(count: dilations.count)
    let activations = try each("activation", count: dilations.count)
    let gates = try gates(count: dilations.count)
    var layers: [NAMWaveNet.Layer] = []
    for index in dilations.indices {
      let activation = activations[index]
      layers.append(
        NAMWaveNet.Layer(
          kernelSize: kernelSizes[index], dilation: dilations[index],
          activation: try NAMActivation.function(activation.value, at: activation.path),
          gate: gates[index]))
    }
    return layers
  }

  private func kernelSizes(count: Int) throws(NetconvError) -> [Int] {
    guard self["kernel_sizes"] == nil || self["kernel_size"] == nil else {
      throw .bothKeys("kernel_size", "kernel_sizes", in: place)
    }
    let key = self["kernel_sizes"] == nil ? "kernel_size" : "kernel_sizes"
    var sizes: [Int] = []
    for (value, path) in try each(key, count: count) {
      guard let value else { throw .missingField(path) }
      sizes.append(try value.size(at: path))
    }
    return sizes
  }

  private func gates(count: Int) throws(NetconvError) -> [NAMWaveNet.Gate] {
    guard self["gating_mode"] != nil else {
      let isGated = try bool("gated", default: false)
      return Swift.Array(repeating: isGated ? .multiplied(.sigmoid) : .none, count: count)
    }
    guard self["gated"] == nil else { throw .bothKeys("gated", "gating_mode", in: place) }
    let functions = try each("secondary_activation", count: count)
    var gates: [NAMWaveNet.Gate] = []
    for (mode, function) in zip(try each("gating_mode", count: count), functions) {
      let secondary = { () throws(NetconvError) -> ActivationFunction in
        guard let value = function.value else { return .sigmoid }
        return try NAMActivation.function(value, at: function.path)
      }
      switch mode.value?.string {
      case "none": gates.append(.none)
      case "gated": gates.append(.multiplied(try secondary()))
      case "blended": gates.append(.blended(try secondary()))
      default: throw .wrongField(mode.path, mode.value, expected: "none, gated or blended")
      }
    }
    return gates
  }

  /// Returns a value for each layer: the elements of a list, or the same value for all.
  private func each(
    _ key: String, count: Int
  ) throws(NetconvError) -> [(value: JSONValue?, path: String)] {
    guard let elements = self[key]?.array else {
      return Swift.Array(repeating: (self[key], path(key)), count: count)
    }
    guard elements.count == count else {
      throw .wrongField(path(key), self[key], expected: "one for each of \(count) dilations")
    }
    return elements.enumerated().map { index, element in
      (element == .null ? nil : element, "\(path(key))[\(index)]")
    }
  }
}

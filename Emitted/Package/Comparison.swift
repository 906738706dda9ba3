import Metal
import NAME

/// How far each layer is from what it should give.
public struct NAMEComparison: CustomStringConvertible {
  /// A layer that was compared.
  public struct Layer {
    /// The layer, as the model calls it.
    public let name: String
    /// The largest difference of all samples.
    public let difference: Double
    /// nil if the precision cannot hold the values, so that nothing can be said.
    public let tolerance: Double?

    /// Whether the difference is no mistake.
    public var isRight: Bool { tolerance.map { difference <= $0 } ?? true }
  }

  /// What has run the network.
  public let device: String
  /// How many inputs were replayed.
  public let samples: Int
  /// In the order of the model; a layer without values of its own is a part of the one behind it.
  public let layers: [Layer]

  #if customLayers
  /// Runs the network with the weights of an archive, and with layers of the app, on the inputs of `goldens`.
  public init(
    _ archive: NAMEArchive, _ goldens: NAMEGoldens, on device: MTLDevice,
    customLayers: any NAMECustomLayers
  ) throws {
    guard goldens.weights == archive.weights else {
      throw NAMEGoldensError("the test cases are of other weights than those of the archive")
    }
    let network = try NAME(device: device, archive: archive, customLayers: customLayers)
    var worst: [String: Double] = [:]
    for sample in 0..<goldens.samples {
      let activations = NAMEActivations()
      #if severalInputs
      _ = try network.predict(goldens.inputs(of: sample), activations: activations)
      #else
      _ = try network.predict(goldens.input(sample), activations: activations)
      #endif
      for layer in activations.layers {
        guard let values = activations.values(of: layer) else { continue }
        worst[layer] = max(worst[layer] ?? 0, try goldens.difference(values, of: layer, sample))
      }
    }
    guard !worst.isEmpty else { throw NAMEGoldensError("no layer was compared") }
    self.device = device.name
    samples = goldens.samples
    layers = goldens.layers.compactMap { layer in
      worst[layer.name].map {
        Layer(name: layer.name, difference: $0, tolerance: layer.tolerance)
      }
    }
  }
  #else
  /// Runs the network with the weights of an archive on the inputs of `goldens`.
  public init(_ archive: NAMEArchive, _ goldens: NAMEGoldens, on device: MTLDevice) throws {
    guard goldens.weights == archive.weights else {
      throw NAMEGoldensError("the test cases are of other weights than those of the archive")
    }
    let network = try NAME(device: device, archive: archive)
    var worst: [String: Double] = [:]
    for sample in 0..<goldens.samples {
      let activations = NAMEActivations()
      #if severalInputs
      _ = try network.predict(goldens.inputs(of: sample), activations: activations)
      #else
      _ = try network.predict(goldens.input(sample), activations: activations)
      #endif
      for layer in activations.layers {
        guard let values = activations.values(of: layer) else { continue }
        worst[layer] = max(worst[layer] ?? 0, try goldens.difference(values, of: layer, sample))
      }
    }
    guard !worst.isEmpty else { throw NAMEGoldensError("no layer was compared") }
    self.device = device.name
    samples = goldens.samples
    layers = goldens.layers.compactMap { layer in
      worst[layer.name].map {
        Layer(name: layer.name, difference: $0, tolerance: layer.tolerance)
      }
    }
  }
  #endif

  /// The first layer that differs by more than its tolerance.
  public var firstWrong: Layer? { layers.first { !$0.isRight } }
  /// Whether there is none.
  public var isRight: Bool { firstWrong == nil }

  /// A line for each layer, and the verdict.
  public var description: String {
    let lines = layers.map { layer in
      guard let tolerance = layer.tolerance else {
        return "  \(layer.name): not compared, its values are beyond the precision"
      }
      return "  \(layer.name): off by \(Float(layer.difference)), tolerance \(Float(tolerance))"
        + (layer.isRight ? "" : " - WRONG")
    }
    let verdict =
      firstWrong.map {
        ["The first layer that differs is \($0.name).", "The network differs from the reference."]
      } ?? ["All layers are right."]
    return (["NAME: \(samples) samples on \(device)"] + lines + verdict).joined(separator: "\n")
  }
}

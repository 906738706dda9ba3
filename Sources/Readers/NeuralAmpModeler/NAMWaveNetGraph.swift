import ModelIR
import Operators

/// Builds the graph of a Neural Amp Modeler WaveNet.
///
/// Its convolutions shorten the signal at the start, so that values of different lengths are aligned at their ends.
///
/// Source: neural-amp-modeler, nam/models/base.py, `forward`; nam/models/wavenet/_layer_array.py and _wavenet.py.
struct NAMWaveNetGraph {
  /// The number of unused weights: the output of the last layer to a next one.
  private(set) var unusedCount = 0
  private let network: NAMWaveNet
  /// The graph, including the layers of the network.
  private(set) var graph: NAMGraph
  /// The name of the last layer.
  private(set) var output = ""
  /// The number of leading steps that are missing from the current value.
  private var gone = 0
  private let signal: String

  /// Appends `network` with the next weights to `graph`.
  init(
    _ network: NAMWaveNet, behind graph: NAMGraph, over signal: String,
    _ weights: inout NAMWeights
  ) throws(NetconvError) {
    self.network = network
    self.graph = graph
    self.signal = signal
    var value = signal
    var head: String?
    for (index, array) in network.arrays.enumerated() {
      let isLast = index == network.arrays.count - 1
      (value, head) = try add(array, "array_\(index)", value, head, isLast: isLast, &weights)
    }
    try addHead(head ?? value, &weights)
  }

  private mutating func add(
    _ array: NAMWaveNet.Array, _ name: String, _ input: String, _ head: String?, isLast: Bool,
    _ weights: inout NAMWeights
  ) throws(NetconvError) -> (String, String) {
    var value = try convolution(
      "\(name)_rechannel", input, array.inputSize, array.channels, &weights, hasBias: false)
    var ends: [String] = []
    if let head { ends.append(graph.crop("\(name)_head_before", head, array.reach)) }
    var left = array.reach
    for (index, layer) in array.layers.enumerated() {
      left -= layer.reach
      gone += layer.reach
      let isEnd = isLast && index == array.layers.count - 1
      let part = try add(
        layer, of: array, "\(name)_layer_\(index)", value, left, isEnd: isEnd, &weights)
      value = part.value
      ends.append(part.head)
    }
    let sum = ends.count == 1 ? ends[0] : graph.add("\(name)_head_sum", Add(), ends)
    let rechanneled = try convolution(
      "\(name)_head", sum, array.headChannels, array.headSize, &weights, kernel: array.headKernel,
      hasBias: array.headHasBias)
    gone += array.headKernel - 1
    if !isLast { value = graph.crop("\(name)_end", value, array.headKernel - 1) }
    return (value, rechanneled)
  }

  /// Adds a layer; returns the input of the next layer and the contribution to the head.
  private mutating func add(
    _ layer: NAMWaveNet.Layer, of array: NAMWaveNet.Array, _ name: String, _ input: String,
    _ left: Int, isEnd: Bool, _ weights: inout NAMWeights
  ) throws(NetconvError) -> (value: String, head: String) {
    let activated = try activated(layer, of: array, name, input, &weights)
    var value = activated
    if let groups = array.outputGroups {
      let before = weights.count
      let kernel = try array1x1("\(name)_1x1", array.bottleneck, array.channels, groups, &weights)
      if isEnd {
        unusedCount = before - weights.count
      } else {
        value = add("\(name)_1x1", kernel, to: activated, array.channels, groups: groups)
      }
    }
    if !isEnd {
      let skipped = graph.crop("\(name)_skip", input, layer.reach)
      value = graph.add("\(name)_residual", Add(), [skipped, value])
    }
    var head = graph.crop("\(name)_head_end", activated, left)
    if let convolved = array.headConvolution {
      head = try convolution(
        "\(name)_head", head, array.bottleneck, convolved.channels, &weights,
        groups: convolved.groups, hasBias: true)
    }
    return (value, head)
  }

  /// Adds the convolution, the condition, and the activation of their sum.
  private mutating func activated(
    _ layer: NAMWaveNet.Layer, of array: NAMWaveNet.Array, _ name: String, _ input: String,
    _ weights: inout NAMWeights
  ) throws(NetconvError) -> String {
    let isGated = if case .none = layer.gate { false } else { true }
    let channels = isGated ? 2 * array.bottleneck : array.bottleneck
    let (kernel, bias, mixin): (NAMArray, NAMArray, NAMArray)
    do throws(NetconvError) {
      kernel = try weights.take(
        [channels, array.channels / array.inputGroups, layer.kernelSize])
      bias = try weights.take([channels])
      mixin = try weights.take([channels, array.conditionSize / array.mixinGroups, 1])
    } catch {
      throw error.inLayer(name)
    }
    let condition = graph.crop("\(name)_condition", signal, gone)
    func sum(_ part: String, _ half: (NAMArray) -> NAMArray) -> String {
      let convolved = add(
        part, (half(kernel), half(bias)), to: input, array.bottleneck, kernel: layer.kernelSize,
        dilation: layer.dilation, groups: array.inputGroups)
      let mixed = add(
        "\(part)_mixin", (half(mixin), nil), to: condition, array.bottleneck,
        groups: array.mixinGroups)
      return graph.add("\(part)_sum", Add(), [convolved, mixed])
    }
    func apply(_ function: ActivationFunction, _ part: String, _ value: String) -> String {
      graph.add("\(part)_activation", Activation(function), [value])
    }
    switch layer.gate {
    case .none: return apply(layer.activation, name, sum(name) { $0 })
    case .multiplied(let function):
      let first = apply(layer.activation, name, sum(name) { $0.half(0) })
      let gate = apply(function, "\(name)_gate", sum("\(name)_gate") { $0.half(1) })
      return graph.add("\(name)_gated", Multiply(), [first, gate])
    case .blended(let function):
      // g · a(x) + (1 - g) · x = x + g · (a(x) - x).
      let plain = sum(name) { $0.half(0) }
      let gate = apply(function, "\(name)_gate", sum("\(name)_gate") { $0.half(1) })
      let change = graph.add(
        "\(name)_change", Subtract(), [apply(layer.activation, name, plain), plain])
      let part = graph.add("\(name)_part", Multiply(), [gate, change])
      return graph.add("\(name)_blended", Add(), [plain, part])
    }
  }

  /// Adds the scale of the sum, which is the last weight, and the head after it.
  private mutating func addHead(
    _ value: String, _ weights: inout NAMWeights
  ) throws(NetconvError) {
    var kernels: [(kernel: NAMArray, bias: NAMArray)] = []
    var channels = network.arrays[network.arrays.count - 1].headSize
    let sizes = network.head?.kernelSizes ?? []
    for (index, size) in sizes.enumerated() {
      let isLast = index == sizes.count - 1
      let next = (isLast ? network.head?.outputChannels : network.head?.channels) ?? 1
      do throws(NetconvError) {
        kernels.append((try weights.take([next, channels, size]), try weights.take([next])))
      } catch {
        throw error.inLayer("head_\(index)")
      }
      channels = next
    }
    do throws(NetconvError) {
      let scale = try weights.take([1]).values[0]
      output = graph.add("head_scale", Rescaling(scale: [Double(scale)]), [value])
    } catch {
      throw error.inLayer("head_scale")
    }
    for (index, part) in kernels.enumerated() {
      let function = network.head?.activation ?? .linear
      output = graph.add("head_\(index)_activation", Activation(function), [output])
      output = add(
        "head_\(index)", (part.kernel, part.bias), to: output, part.bias.values.count,
        kernel: sizes[index])
    }
  }
}

// MARK: - Convolutions

extension NAMWaveNetGraph {
  private typealias Kernel = (kernel: NAMArray, bias: NAMArray?)

  /// Takes the weights of a pointwise convolution and its bias.
  private func array1x1(
    _ name: String, _ input: Int, _ output: Int, _ groups: Int, _ weights: inout NAMWeights
  ) throws(NetconvError) -> Kernel {
    do throws(NetconvError) {
      return (try weights.take([output, input / groups, 1]), try weights.take([output]))
    } catch {
      throw error.inLayer(name)
    }
  }

  /// Adds a convolution with the next weights.
  private mutating func convolution(
    _ name: String, _ value: String, _ input: Int, _ output: Int, _ weights: inout NAMWeights,
    kernel size: Int = 1, groups: Int = 1, hasBias: Bool
  ) throws(NetconvError) -> String {
    do throws(NetconvError) {
      let kernel = try weights.take([output, input / groups, size])
      let bias = hasBias ? try weights.take([output]) : nil
      return add(name, (kernel, bias), to: value, output, kernel: size, groups: groups)
    } catch {
      throw error.inLayer(name)
    }
  }

  private mutating func add(
    _ name: String, _ weights: Kernel, to value: String, _ output: Int, kernel size: Int = 1,
    dilation: Int = 1, groups: Int = 1
  ) -> String {
    var parameters: [ParameterRole: StoredTensor] = [.kernel: weights.kernel.stored(Self.layout)]
    parameters[.bias] = weights.bias?.stored(nil)
    return graph.add(
      name,
      Convolution1D(
        outputChannels: output, kernelSize: Size1D(size), dilation: Size1D(dilation),
        groups: groups),
      [value], parameters)
  }

  /// Output channels, input channels per group, taps.
  private static let layout = Layout("OIW")
}

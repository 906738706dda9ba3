import Documents
import ModelIR
import Operators

/// The LSTM of Neural Amp Modeler: stacked layers and a linear head.
///
/// The weights of a layer are a matrix with the input's columns followed by the state's, and the gates i, f, g, o as
/// rows; one bias; and the initial output and cell state.
///
/// Source: NeuralAmpModelerCore, NAM/lstm.cpp; neural-amp-modeler, nam/models/recurrent.py, `_export_weights`.
struct NAMLSTM {
  /// The number of input channels.
  let inputSize: Int
  private let units: Int
  private let layerCount: Int
  private let outputCount: Int

  /// Reads the configuration.
  ///
  /// - Throws: `badData` if a key is missing, or an unknown key might change the result.
  init(_ config: JSONValue?, at place: String) throws(NetconvError) {
    let fields = try JSONFields(
      config, at: place,
      known: ["input_size", "hidden_size", "num_layers", "in_channels", "out_channels"])
    inputSize = try fields.size("input_size")
    units = try fields.size("hidden_size")
    layerCount = try fields.size("num_layers")
    outputCount = try fields.size("out_channels", default: 1)
    let channels = try fields.size("in_channels", default: inputSize)
    guard channels == inputSize else {
      throw .differentSizes("in_channels", channels, "input_size", inputSize)
    }
  }

  /// Adds the layers with the next weights, and returns the name of the last layer.
  func add(
    to graph: inout NAMGraph, over signal: String, _ weights: inout NAMWeights
  ) throws(NetconvError) -> String {
    var last = signal
    for index in 0..<layerCount {
      let layer = "lstm_\(index)"
      do throws(NetconvError) {
        last = try add(
          layer, over: last, of: index == 0 ? inputSize : units, to: &graph, &weights)
      } catch {
        throw error.inLayer(layer)
      }
    }
    do throws(NetconvError) {
      let kernel = try weights.take([outputCount, units])
      let bias = try weights.take([outputCount])
      last = graph.add(
        "head", Dense(units: outputCount), [last],
        [.kernel: kernel.stored(.oi), .bias: bias.stored(nil)])
    } catch {
      throw error.inLayer("head")
    }
    return last
  }

  private func add(
    _ name: String, over input: String, of channels: Int, to graph: inout NAMGraph,
    _ weights: inout NAMWeights
  ) throws(NetconvError) -> String {
    let matrix = try weights.take([4 * units, channels + units])
    let bias = try weights.take([4 * units])
    let states = [try weights.take([units]), try weights.take([units])]
    var recurrence = Recurrence(returns: .sequence)
    var inputs = [input]
    if states.contains(where: { $0.values.contains { $0 != 0 } }) {
      recurrence.takesState = true
      let pooled = graph.pooledInput()
      for (state, role) in zip(states, ["output", "cell"]) {
        // With a zero kernel the output is the bias, which is the initial state, for any input.
        let count = try product([graph.inputChannels, units])
        let zeros = NAMArray(
          shape: [graph.inputChannels, units], values: Array(repeating: 0, count: count),
          path: "zeros")
        inputs.append(
          graph.add(
            "\(name)_initial_\(role)", Dense(units: units), [pooled],
            [.kernel: zeros.stored(nil), .bias: state.stored(nil)]))
      }
    }
    return graph.add(
      name, LSTM(units: units, recurrence: recurrence), inputs,
      [
        .kernel: matrix.columns(0..<channels).stored(.gatesFirst),
        .recurrent: matrix.columns(channels..<channels + units).stored(.gatesFirst),
        .bias: bias.stored(nil),
      ])
  }
}

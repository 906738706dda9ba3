// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-open-length.h5.
func keras3_open_length(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let steps = Input(shape: [nil, 3], name: "steps")
  let conv = steps --> Convolution1D(kernel: 3, channels: 4, padding: .causal, activation: .relu, name: "conv")
  let both_forward = conv --> LSTM(units: 3, returns: .sequence, zerosMasked: true, name: "both/forward")
  let both_backward = conv --> LSTM(units: 3, returns: .sequence, goesBackwards: true, zerosMasked: true, name: "both/backward")
  let both_backward_reversed = both_backward --> Reverse(name: "both/backward/reversed")
  let both = Concatenate([both_forward, both_backward_reversed], name: "both")
  let each_2 = Dense(neurons: 2, flattens: false, name: "each/layer").applied(to: [both], as: "each")
  let max = both --> GlobalMaxPooling1D(name: "max")
  return try Model(
    name: "net", inputs: [steps], outputs: [each_2, max], loader: loader)
}

// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-conv-lstm.h5.
func keras3_conv_lstm(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let film = Input(shape: [4, 7, 6, 2], name: "film")
  let lines = Input(width: 8, height: 5, channels: 3, name: "lines")
  let states = film --> ConvolutionalLSTM(kernel: (2, 3), channels: 3, returns: .sequence, name: "states")
  let states_1 = ConvolutionalLSTM(kernel: (2, 3), channels: 3, returns: .state, name: "states").applied(to: [film], as: "states/1")
  let states_2 = ConvolutionalLSTM(kernel: (2, 3), channels: 3, returns: .cell, name: "states").applied(to: [film], as: "states/2")
  let line_states = lines --> ConvolutionalLSTM1D(kernel: 3, channels: 4, padding: .valid, name: "line_states")
  let line_states_1 = ConvolutionalLSTM1D(kernel: 3, channels: 4, padding: .valid, returns: .state, name: "line_states").applied(to: [lines], as: "line_states/1")
  let line_states_2 = ConvolutionalLSTM1D(kernel: 3, channels: 4, padding: .valid, returns: .cell, name: "line_states").applied(to: [lines], as: "line_states/2")
  let valid = film --> ConvolutionalLSTM(kernel: (3, 2), channels: 4, padding: .valid, name: "valid")
  let strided = film --> ConvolutionalLSTM(kernel: (2, 3), channels: 3, stride: (1, 2), returns: .sequence, goesBackwards: true, name: "strided")
  let dilated = film --> ConvolutionalLSTM(kernel: (2, 2), channels: 2, dilation: (3, 2), padding: .valid, activation: .elu(alpha: 1.0), recurrentActivation: .hardSigmoid(slope: 0.16666666666666666), useBias: false, name: "dilated")
  let begun = states --> ConvolutionalLSTM(kernel: (3, 2), channels: 3, initialState: (hidden: states_1, cell: states_2), name: "begun")
  let conv_c = states_2 --> Convolution(kernel: (2, 2), channels: 2, padding: .valid, name: "conv_c")
  let line = lines --> ConvolutionalLSTM1D(kernel: 4, channels: 5, stride: 2, returns: .sequence, name: "line")
  let line_dilated = lines --> ConvolutionalLSTM1D(kernel: 3, channels: 2, dilation: 2, padding: .valid, activation: .softmax(axis: -1), goesBackwards: true, name: "line_dilated")
  let joined = Concatenate([line_states, line_states_1, line_states_2], name: "joined")
  let rows = TimeDistributed(ConvolutionalLSTM1D(kernel: 3, channels: 2, padding: .valid, name: "rows/layer")).applied(to: [film], as: "rows")
  return try Model(
    name: "net", inputs: [film, lines], outputs: [valid, strided, dilated, begun, conv_c, line, line_dilated, joined, rows], loader: loader)
}

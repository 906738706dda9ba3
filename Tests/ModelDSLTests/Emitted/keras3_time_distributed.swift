// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-time-distributed.h5.
func keras3_time_distributed(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let film = Input(shape: [3, 6, 5, 2], name: "film")
  let convs = TimeDistributed(Convolution(kernel: (3, 2), channels: 3, padding: .valid, name: "convs/layer")).applied(to: [film], as: "convs")
  let frames_conv = film --> TimeDistributed(Convolution(kernel: (3, 3), channels: 4, padding: .valid, activation: .relu, name: "frames/conv"))
  let frames_pool = frames_conv --> TimeDistributed(MaxPooling(kernel: (2, 2), name: "frames/pool"))
  let frames_flatten = frames_pool --> TimeDistributed(Flatten(name: "frames/flatten"))
  let frames_fc = frames_flatten --> Dense(neurons: 5, flattens: false, name: "frames/fc")
  let norms = TimeDistributed(BatchNormalization(name: "norms/layer")).applied(to: [convs], as: "norms")
  let shaped = film --> TimeDistributed(Reshape(shape: [6, 10], name: "shaped"))
  let lstm = frames_fc --> LSTM(units: 4, name: "lstm")
  let dense = Dense(neurons: 3, activation: .relu, flattens: false, name: "dense/layer").applied(to: [frames_fc], as: "dense")
  let means = norms --> TimeDistributed(GlobalAveragePooling(name: "means"))
  let rows_forward = TimeDistributed(GRU(units: 3, resetsAfter: true, name: "rows/layer/forward")).applied(to: [shaped], as: "rows/forward")
  let rows_backward = TimeDistributed(GRU(units: 3, resetsAfter: true, goesBackwards: true, name: "rows/layer/backward")).applied(to: [shaped], as: "rows/backward")
  let rows = Concatenate([rows_forward, rows_backward], name: "rows")
  let softmax = frames_fc --> TimeDistributed(Softmax(name: "softmax"))
  return try Model(
    name: "net", inputs: [film], outputs: [lstm, dense, means, rows, softmax], loader: loader)
}

// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras2-local-1.h5.
func keras2_local_1(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 6, height: 7, channels: 2, name: "image")
  let steps = Input(shape: [9, 3], name: "steps")
  let line_flat = steps --> LocallyConnected1D(kernel: 2, channels: 2, name: "line_flat")
  let flatten = line_flat --> Flatten(name: "flatten")
  let plain = image --> LocallyConnected(kernel: (2, 3), channels: 4, activation: .relu, name: "plain")
  let strided = image --> LocallyConnected(kernel: (3, 2), channels: 3, stride: (1, 2), useBias: false, name: "strided")
  let points = image --> LocallyConnected(kernel: (1, 1), channels: 5, stride: (2, 2), activation: .softmax(axis: -1), name: "points")
  let line = steps --> LocallyConnected1D(kernel: 3, channels: 4, name: "line")
  let line_strided = steps --> LocallyConnected1D(kernel: 4, channels: 2, stride: 3, activation: .tanh, useBias: false, name: "line_strided")
  let fc = flatten --> Dense(neurons: 3, name: "fc")
  return try Model(
    name: "net", inputs: [image, steps], outputs: [plain, strided, points, line, line_strided, fc], loader: loader)
}

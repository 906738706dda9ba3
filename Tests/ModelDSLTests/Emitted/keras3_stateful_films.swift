// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-stateful-films.h5.
func keras3_stateful_films(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let films = Input(shape: [3, 5, 4, 2], name: "films")
  let films_lstm = films --> ConvolutionalLSTM(kernel: (2, 3), channels: 3, statefulBatch: 1, name: "films_lstm")
  let mean = films_lstm --> GlobalAveragePooling(name: "mean")
  let fc = mean --> Dense(neurons: 2, name: "fc")
  return try Model(
    name: "net", inputs: [films], outputs: [fc], loader: loader)
}

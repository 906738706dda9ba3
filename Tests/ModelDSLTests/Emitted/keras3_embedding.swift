// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-embedding.h5.
func keras3_embedding(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let words = Input(shape: [8], name: "words")
  let vectors = words --> Embedding(count: 11, channels: 4, name: "vectors")
  let dropout = vectors --> Identity(name: "dropout")
  let conv = vectors --> Convolution1D(kernel: 3, channels: 3, padding: .valid, activation: .relu, name: "conv")
  let lstm = dropout --> LSTM(units: 4, name: "lstm")
  let mean = vectors --> GlobalAveragePooling1D(name: "mean")
  return try Model(
    name: "net", inputs: [words], outputs: [conv, lstm, mean], loader: loader)
}

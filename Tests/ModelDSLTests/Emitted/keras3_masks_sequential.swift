// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-masks-sequential.h5.
func keras3_masks_sequential(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let words = Input(shape: [9], name: "words")
  let vectors_mask = words --> StepMask(isPerValue: true, name: "vectors/mask")
  let vectors = words --> Embedding(count: 12, channels: 5, name: "vectors")
  let both_forward = vectors --> LSTM(units: 4, returns: .sequence, mask: vectors_mask, zerosMasked: true, name: "both/forward")
  let both_backward = vectors --> LSTM(units: 4, returns: .sequence, goesBackwards: true, mask: vectors_mask, zerosMasked: true, name: "both/backward")
  let both_backward_reversed = both_backward --> Reverse(name: "both/backward/reversed")
  let both = Concatenate([both_forward, both_backward_reversed], name: "both")
  let dropout = both --> Identity(name: "dropout")
  let gru = dropout --> GRU(units: 4, resetsAfter: true, mask: vectors_mask, name: "gru")
  let fc = gru --> Dense(neurons: 3, activation: .softmax(axis: -1), name: "fc")
  return try Model(
    name: "net", inputs: [words], outputs: [fc], loader: loader)
}

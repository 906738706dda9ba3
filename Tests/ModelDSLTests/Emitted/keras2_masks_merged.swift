// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras2-masks-merged.h5.
func keras2_masks_merged(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let words = Input(shape: [8], name: "words")
  let steps = Input(shape: [8, 4], name: "steps")
  let masking_mask = steps --> StepMask(value: 0.5, name: "masking/mask")
  let vectors_mask = words --> StepMask(isPerValue: true, name: "vectors/mask")
  let sum_mask = Multiply([vectors_mask, masking_mask], name: "sum/mask")
  let joined_mask = Multiply([masking_mask, vectors_mask], name: "joined/mask")
  let masking = steps --> Masking(value: 0.5, name: "masking")
  let vectors = words --> Embedding(count: 11, channels: 4, name: "vectors")
  let conv = masking --> Convolution1D(kernel: 3, channels: 4, name: "conv")
  let sum = Add([vectors, masking, conv], name: "sum")
  let joined = Concatenate([masking, vectors], name: "joined")
  let product = Multiply([conv, vectors], name: "product")
  let lstm = sum --> LSTM(units: 4, mask: sum_mask, name: "lstm")
  let gru = joined --> GRU(units: 4, resetsAfter: true, returns: .sequence, mask: joined_mask, name: "gru")
  let simple = product --> SimpleRNN(units: 3, mask: vectors_mask, name: "simple")
  return try Model(
    name: "net", inputs: [words, steps], outputs: [lstm, gru, simple], loader: loader)
}

// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-masks.h5.
func keras3_masks(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let words = Input(shape: [8], name: "words")
  let steps = Input(shape: [8, 3], name: "steps")
  let vectors_mask = words --> StepMask(isPerValue: true, name: "vectors/mask")
  let masking_mask = steps --> StepMask(value: 0.5, name: "masking/mask")
  let vectors = words --> Embedding(count: 11, channels: 4, name: "vectors")
  let dropout = vectors --> Identity(name: "dropout")
  let dense = dropout --> Dense(neurons: 5, activation: .relu, flattens: false, name: "dense")
  let normal = dense --> LayerNormalization(name: "normal")
  let added = Add([dense, normal], name: "added")
  let masking = steps --> Masking(value: 0.5, name: "masking")
  let joined = Concatenate([added, dropout], name: "joined")
  let each_2 = Dense(neurons: 4, flattens: false, name: "each/layer").applied(to: [masking], as: "each")
  let conv = masking --> Convolution1D(kernel: 3, channels: 4, name: "conv")
  let first = masking --> LSTM(units: 4, returns: .sequence, mask: masking_mask, name: "first")
  let lstm = joined --> LSTM(units: 4, mask: vectors_mask, name: "lstm")
  let gru_all = added --> GRU(units: 4, resetsAfter: true, returns: .sequence, mask: vectors_mask, name: "gru_all")
  let simple_backwards = dense --> SimpleRNN(units: 4, returns: .sequence, goesBackwards: true, mask: vectors_mask, name: "simple_backwards")
  let both_all_forward = dropout --> LSTM(units: 3, returns: .sequence, mask: vectors_mask, zerosMasked: true, name: "both_all/forward")
  let both_all_backward = dropout --> LSTM(units: 3, returns: .sequence, goesBackwards: true, mask: vectors_mask, zerosMasked: true, name: "both_all/backward")
  let both_all_backward_reversed = both_all_backward --> Reverse(name: "both_all/backward/reversed")
  let both_all = Concatenate([both_all_forward, both_all_backward_reversed], name: "both_all")
  let both_forward = normal --> GRU(units: 3, resetsAfter: true, mask: vectors_mask, name: "both/forward")
  let both_backward = normal --> GRU(units: 3, resetsAfter: true, goesBackwards: true, mask: vectors_mask, name: "both/backward")
  let both = Concatenate([both_forward, both_backward], name: "both")
  let mean = dropout --> MaskedAverage(mask: vectors_mask, name: "mean")
  let mean_masked = masking --> MaskedAverage(mask: masking_mask, keepDimensions: true, name: "mean_masked")
  let lstm_masked = masking --> LSTM(units: 3, mask: masking_mask, name: "lstm_masked")
  let gru_passed = each_2 --> GRU(units: 3, resetsAfter: true, mask: masking_mask, name: "gru_passed")
  let lstm_dropped = conv --> LSTM(units: 3, name: "lstm_dropped")
  let stacked_cell0 = masking --> LSTM(units: 3, returns: .sequence, goesBackwards: true, mask: masking_mask, name: "stacked/cell0")
  let stacked_cell0_mask = masking_mask --> Reverse(name: "stacked/cell0/mask")
  let stacked = GRU(units: 4, resetsAfter: true, returns: .sequence, mask: stacked_cell0_mask, name: "stacked/cell1").applied(to: [stacked_cell0], as: "stacked")
  let second = first --> GRU(units: 3, resetsAfter: true, mask: masking_mask, name: "second")
  return try Model(
    name: "net", inputs: [words, steps], outputs: [lstm, gru_all, simple_backwards, both_all, both, mean, mean_masked, lstm_masked, gru_passed, lstm_dropped, stacked, second], loader: loader)
}

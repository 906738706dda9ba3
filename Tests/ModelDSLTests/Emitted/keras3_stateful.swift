// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-stateful.h5.
func keras3_stateful(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let steps = Input(shape: [5, 3], name: "steps")
  let masking_mask = steps --> StepMask(value: 0.5, name: "masking/mask")
  let masking = steps --> Masking(value: 0.5, name: "masking")
  let read = steps --> LSTM(units: 3, statefulBatch: 2, name: "read")
  let read_1 = LSTM(units: 3, returns: .state, statefulBatch: 2, name: "read").applied(to: [steps], as: "read/1")
  let read_2 = LSTM(units: 3, returns: .cell, statefulBatch: 2, name: "read").applied(to: [steps], as: "read/2")
  let lstm = steps --> LSTM(units: 4, statefulBatch: 2, name: "lstm")
  let gru = steps --> GRU(units: 3, resetsAfter: true, returns: .sequence, statefulBatch: 2, name: "gru")
  let simple_backwards = steps --> SimpleRNN(units: 3, goesBackwards: true, statefulBatch: 2, name: "simple_backwards")
  let both_forward = steps --> LSTM(units: 3, returns: .sequence, statefulBatch: 2, zerosMasked: true, name: "both/forward")
  let both_backward = steps --> LSTM(units: 3, returns: .sequence, goesBackwards: true, statefulBatch: 2, zerosMasked: true, name: "both/backward")
  let both_backward_reversed = both_backward --> Reverse(name: "both/backward/reversed")
  let both = Concatenate([both_forward, both_backward_reversed], name: "both")
  let cells_cell0 = steps --> LSTM(units: 3, returns: .sequence, statefulBatch: 2, name: "cells/cell0")
  let cells = GRU(units: 4, resetsAfter: true, statefulBatch: 2, name: "cells/cell1").applied(to: [cells_cell0], as: "cells")
  let lstm_masked = masking --> LSTM(units: 3, mask: masking_mask, statefulBatch: 2, name: "lstm_masked")
  let gru_masked = masking --> GRU(units: 3, resetsAfter: true, returns: .sequence, mask: masking_mask, statefulBatch: 2, name: "gru_masked")
  let fresh = steps --> LSTM(units: 3, name: "fresh")
  let states = Concatenate([read, read_1, read_2], name: "states")
  return try Model(
    name: "net", inputs: [steps], outputs: [lstm, gru, simple_backwards, both, cells, lstm_masked, gru_masked, fresh, states], loader: loader)
}

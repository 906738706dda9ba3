// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-cells.h5.
func keras3_cells(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let steps = Input(shape: [5, 3], name: "steps")
  let lstm = LSTM(units: 4, returns: .sequence, name: "lstm/cell").applied(to: [steps], as: "lstm")
  let gru = GRU(units: 4, resetsAfter: true, goesBackwards: true, name: "gru/cell").applied(to: [steps], as: "gru")
  let simple = SimpleRNN(units: 3, name: "simple/cell").applied(to: [steps], as: "simple")
  let stacked_cell0 = steps --> LSTM(units: 4, returns: .sequence, name: "stacked/cell0")
  let stacked_cell1 = stacked_cell0 --> GRU(units: 3, resetsAfter: true, returns: .sequence, name: "stacked/cell1")
  let stacked_cell2 = stacked_cell1 --> GRU(units: 5, resetsAfter: false, returns: .sequence, name: "stacked/cell2")
  let stacked = SimpleRNN(units: 4, name: "stacked/cell3").applied(to: [stacked_cell2], as: "stacked")
  let stacked_backwards_cell0 = steps --> LSTM(units: 4, returns: .sequence, goesBackwards: true, name: "stacked_backwards/cell0")
  let stacked_backwards_cell1 = stacked_backwards_cell0 --> GRU(units: 3, resetsAfter: true, returns: .sequence, name: "stacked_backwards/cell1")
  let stacked_backwards_cell2 = stacked_backwards_cell1 --> GRU(units: 5, resetsAfter: false, returns: .sequence, name: "stacked_backwards/cell2")
  let stacked_backwards = SimpleRNN(units: 4, returns: .sequence, name: "stacked_backwards/cell3").applied(to: [stacked_backwards_cell2], as: "stacked_backwards")
  return try Model(
    name: "net", inputs: [steps], outputs: [lstm, gru, simple, stacked, stacked_backwards], loader: loader)
}

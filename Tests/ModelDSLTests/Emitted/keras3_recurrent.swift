// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-recurrent.h5.
func keras3_recurrent(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let steps = Input(shape: [7, 3], name: "steps")
  let simple = steps --> SimpleRNN(units: 4, name: "simple")
  let simple_all = steps --> SimpleRNN(units: 4, activation: .relu, returns: .sequence, useBias: false, name: "simple_all")
  let lstm = steps --> LSTM(units: 5, name: "lstm")
  let lstm_backwards = steps --> LSTM(units: 4, returns: .sequence, goesBackwards: true, name: "lstm_backwards")
  let lstm_hard = steps --> LSTM(units: 4, activation: .elu(alpha: 1.0), recurrentActivation: .hardSigmoid(slope: 0.16666666666666666), useBias: false, name: "lstm_hard")
  let lstm_unrolled = steps --> LSTM(units: 3, name: "lstm_unrolled")
  let gru = steps --> GRU(units: 5, resetsAfter: true, name: "gru")
  let gru_before = steps --> GRU(units: 4, resetsAfter: false, returns: .sequence, name: "gru_before")
  let gru_hard = steps --> GRU(units: 4, activation: .softsign, recurrentActivation: .hardSigmoid(slope: 0.16666666666666666), resetsAfter: true, goesBackwards: true, name: "gru_hard")
  let gru_bare = steps --> GRU(units: 3, resetsAfter: true, useBias: false, name: "gru_bare")
  let gru_before_bare = steps --> GRU(units: 3, resetsAfter: false, useBias: false, name: "gru_before_bare")
  return try Model(
    name: "net", inputs: [steps], outputs: [simple, simple_all, lstm, lstm_backwards, lstm_hard, lstm_unrolled, gru, gru_before, gru_hard, gru_bare, gru_before_bare], loader: loader)
}

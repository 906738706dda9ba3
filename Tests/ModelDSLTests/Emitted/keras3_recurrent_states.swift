// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-recurrent-states.h5.
func keras3_recurrent_states(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let steps = Input(shape: [6, 3], name: "steps")
  let start = Input(shape: [4], name: "start")
  let memory = Input(shape: [4], name: "memory")
  let encoder = steps --> LSTM(units: 4, returns: .sequence, name: "encoder")
  let encoder_1 = LSTM(units: 4, returns: .state, name: "encoder").applied(to: [steps], as: "encoder/1")
  let encoder_2 = LSTM(units: 4, returns: .cell, name: "encoder").applied(to: [steps], as: "encoder/2")
  let gru = encoder --> GRU(units: 4, resetsAfter: true, initialState: encoder_1, name: "gru")
  let gru_1 = GRU(units: 4, resetsAfter: true, returns: .state, initialState: encoder_1, name: "gru").applied(to: [encoder], as: "gru/1")
  let joined = Concatenate([gru, gru_1], name: "joined")
  let decoder = encoder --> LSTM(units: 4, returns: .sequence, initialState: (hidden: encoder_1, cell: encoder_2), name: "decoder")
  let fc_c = encoder_2 --> Dense(neurons: 3, name: "fc_c")
  let fc_g = joined --> Dense(neurons: 2, name: "fc_g")
  let fc_decoded = decoder --> Dense(neurons: 5, flattens: false, name: "fc_decoded")
  let begun = steps --> LSTM(units: 4, goesBackwards: true, initialState: (hidden: start, cell: memory), name: "begun")
  let simple = steps --> SimpleRNN(units: 4, initialState: start, name: "simple")
  return try Model(
    name: "net", inputs: [steps, start, memory], outputs: [fc_c, fc_g, fc_decoded, begun, simple], loader: loader)
}

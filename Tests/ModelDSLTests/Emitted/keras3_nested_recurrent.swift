// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-nested-recurrent.h5.
func keras3_nested_recurrent(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let steps = Input(shape: [5, 3], name: "steps")
  let body_lstm = steps --> LSTM(units: 3, returns: .sequence, name: "body/lstm")
  let body_both_forward = body_lstm --> GRU(units: 4, resetsAfter: true, returns: .sequence, zerosMasked: true, name: "body/both/forward")
  let body_both_backward = body_lstm --> GRU(units: 4, resetsAfter: true, returns: .sequence, goesBackwards: true, zerosMasked: true, name: "body/both/backward")
  let body_both_backward_reversed = body_both_backward --> Reverse(name: "body/both/backward/reversed")
  let body_both = Add([body_both_forward, body_both_backward_reversed], name: "body/both")
  let body_each = Dense(neurons: 3, flattens: false, name: "body/each/layer").applied(to: [body_both], as: "body/each")
  let body_1_lstm = LSTM(units: 3, returns: .sequence, name: "body/lstm").applied(to: [body_each], as: "body:1/lstm")
  let body_1_both_forward = GRU(units: 4, resetsAfter: true, returns: .sequence, zerosMasked: true, name: "body/both/forward").applied(to: [body_1_lstm], as: "body:1/both/forward")
  let body_1_both_backward = GRU(units: 4, resetsAfter: true, returns: .sequence, goesBackwards: true, zerosMasked: true, name: "body/both/backward").applied(to: [body_1_lstm], as: "body:1/both/backward")
  let body_1_both_backward_reversed = body_1_both_backward --> Reverse(name: "body:1/both/backward/reversed")
  let body_1_both = Add([body_1_both_forward, body_1_both_backward_reversed], name: "body:1/both")
  let body_1_each = Dense(neurons: 3, flattens: false, name: "body/each/layer").applied(to: [body_1_both], as: "body:1/each")
  let fc = body_1_each --> Dense(neurons: 2, flattens: false, name: "fc")
  return try Model(
    name: "net", inputs: [steps], outputs: [fc], loader: loader)
}

import ModelDSL
import ModelIR
import Testing

@Suite struct ProblemTests {
  @Test func `five mistakes get five messages`() {
    let input = Input(width: 9, height: 5, channels: 4, name: "image")
    let first = input --> Convolution(kernel: (3, 1), channels: 6, name: "conv1")
    _ = (first --> MaxPooling(kernel: (2, 2), name: "forgotten"))
    let small = first --> MaxPooling(kernel: (2, 6), name: "pool1")
    let again = input --> Convolution(kernel: (1, 3), channels: 6, name: "conv1")
    let odd = first --> Convolution(kernel: (1, 1), channels: 8, groups: 4, name: "grouped")
    let sum = Add([first, input], name: "sum")
    #expect(
      problem { () throws(NetconvError) in
        try Model(inputs: [input], outputs: [small, again, odd, sum])
      } == """
        5 problems in the model
          layer 'pool1': the output would have shape (0, 4, 6), which is empty; the input (5, 9, 6) is \
        smaller than the window
          layer 'conv1': is used again with other attributes; a layer under the same name shares its \
        parameters, so give this one another name; it reads (5, 9, 4)
          layer 'grouped': 4 groups do not divide 6 input and 8 output channels; it reads (5, 9, 6)
          layer 'sum': the inputs have shapes (5, 9, 6) and (5, 9, 4), which do not fit together
          layer 'forgotten': reads (5, 9, 6) and reaches no output; make it an output or leave it out
        """)
  }

  @Test func `a chain that reaches no output is named, node by node`() {
    let input = Input(width: 9, height: 5, channels: 4)
    let output = input --> GlobalAveragePooling()
    let side = input --> MaxPooling(kernel: (3, 1))
    _ = Add([side, side --> Activation(.relu)], name: "lost")
    #expect(
      problem { () throws(NetconvError) in try Model(input: input, output: output) } == """
        3 problems in the model
          layer 'pool_2': reads (5, 9, 4) and reaches no output; make it an output or leave it out
          layer 'activation_1': reads (5, 3, 4) and reaches no output; make it an output or leave it out
          layer 'lost': reads (5, 3, 4) and (5, 3, 4) and reaches no output; make it an output or leave \
        it out
        """)
  }

  @Test func `inputs and outputs that do not belong`() {
    let used = Input(shape: [2], name: "used")
    let spare = Input(shape: [3], name: "spare")
    let other = Input(shape: [2], name: "other")
    let sum = Add([used, other])
    #expect(
      problem { () throws(NetconvError) in
        try Model(inputs: [used, used, spare], outputs: [sum, sum, used])
      } == """
        5 problems in the model
          the input 'used' is named twice among the model's inputs
          the input 'spare' of shape (3) reaches no output; leave it out
          an output depends on the input 'other' of shape (2), which is not among the model's inputs
          layer 'add_1': is named twice among the model's outputs
          the output is the input 'used' of shape (2) itself; nothing is computed
        """)
    #expect(
      problem { () throws(NetconvError) in try Model(inputs: [], outputs: []) } == """
        2 problems in the model
          the model has no input; it needs at least one
          the model has no output; name at least one layer
        """)
  }

  @Test func `names that are taken, empty or missing`() {
    let input = Input(shape: [2], name: "x")
    let output =
      input --> Activation(.relu, name: "x") --> Dense(neurons: 2, name: "")
    #expect(
      problem { () throws(NetconvError) in
        try Model(input: input, output: output, parameters: anything)
      } == """
        2 problems in the model
          the name 'x' is used twice; each layer and input needs a unique name
          layer '': a layer or an input has an empty name; each needs a unique name; it reads (2)
        """)
  }

  @Test func `parameters cannot be shared by inputs of unlike depth`() {
    let input = Input(shape: [2])
    let dense = Dense(neurons: 3, name: "d")
    #expect(
      problem { () throws(NetconvError) in
        try Model(input: input, output: input --> dense --> dense, parameters: anything)
      }
        == "layer 'd_2': is used again for an input whose kernel would have shape [3, 3], not [2, 3]; "
        + "only inputs of the same depth can share parameters; it reads (3)")
  }

  @Test func `an image of another depth than a resizing says`() {
    let input = Input(width: 9, height: 5, channels: 1)
    #expect(
      problem { () throws(NetconvError) in
        try Model(input: input, output: input --> Resize(width: 2, height: 3, channels: 3))
      } == "layer 'resize_1': the image has a depth of 1, expected 3; it reads (5, 9, 1)")
  }

  @Test func `a concatenation of nothing`() {
    let input = Input(shape: [2])
    #expect(
      problem { () throws(NetconvError) in
        try Model(inputs: [input], outputs: [Concatenate([]), input --> Activation(.relu)])
      } == "layer 'concat_1': has 0 inputs, expected at least 2")
  }

  @Test func `parameters that are missing or of another size, all at once`() {
    let input = Input(width: 9, height: 5, channels: 4)
    let output =
      input --> Convolution(kernel: (3, 2), channels: 6, name: "conv1")
      --> Dense(neurons: 7, name: "fc1")
    #expect(
      problem { () throws(NetconvError) in
        try Model(input: input, output: output) { name, count, role throws(NetconvError) in
          switch (name, role) {
          case ("conv1", .kernel): StoredTensor(numbers(count - 1))
          case ("fc1", .kernel): StoredTensor(numbers(count), layout: .oi)
          case ("fc1", .bias): throw NetconvError(.cannotOpen, "no such file")
          default: nil
          }
        }
      } == """
        4 problems in the model
          layer 'conv1', tensor 'kernel': there are 143 values, expected 144: [2, 3, 4, 6] (HWIO)
          layer 'conv1', tensor 'bias': the bias is missing; expected shape [6] (O)
          layer 'fc1', tensor 'kernel': layout OI does not have the axes of this parameter, H=5 W=9 I=6 \
        O=7; write them in the order of the file, for example (HWI)O
          layer 'fc1', tensor 'bias': no such file
        """)
  }
}

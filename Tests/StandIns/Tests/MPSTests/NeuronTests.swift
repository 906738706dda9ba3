import MetalPerformanceShaders
import Testing

/// Written by neurons.py: the function of -2, -0.5, 0 and 3 for parameters a, b and c.
private let table: [(MPSCNNNeuronType, Float, Float, Float, [Float])] = [
  (.sigmoid, 0, 0, 0, [0.119202922, 0.377540669, 0.5, 0.952574127]),
  (.linear, 2, 3, 0, [-1, 2, 3, 9]),
  (.reLU, 0.25, 0, 0, [-0.5, -0.125, 0, 3]),
  (.reLUN, 0.5, 2, 0, [-1, -0.25, 0, 2]),
  (.hardSigmoid, 0.2, 0.5, 0, [0.1, 0.4, 0.5, 1]),
  (.tanH, 2, 0.5, 0, [-1.52318831, -0.489837325, 0, 1.81029651]),
  (.absolute, 0, 0, 0, [2, 0.5, 0, 3]),
  (.softPlus, 2, 0.5, 0, [0.626523375, 1.15187884, 1.38629436, 3.40282656]),
  (.softSign, 0, 0, 0, [-0.666666667, -0.333333333, 0, 0.75]),
  (.ELU, 1.5, 0, 0, [-1.29699708, -0.59020401, 0, 3]),
  (.power, 1, 4, 2, [4, 12.25, 16, 49]),
  (.exponential, 2, 1, 3, [0.037037037, 1, 3, 2187]),
  (.exponential, 2, 1, -1, [0.0497870684, 1, 2.71828183, 1096.63316]),
  (.logarithm, 1, 4, 10, [0.301029996, 0.544068044, 0.602059991, 0.84509804]),
  (.logarithm, 1, 4, -1, [0.693147181, 1.25276297, 1.38629436, 1.94591015]),
  (.geLU, 0, 0, 0, [-0.0455002639, -0.154268769, 0, 2.99595031]),
]

@Suite struct NeuronTests {
  let lab = Lab()

  @Test(arguments: table.indices) func `each function`(_ index: Int) {
    let (type, a, b, c, expected) = table[index]
    let withoutParameters = a == 0 && b == 0 && c == 0
    let neuron = MPSCNNNeuron(
      device: lab.device,
      neuronDescriptor: withoutParameters
        ? .cnnNeuronDescriptor(with: type) : .cnnNeuronDescriptor(with: type, a: a, b: b, c: c))
    let found = lab.run(neuron, on: lab.row([-2, -0.5, 0, 3]), 4, 1, 1)
    for (value, wanted) in zip(found, expected) {
      // Four roundings of float32, relative.
      #expect(abs(value - wanted) <= 5e-7 * max(1, abs(wanted)), "\(type)")
    }
  }

  @Test func `a parameter for each channel`() {
    let slopes: [Float] = [0.5, 0.25, 0, -1, 2]
    let neuron = MPSCNNNeuron(
      device: lab.device,
      neuronDescriptor: .cnnNeuronPReLUDescriptor(
        with: slopes.withUnsafeBytes { Data($0) }, noCopy: false))
    let source = lab.image([-8, -8, -8, -8, -8, 8, 8, 8, 8, 8], 2, 1, 5)
    #expect(lab.run(neuron, on: source, 2, 1, 5) == [-4, -2, 0, 8, -16, 8, 8, 8, 8, 8])
  }

  @Test func `a function that needs parameters does not guess them`() async {
    await #expect(processExitsWith: .failure) {
      _ = MPSNNNeuronDescriptor.cnnNeuronDescriptor(with: .reLU)
    }
  }
}

import ModelIR
import Testing

@Suite struct NearestNameTests {
  static let operators = [
    "Add", "Dense", "Dot", "Convolution2D", "DepthwiseConvolution2D", "MaxPooling2D",
    "GlobalMaxPooling2D", "Multiply", "Maximum", "Minimum", "Scale",
  ]
  static let options = ["--target", "--force", "--formats", "--weights-only", "--output", "--into"]

  @Test(arguments: [
    ("Convolution2d", "Convolution2D"), ("Convolutin2D", "Convolution2D"), ("Desne", "Dense"),
    ("dense", "Dense"), ("MaxPoling2D", "MaxPooling2D"), ("Multipy", "Multiply"), ("Ad", "Add"),
    ("Dto", "Dot"), ("Conv2D", "Convolution2D"), ("DepthwiseConv2D", "DepthwiseConvolution2D"),
    ("Minimun", "Minimum"),
  ])
  func `what was probably meant`(_ name: String, _ expected: String) {
    #expect(nearest(to: name, among: Self.operators) == expected)
  }

  @Test(arguments: [
    ("--tagret", "--target"), ("--froce", "--force"), ("--format", "--formats"),
    ("--weights", "--weights-only"), ("--out", "--output"), ("--TARGET", "--target"),
  ])
  func `options too`(_ name: String, _ expected: String) {
    #expect(nearest(to: name, among: Self.options) == expected)
  }

  @Test(arguments: ["", "A", "LSTM", "Embedding", "Attention", "2D", "D", "Densenet121Backbone"])
  func `nothing is near`(_ name: String) {
    #expect(nearest(to: name, among: Self.operators) == nil)
  }

  @Test func `two that are equally near: the first`() {
    #expect(nearest(to: "bat", among: ["cat", "hat"]) == "cat")
    #expect(nearest(to: "bat", among: ["hat", "cat"]) == "hat")
  }

  @Test func `the nearest wins, wherever it stands`() {
    #expect(nearest(to: "kernel_siez", among: ["kernel_sizes", "kernel_size"]) == "kernel_size")
  }

  @Test func `a name that nobody wrote is not compared`() {
    let long = String(repeating: "a", count: 1 << 20)
    #expect(nearest(to: long, among: [long]) == nil)
    #expect(nearest(to: "aaaa", among: [long]) == nil)
  }
}

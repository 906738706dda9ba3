import ModelIR
import Testing

@Suite struct MessageTests {
  private let message: Message =
    "holds \(3) of \("a"); leave out \(.weightsOnly) or \(.elementTypeOf(layer: "fc", .float32))"

  @Test func `a message is a whole sentence in the words of the library`() {
    #expect("\(message)" == "holds 3 of a; leave out 'weightsOnly' or float32 for 'fc'")
  }

  @Test func `the program that shows a message words its remedies`() {
    let words = { (remedy: Remedy) in remedy == .weightsOnly ? "-w" : "-t" }
    #expect(message.worded(by: words) == "holds 3 of a; leave out -w or -t")
  }

  @Test func `remedies are values, in the order of the text`() {
    #expect(message.remedies == [.weightsOnly, .elementTypeOf(layer: "fc", .float32)])
  }

  @Test func `a message in a message keeps its remedies`() {
    let outer: Message = "x.h5: \(message)"
    #expect(outer.remedies == message.remedies)
    #expect(["x.h5", message].joined(separator: ": ") == outer)
  }

  @Test func `equal texts are equal messages, however they came together`() {
    #expect("a" + "b" + "\("c") \(.force)" == ("abc \(.force)" as Message))
    #expect(("'force'" as Message) != "\(.force)")
    #expect([Message]().joined(separator: ", ") == "")
  }

  @Test func `an error knows the remedies of its text and of its list`() {
    let error = NetconvError(.usage, text: "try \(.force)", list: ["or \(.strict)"]).inFile("a")
    #expect(error.remedies == [.force, .strict])
    #expect(error.description == "a: try 'force'\n  or 'strict'")
    #expect(error.headline.remedies == [.force])
  }
}

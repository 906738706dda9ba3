import Foundation
import ModelIR
import Operators
import TFLiteExport
import TestSupport
import Testing

@Suite("The documented TensorFlow Lite forms of operators are those that are written")
struct TFLiteOperatorTableTests {
  private static let document = "\(Fixtures.repository)/Docs/targets/tflite.md"

  /// Keeps the text above the table; `make docs` sets `NETCONV_WRITE_DOCS`.
  @Test("the table is the one that the forms give; make docs writes it")
  func table() throws {
    let text = try String(contentsOfFile: Self.document, encoding: .utf8)
    let head = text.range(of: "| operator |").map { String(text[..<$0.lowerBound]) } ?? text
    let expected = head + TFLiteOperatorTable.markdown
    if ProcessInfo.processInfo.environment["NETCONV_WRITE_DOCS"] != nil {
      try expected.write(toFile: Self.document, atomically: true, encoding: .utf8)
    } else {
      #expect(text == expected, "Docs/targets/tflite.md is stale; run make docs")
    }
  }

  @Test(
    "all operators but those of convolutional recurrence, volumes, integers and indices have a form"
  )
  func refused() {
    var refused: [String] = []
    for type in OperatorRegistry.all where TFLiteOperatorTable.operations(of: type) == nil {
      refused.append(type.name)
    }
    #expect(
      refused == [
        "AdaptiveAveragePooling3D", "AveragePooling3D", "Convolution3D", "ConvolutionalLSTM1D",
        "ConvolutionalLSTM2D", "ConvolutionalLSTM3D", "Gather", "MaxPooling3D", "Quantized",
        "TopK", "TransposedConvolution3D", "UpSampling3D",
      ])
  }
}

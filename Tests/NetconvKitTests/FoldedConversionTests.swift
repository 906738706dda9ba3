import Execution
import Foundation
import ModelIR
import NetconvKit
import Operators
import Readers
import TestSupport
import Testing

/// The oracle is Keras: its predictions are stored beside each checkpoint.
@Suite("What is converted with folded layers predicts what Keras does")
struct FoldedConversionTests {
  /// The checkpoints with a BatchNormalization or a Scale, and with Keras's predictions.
  static let checkpoints: [String] = ConversionEqualityTests.checkpoints.filter { name in
    guard let model = try? ReaderRegistry.read(Fixtures.path("keras/\(name)")).model else {
      return false
    }
    return model.layers.contains { $0.operation is BatchNormalization || $0.operation is Scale }
  }

  @Test("within 1e-5 of the largest output", arguments: checkpoints)
  func parity(checkpoint: String) throws {
    let folder = try TemporaryFolder()
    let source = Fixtures.path("keras/\(checkpoint)")
    var request = ConvertRequest(source: source, destination: folder.file("out"))
    request.foldsBatchNormalization = true
    // As little memory as there may be.
    request.memoryLimit = ConvertRequest.leastMemoryLimit
    let record = try #require(try Netconv.convert(request).folded)
    let (before, after) = (
      try ReaderRegistry.read(source).model, try ReaderRegistry.read(folder.file("out")).model
    )
    #expect(after.layers.count == before.layers.count - record.layers.count)
    let stored = try arrays(Fixtures.path("keras/" + checkpoint.dropLast(3) + ".npz"))
    var inputs: [String: NDArray<Float>] = [:]
    for input in before.inputs {
      let array = try #require(stored[input.name] ?? stored["input"])
      inputs[input.name] = NDArray(shape: array.shape, values: array.values)
    }
    for kind in EngineKind.allCases {
      let found = try kind.engine(for: after).run(inputs)
      for (old, new) in zip(before.outputs, after.outputs) {
        let difference = relativeDifference(
          try #require(found[new]).values, try #require(stored[old]).values)
        #expect(difference < 1e-5, "\(kind) \(old)")
      }
    }
  }

  @Test("some of them can be folded, and some cannot")
  func both() throws {
    var (folded, kept) = (0, 0)
    for checkpoint in Self.checkpoints {
      let folder = try TemporaryFolder()
      var request = ConvertRequest(
        source: Fixtures.path("keras/\(checkpoint)"), destination: folder.file("out.netpack"))
      request.foldsBatchNormalization = true
      let record = try #require(try Netconv.convert(request).folded)
      folded += record.layers.count
      kept += record.kept.count
    }
    #expect(folded >= 4)
    #expect(kept >= 4)
  }
}

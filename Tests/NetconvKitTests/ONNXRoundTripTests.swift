import Datasets
import Digests
import Execution
import Foundation
import ModelIR
import NetconvKit
import Readers
import TestSupport
import Testing

/// Models that are written as ONNX and read again return Keras's outputs.
///
/// `Tools/onnx/written.py` tests the same with ONNX Runtime.
@Suite("ONNX and back")
struct ONNXRoundTripTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func convert(
    _ source: String, channelsFirst: Bool = false, _ type: ElementType = .float32
  ) throws -> String {
    let path = folder.file("model.onnx")
    var request = ConvertRequest(source: source, destination: path)
    request.channelsFirst = channelsFirst
    request.elementType = type
    request.force = true
    _ = try Netconv.convert(request)
    return path
  }

  /// Fixtures with each kind of layer that is written, whose graph is read again.
  static let fixtures = [
    "keras2-bidirectional", "keras2-concatenate", "keras2-conv-dilated",
    "keras2-conv-groups", "keras2-conv-same", "keras2-conv-strides", "keras2-conv1d",
    "keras2-dense-rank3", "keras2-depthwise", "keras2-embedding", "keras2-flatten-bn",
    "keras2-flatten-dense", "keras2-functions", "keras2-global-pooling", "keras2-merges",
    "keras2-normalizations", "keras2-pooling", "keras2-recurrent",
    "keras2-reshaping", "keras2-residual", "keras2-separable", "keras2-shared-layer",
    "keras2-transposed", "keras2-two-inputs", "keras2-zero-padding", "keras3-batch-norm",
    "keras3-first-layers", "keras3-group-normalizations", "keras3-resizings",
  ]

  // Float32 sums of a few hundred products differ from float64 by some 1e-7 of the largest output.
  @Test("every fixture gives Keras's outputs within 1e-5", arguments: fixtures)
  func outputs(fixture: String) throws {
    let stored = try arrays(Fixtures.path("keras/\(fixture).npz"))
    let before = try ReaderRegistry.read(Fixtures.path("keras/\(fixture).h5")).model
    let after = try ReaderRegistry.read(
      convert(Fixtures.path("keras/\(fixture).h5"))
    ).model
    #expect(after.inputs.map(\.name) == before.inputs.map(\.name))
    #expect(after.inputs.map(\.shape) == before.inputs.map(\.shape))
    var inputs: [String: NDArray<Float>] = [:]
    for input in after.inputs {
      let array = try #require(stored[input.name] ?? stored["input"])
      inputs[input.name] = NDArray(shape: array.shape, values: array.values)
    }
    let found = try EngineKind.fast.engine(for: after).run(inputs)
    // Outputs keep their order; they are called after the nodes that give them.
    try #require(after.outputs.count == before.outputs.count)
    for (name, own) in zip(before.outputs, after.outputs) {
      let output = try #require(found[own])
      let expected = try #require(stored[name])
      #expect(output.shape == expected.shape, "\(name)")
      #expect(relativeDifference(output.values, expected.values) < 1e-5, "\(name)")
    }
  }

  @Test("weights in float16 are widened where they are read")
  func float16() throws {
    let model = try ReaderRegistry.read(
      convert(Fixtures.path("keras/keras2-flatten-dense.h5"), .float16)
    ).model
    let before = try ReaderRegistry.read(Fixtures.path("keras/keras2-flatten-dense.h5")).model
    let kernels = [model, before].map { model in
      model.tensors.filter { $0.spec.role == .kernel }
    }
    try #require(kernels[0].count == 3 && kernels[1].count == 3)
    for (own, other) in zip(kernels[0], kernels[1]) {
      // The same values, rounded to eleven digits of two.
      let (own, other) = (try own.values(), try other.values().map { Float(Float16($0)) })
      #expect(own.sorted() == other.sorted())
    }
  }

  @Test("weights in int8 are multiplied by the scales of their channels")
  func int8() throws {
    for fixture in ["keras2-flatten-dense", "keras2-depthwise", "keras2-recurrent"] {
      let source = Fixtures.path("keras/\(fixture).h5")
      let model = try ReaderRegistry.read(convert(source, .int8)).model
      let before = try ReaderRegistry.read(source).model
      #expect(model.tensors.count > 1)
      for tensor in model.tensors where tensor.spec.kind == .convolution {
        let layer = try #require(before.layer(named: tensor.layer))
        let kernel = try #require(layer.parameter(.kernel))
        // The output channels are the slowest axis.
        let (own, exact) = (try tensor.canonical().values(), try kernel.canonical().values())
        let count = own.count / (tensor.spec.sizes[.outputChannels] ?? 1)
        for start in stride(from: 0, to: own.count, by: count) {
          let channel = exact[start..<start + count]
          let scale = try #require(channel.map(abs).max()) / 127 * (1 + 0x1p-15)
          for (value, other) in zip(own[start..<start + count], channel) {
            #expect(abs(value - other) <= scale / 2)
          }
          #expect(Set(own[start..<start + count]) != Set(channel))
        }
      }
    }
  }

  // Of this file `Tools/onnx/written.py` says that onnx.checker takes it, and that onnxruntime 1.32 gives the outputs of
  // `netconv run`. What changes a byte changes what was checked.
  @Test("the file that was checked is the one that is written")
  func bytes() throws {
    let path = try convert(Fixtures.path("keras/keras2-residual.h5"))
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
    #expect(
      hexadecimal(SHA256.hash(of: bytes))
        == "c5d2278123f98b7b6653a5f5d4e23d162bc46e61bd3f3d8a65142194c0381bae")
  }
}

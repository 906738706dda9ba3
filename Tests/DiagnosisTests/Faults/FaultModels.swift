import Datasets
import Execution
import Foundation
import ModelIR
import Readers
import TestSupport

/// A correct model and its inputs.
struct FaultModel: Sendable {
  let name: String
  let model: Model
  let inputs: [String: NDArray<Float>]

  /// Models of many kinds: flattens in either order, groups, depths, strides, paddings, normalisations, branches.
  static let all = [
    "keras2-conv-same", "keras3-conv-groups", "keras2-conv-strides", "keras3-batch-norm",
    "keras2-depthwise", "keras3-separable", "keras2-transposed", "keras3-flatten-dense",
    "keras2-flatten-bn", "keras3-residual", "keras2-zero-padding", "keras3-application-layers",
    "keras2-two-inputs", "keras3-normalizations", "lenet",
  ]

  /// The model of a fixture with the inputs stored beside it, or LeNet with the first digits of the test set.
  init(_ name: String) throws {
    self.name = name
    if name == "lenet" {
      model = try ReaderRegistry.read(Fixtures.sample("lenet-blobs")).model
      let images = try LabeledImages.mnist()
      let pixels = try images.values(of: 0..<4).map { $0 * (1 / 255) }
      inputs = [model.inputs[0].name: NDArray(shape: [4, 28, 28, 1], values: pixels)]
      return
    }
    model = try ReaderRegistry.read(Fixtures.path("keras/\(name).h5")).model
    let stored = try arrays(Fixtures.path("keras/\(name).npz"))
    var inputs: [String: NDArray<Float>] = [:]
    for input in model.inputs {
      guard let array = stored[input.name] ?? stored["input"] else { continue }
      inputs[input.name] = NDArray(shape: array.shape, values: array.values)
    }
    self.inputs = inputs
  }
}

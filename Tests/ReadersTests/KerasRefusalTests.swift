import ModelIR
import Readers
import TestSupport
import Testing

@Suite("Keras checkpoints that cannot be read say why")
struct KerasRefusalTests {
  private func error(_ name: String) throws -> NetconvError {
    try #require(throws: NetconvError.self) {
      try ReaderRegistry.read(Fixtures.path("keras/\(name).h5"))
    }
  }

  @Test(
    "each with the layer, what was found and what was expected",
    arguments: [
      (
        "missing-weight",
        "layer 'conv': weight_names lists 'conv/bias:0', but there is no such dataset; the file is "
          + "damaged, so save the model again"
      ),
      (
        "missing-weight-name",
        "layer 'conv': the weight 'bias' is missing; the file holds 'kernel'"
      ),
      (
        "missing-layer",
        "layer 'fc': the weight 'kernel' is missing; the file holds none for this layer"
      ),
      (
        "extra-weight",
        "layer 'conv': the file holds a weight 'scale' that the layer does not have; expected kernel, "
          + "bias"
      ),
      (
        "wrong-shape",
        "layer 'conv', tensor 'kernel': shape is [2, 3, 2, 4], expected [3, 2, 2, 4] (H, W, I, O); correct the "
          + "layer or its weights"
      ),
    ])
  func weights(fixture: String, text: String) throws {
    let error = try error(fixture)
    #expect(error.kind == .badData)
    #expect(error.description == Fixtures.path("keras/\(fixture).h5") + ": " + text)
  }

  @Test("unsupported layers are listed at once, with name, class and place")
  func unsupportedLayers() throws {
    let error = try error("keras3-unsupported")
    #expect(error.remedies == [.convertWeightsOnly])
    #expect(
      error.message
        == "1 layer is not supported; a conversion with 'weightsOnly' writes the tensors without a graph"
    )
    #expect(
      error.details == [
        "'bins' (Discretization), layer 4 of 9"
      ])
  }

  @Test("settings that Keras does not mean, or does not compute right, are refused")
  func refusedSettings() throws {
    #expect(
      try error("keras3-refused-settings").details == [
        "'crop' (RandomCrop), layer 2 of 7: Keras 3 crops in training only, and then leaves images as "
          + "they are, whatever shape the layer states; put a CenterCrop or a Resizing in its place",
        "'gated' (Dense), layer 3 of 7: activation is \"glu\", which halves the channels that the layer "
          + "states; put it into an Activation layer of its own",
        "'sparse' (Dense), layer 4 of 7: activation is \"sparsemax\", which Keras computes "
          + "differently with each backend; with TensorFlow most of its results are 0",
        "'sparse_layer' (Activation), layer 5 of 7: activation is \"sparsemax\", which Keras "
          + "computes differently with each backend; with TensorFlow most of its results are 0",
        "'order' (LayerNormalization), layer 6 of 7: axis is [-1, 1], expected axes in ascending order, "
          + "without the batch",
        "'repeated' (Normalization), layer 7 of 7: mean is [[1], [1], [1], [1], [1], [1]], expected a "
          + "number, or one for each place along the axes",
      ])
  }
}

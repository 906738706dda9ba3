internal import Memory
import ModelIR

/// The texts of the errors that this module and the engines share.
extension NetconvError {
  package static func unknownLayerSize(_ shape: Shape) -> NetconvError {
    NetconvError(
      .usage,
      "the output has shape \(shape), whose size does not follow from the inputs; fix it in the model"
    )
  }

  package static func planTooLarge(samples count: Int) -> NetconvError {
    NetconvError(
      .usage,
      "running \(samples(count)) needs more than \(MemoryBound.description); run on "
        + "smaller batches or smaller inputs, or keep fewer layers")
  }
}

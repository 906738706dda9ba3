/// A softmax over the channels of each pixel.
struct SoftMaxKernel: MPSCNNKernel {
  func type(in name: PackageName) -> String { "MPSCNNSoftMax" }
}

/// The logarithm of a softmax over the channels of each pixel.
struct LogSoftMaxKernel: MPSCNNKernel {
  func type(in name: PackageName) -> String { "MPSCNNLogSoftMax" }
}

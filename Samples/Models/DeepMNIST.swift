import ModelDSL
import ModelIR

/// The network of `Samples/deep-mnist`, in the model language.
public enum DeepMNIST {
  /// The network with parameters from `loader`; its layers are called as in `deep-mnist.h5`.
  public static func model(_ loader: ParameterLoader) throws(NetconvError) -> Model {
    let image = Input(width: 28, height: 28, channels: 1, name: "image")
    let digit =
      image
      --> Convolution(kernel: (5, 5), channels: 32, activation: .relu, name: "conv1")
      --> MaxPooling(kernel: (2, 2))
      --> Convolution(kernel: (5, 5), channels: 64, activation: .relu, name: "conv2")
      --> MaxPooling(kernel: (2, 2))
      --> Dense(neurons: 1024, activation: .relu, name: "fc1")
      --> Dense(neurons: 10, name: "fc2")
      --> Softmax()
    return try Model(name: "deep-mnist", input: image, output: digit, loader: loader)
  }
}

import ModelDSL
import ModelIR

/// The network of `Samples/lenet-blobs`, in the model language.
public enum LeNet {
  /// The network with parameters from `loader`; its layers are called as in `model.json`.
  public static func model(_ loader: ParameterLoader) throws(NetconvError) -> Model {
    let image = Input(
      width: 28, height: 28, channels: 1, name: "image", scale: 1.0 / 255, offset: 0)
    // 3 columns, 5 rows.
    let digit =
      image
      --> Convolution(
        kernel: (3, 5), channels: 8, padding: .valid, activation: .relu, name: "conv1")
      --> MaxPooling(kernel: (2, 2))
      --> Convolution(
        kernel: (3, 5), channels: 16, padding: .valid, activation: .relu, name: "conv2")
      --> MaxPooling(kernel: (2, 2))
      --> Dense(neurons: 64, activation: .relu, name: "fc1")
      --> Dense(neurons: 10, name: "fc2")
      --> Softmax()
    return try Model(name: "lenet", input: image, output: digit, loader: loader)
  }
}

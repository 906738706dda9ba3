import ModelDSL
import ModelIR

/// Inception-v3 (Szegedy et al., "Rethinking the Inception Architecture for Computer Vision", 2015) as
/// Keras has it; its layers are called as in Keras's checkpoints.
public struct InceptionV3 {
  /// 299 x 299 pixels of red, green and blue, from -1 to 1.
  public let image = Input(width: 299, height: 299, channels: 3, name: "input_1")
  /// The 1000 classes before the softmax.
  public let logits: Node
  /// The 1000 classes.
  public let predictions: Node

  /// The network.
  ///
  /// - Parameter folded: whether the normalisations are folded into the convolutions, which then have a bias.
  public init(folded: Bool = false) {
    let layers = Blocks(folded: folded)
    let stem = layers.stem(image.node)
    var x = layers.smallGrid(stem, pooled: 32, name: "mixed0")
    x = layers.smallGrid(x, pooled: 64, name: "mixed1")
    x = layers.smallGrid(x, pooled: 64, name: "mixed2")
    x = layers.reduceToMiddleGrid(x, name: "mixed3")
    x = layers.middleGrid(x, inner: 128, name: "mixed4")
    x = layers.middleGrid(x, inner: 160, name: "mixed5")
    x = layers.middleGrid(x, inner: 160, name: "mixed6")
    x = layers.middleGrid(x, inner: 192, name: "mixed7")
    x = layers.reduceToLastGrid(x, name: "mixed8")
    x = layers.lastGrid(x, number: 0, name: "mixed9")
    x = layers.lastGrid(x, number: 1, name: "mixed10")
    logits =
      (x --> GlobalAveragePooling(name: "avg_pool") --> Dense(neurons: 1000, name: "predictions"))
    predictions = (logits --> Softmax(name: "softmax"))
  }

  /// The model with parameters from `loader`.
  public func model(_ loader: ParameterLoader) throws(NetconvError) -> Model {
    try Model(name: "inception_v3", input: image, output: predictions, loader: loader)
  }
}

/// The blocks that the network is made of; they count its convolutions as Keras does.
private final class Blocks {
  private let folded: Bool
  private var count = 0

  init(folded: Bool) {
    self.folded = folded
  }

  /// A convolution, its normalisation and its rectifier.
  private func conv(
    _ x: Node, _ channels: Int, _ kernel: (width: Int, height: Int), stride: Int = 1,
    padding: Padding = .same
  ) -> Node {
    let number = count == 0 ? "" : "_\(count)"
    count += 1
    let sum =
      x
      --> Convolution(
        kernel: kernel, channels: channels, stride: (stride, stride), padding: padding,
        useBias: folded, name: "conv2d" + number)
    let normalized =
      folded ? sum : sum
      --> BatchNormalization(useScale: false, name: "batch_normalization" + number)
    return normalized --> Activation(.relu)
  }

  private func averaged(_ x: Node) -> Node {
    x --> AveragePooling(kernel: (3, 3), stride: (1, 1), padding: .same)
  }

  private func halved(_ x: Node) -> Node {
    x --> MaxPooling(kernel: (3, 3), stride: (2, 2))
  }

  /// 299 x 299 x 3 to 35 x 35 x 192.
  func stem(_ image: Node) -> Node {
    var x = conv(image, 32, (3, 3), stride: 2, padding: .valid)
    x = conv(x, 32, (3, 3), padding: .valid)
    x = halved(conv(x, 64, (3, 3)))
    x = conv(x, 80, (1, 1), padding: .valid)
    return halved(conv(x, 192, (3, 3), padding: .valid))
  }

  /// 35 x 35.
  func smallGrid(_ x: Node, pooled: Int, name: String) -> Node {
    let one = conv(x, 64, (1, 1))
    let five = conv(conv(x, 48, (1, 1)), 64, (5, 5))
    let three = conv(conv(conv(x, 64, (1, 1)), 96, (3, 3)), 96, (3, 3))
    return Concatenate([one, five, three, conv(averaged(x), pooled, (1, 1))], name: name).node
  }

  /// 35 x 35 to 17 x 17 x 768.
  func reduceToMiddleGrid(_ x: Node, name: String) -> Node {
    let three = conv(x, 384, (3, 3), stride: 2, padding: .valid)
    let twice = conv(
      conv(conv(x, 64, (1, 1)), 96, (3, 3)), 96, (3, 3), stride: 2, padding: .valid)
    return Concatenate([three, twice, halved(x)], name: name).node
  }

  /// 17 x 17, with kernels of one row and of one column.
  func middleGrid(_ x: Node, inner: Int, name: String) -> Node {
    let one = conv(x, 192, (1, 1))
    let seven = conv(conv(conv(x, inner, (1, 1)), inner, (7, 1)), 192, (1, 7))
    var twice = conv(x, inner, (1, 1))
    twice = conv(conv(twice, inner, (1, 7)), inner, (7, 1))
    twice = conv(conv(twice, inner, (1, 7)), 192, (7, 1))
    return Concatenate([one, seven, twice, conv(averaged(x), 192, (1, 1))], name: name).node
  }

  /// 17 x 17 to 8 x 8 x 1280.
  func reduceToLastGrid(_ x: Node, name: String) -> Node {
    let three = conv(conv(x, 192, (1, 1)), 320, (3, 3), stride: 2, padding: .valid)
    var seven = conv(conv(conv(x, 192, (1, 1)), 192, (7, 1)), 192, (1, 7))
    seven = conv(seven, 192, (3, 3), stride: 2, padding: .valid)
    return Concatenate([three, seven, halved(x)], name: name).node
  }

  /// 8 x 8 x 2048, with concatenations in the concatenation.
  func lastGrid(_ x: Node, number: Int, name: String) -> Node {
    let one = conv(x, 320, (1, 1))
    let three = conv(x, 384, (1, 1))
    let split = Concatenate(
      [conv(three, 384, (3, 1)), conv(three, 384, (1, 3))], name: "mixed9_\(number)")
    let twice = conv(conv(x, 448, (1, 1)), 384, (3, 3))
    let splitTwice = Concatenate([conv(twice, 384, (3, 1)), conv(twice, 384, (1, 3))])
    return Concatenate(
      [one, split, splitTwice, conv(averaged(x), 192, (1, 1))], name: name
    ).node
  }
}

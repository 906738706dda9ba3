// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-reshaping.h5.
func keras3_reshaping(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 5, height: 6, channels: 3, name: "image")
  let conv = image --> Convolution(kernel: (3, 2), channels: 4, padding: .valid, name: "conv")
  let turned = conv --> Permute(order: [2, 0, 1], name: "turned")
  let flatten = turned --> Flatten(name: "flatten")
  let crop = image --> Cropping(left: 0, right: 2, top: 1, bottom: 0, name: "crop")
  let fc = flatten --> Dense(neurons: 4, name: "fc")
  let nearest = crop --> UpSampling(size: (3, 2), name: "nearest")
  let bilinear = conv --> UpSampling(size: (2, 3), interpolation: .bilinear, name: "bilinear")
  let repeated = fc --> RepeatVector(count: 3, name: "repeated")
  let inner = image --> Cropping(left: 1, right: 1, top: 1, bottom: 1, name: "inner")
  return try Model(
    name: "net", inputs: [image], outputs: [nearest, bilinear, turned, repeated, inner], loader: loader)
}

// swift-format-ignore-file
import ModelDSL
import ModelIR

/// The model net, as netconv has read it from keras3-adaptive-pooling.h5.
func keras3_adaptive_pooling(_ loader: ParameterLoader) throws(NetconvError) -> Model {
  let image = Input(width: 11, height: 7, channels: 3, name: "image")
  let steps = Input(shape: [10, 2], name: "steps")
  let mean = image --> AdaptiveAveragePooling(size: (4, 3), name: "mean")
  let max = image --> AdaptiveMaxPooling(size: (4, 3), name: "max")
  let mean_more = image --> AdaptiveAveragePooling(size: (5, 9), name: "mean_more")
  let max_more = image --> AdaptiveMaxPooling(size: (13, 5), name: "max_more")
  let max_one = image --> AdaptiveMaxPooling(size: (1, 1), name: "max_one")
  let mean_rows = image --> AdaptiveAveragePooling(size: (1, 7), name: "mean_rows")
  let mean_steps = steps --> AdaptiveAveragePooling1D(size: 4, name: "mean_steps")
  let max_steps = steps --> AdaptiveMaxPooling1D(size: 4, name: "max_steps")
  let mean_steps_more = steps --> AdaptiveAveragePooling1D(size: 13, name: "mean_steps_more")
  let max_steps_even = steps --> AdaptiveMaxPooling1D(size: 5, name: "max_steps_even")
  let image_channels_last = image --> Permute(order: [1, 2, 0], name: "image/channels_last")
  let max_first_channels_last = image_channels_last --> AdaptiveMaxPooling(size: (3, 2), name: "max_first/channels_last")
  let max_first = max_first_channels_last --> Permute(order: [2, 0, 1], name: "max_first")
  return try Model(
    name: "net", inputs: [image, steps], outputs: [mean, max, mean_more, max_more, max_one, mean_rows, mean_steps, max_steps, mean_steps_more, max_steps_even, max_first], loader: loader)
}

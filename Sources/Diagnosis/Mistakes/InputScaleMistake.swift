import ModelIR
import Operators

/// Pixels that are not scaled to the range of training, or are scaled twice.
enum InputScaleMistake: Mistake {
  /// A scale and an offset per channel.
  private struct Scaling {
    let finding: String
    let advice: String
    let scale: [Double]
    let offset: [Double]

    init(_ finding: String, advice: String, scale: [Double], offset: [Double] = [0]) {
      self.finding = finding
      self.advice = advice
      self.scale = scale
      self.offset = offset
    }
  }

  private static let scalings = [
    Scaling(
      "the pixels are not scaled: a scale of 1/255 is missing",
      advice: "multiply the pixels by 1/255", scale: [1.0 / 255]),
    Scaling(
      "the pixels are scaled by 1/255 twice", advice: "leave out a scale of 1/255",
      scale: [255]),
    Scaling(
      "the pixels are not scaled to -1 … 1: x/127.5 - 1 is missing",
      advice: "feed pixel/127.5 - 1", scale: [1 / 127.5], offset: [-1]),
    Scaling(
      "the pixels are scaled to -1 … 1 twice", advice: "leave out x/127.5 - 1",
      scale: [127.5], offset: [127.5]),
    Scaling(
      "the pixels are from 0 to 1, expected from -1 to 1", advice: "feed pixel/127.5 - 1",
      scale: [2], offset: [-1]),
    Scaling(
      "the pixels are from -1 to 1, expected from 0 to 1", advice: "feed pixel/255", scale: [0.5],
      offset: [0.5]),
    Scaling(
      "the pixels are inverted: 1 - x", advice: "feed 1 - x", scale: [-1], offset: [1]),
    Scaling(
      "the means of ImageNet are not subtracted, as Caffe's models expect",
      advice: "subtract 103.939, 116.779, 123.68 from blue, green, red",
      scale: [1], offset: [-103.939, -116.779, -123.68]),
    Scaling(
      "the pixels are not normalised by the means and deviations of ImageNet, as PyTorch's models expect",
      advice: "feed (x - mean) / deviation with means 0.485, 0.456, 0.406 and deviations 0.229, "
        + "0.224, 0.225", scale: [1 / 0.229, 1 / 0.224, 1 / 0.225],
      offset: [-0.485 / 0.229, -0.456 / 0.224, -0.406 / 0.225]),
  ]

  static func repairs(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    rescalings(of: layer, evidence) + inputScalings(of: layer)
  }

  /// Corrections of a layer that itself scales pixels.
  private static func rescalings(of layer: LayerCase, _ evidence: Evidence) -> [Repair] {
    guard let found = layer.operation as? any RescalingOperator else { return [] }
    let right = evidence.expected?.operation as? any RescalingOperator
    let expected = right.map { ($0.scale, $0.offset) }
    let usual: [([Double], [Double])] = [
      ([1.0 / 255], [0]), ([1 / 127.5], [-1]), ([1], [0]), ([255], [0]),
    ]
    return ([expected].compactMap(\.self) + usual).filter { $0 != (found.scale, found.offset) }.map
    {
      scale, offset in
      Repair(
        .inputScale,
        "values are scaled by \(text(found.scale)) with offset \(text(found.offset)), expected "
          + "\(text(scale)) with offset \(text(offset))",
        advice: "scale by \(text(scale)) and add \(text(offset))"
      ) { layer in
        var changed = found
        (changed.scale, changed.offset) = (scale, offset)
        layer.operation = changed
      }
    }
  }

  /// The values as text: `1/255`, `-1`, `0.3`.
  private static func text(_ values: [Double]) -> String {
    values.map { value in
      if let whole = Int(exactly: value) { return "\(whole)" }
      if let whole = Int(exactly: 1 / value) { return "1/\(whole)" }
      return "\(value)"
    }.joined(separator: ", ")
  }

  private static func inputScalings(of layer: LayerCase) -> [Repair] {
    guard let first = layer.modelInputs.min() else { return [] }
    return scalings.filter {
      $0.offset.count == 1 || layer.inputs[first].shape.last == $0.offset.count
    }.map { scaling in
      Repair(.inputScale, scaling.finding, advice: scaling.advice) { layer in
        for index in layer.inputs[first].values.indices {
          let value = Double(layer.inputs[first].values[index])
          layer.inputs[first].values[index] = Float(
            value * scaling.scale[index % scaling.scale.count]
              + scaling.offset[index % scaling.offset.count])
        }
      }
    }
  }
}

import TestSupport

/// A network of hundreds of layers, with two inputs and two outputs, whose values are read by the next layers and by far
/// later ones.
enum LongNetwork {
  /// The number of layers.
  static let count = 260

  /// Writes `model.json` and a kernel that all convolutions share into a folder of that name.
  static func write(to name: String, in folder: TemporaryFolder) throws -> String {
    // Any numbers from -1 to 1 that are not in order.
    let values = (0..<16).map { (index: Int) -> Float in Float(index * 37 % 17 - 8) / 8 }
    try folder.write(
      littleEndian(values), to: "\(name)/kernel_W.bin")
    try folder.write(json, to: "\(name)/model.json")
    return folder.file(name)
  }

  private static var json: String {
    var layers: [String] = []
    for index in 0..<count {
      let before = index == 0 ? "left" : "layer\(index - 1)"
      // Something from far above joins in, so that parts have several values to hand on.
      let other = index < 70 ? "right" : "layer\(index - 70)"
      layers.append(
        index % 3 == 2
          ? GroupedNetwork.layer("layer\(index)", "Average", [before, other])
          : GroupedNetwork.layer(
            "layer\(index)", "Convolution2D", [before],
            #""outputChannels": 4, "kernelSize": [1, 1], "activation": "tanh""#,
            [GroupedNetwork.parameter("kernel", "kernel_W", "OHWI")]))
    }
    return #"""
      {"format": "netconv-model", "version": 1, "name": "long",
       "inputs": [{"name": "left", "shape": [3, 2, 4]}, {"name": "right", "shape": [3, 2, 4]}],
       "outputs": ["layer90", "layer\#(count - 1)"], "layers": [
      \#(layers.joined(separator: ",\n"))
      ]}
      """#
  }
}

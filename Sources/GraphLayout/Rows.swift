/// The vertical extent of each layer.
struct Rows {
  struct Band {
    let top: Double
    let bottom: Double
  }

  private(set) var bands: [Band] = []
  /// The total height.
  private(set) var height = 0.0

  init(_ layers: [[Int]], sizes: [Size], gap: Double) {
    for layer in layers {
      let top = bands.isEmpty ? 0 : height + gap
      // Vertices after the nodes belong to crossing edges, which have no height.
      let highest = layer.reduce(0) { $1 < sizes.count ? max($0, sizes[$1].height) : $0 }
      height = top + highest
      bands.append(Band(top: top, bottom: height))
    }
  }
}

/// An element-wise operation of two images.
struct ArithmeticKernel: MPSCNNKernel {
  /// The suffix of the kernel's class after `MPSCNN`.
  enum Function: String {
    case add = "Add"
    case subtract = "Subtract"
    case multiply = "Multiply"
    case divide = "Divide"
  }

  /// The bound to which results are clamped.
  enum Limit {
    case atLeastZero
    case atMostZero
  }

  /// The axes along which an image is broadcast.
  struct Spread: Equatable {
    var columns = false
    var rows = false
    var channels = false
  }

  var operation: Function
  /// The factor of both images.
  var scale: Double?
  /// The factor of the second image alone.
  var secondaryScale: Double?
  var limit: Limit?
  var primary = Spread()
  var secondary = Spread()

  func type(in name: PackageName) -> String { "MPSCNN" + operation.rawValue }

  func settings(_ property: String) -> [String] {
    var settings: [String] = []
    if let scale {
      settings.append(
        "(\(property).primaryScale, \(property).secondaryScale) = (\(Float(scale)), \(Float(scale)))"
      )
    }
    if let secondaryScale {
      settings.append("\(property).secondaryScale = \(Float(secondaryScale))")
    }
    switch limit {
    case .atLeastZero: settings.append("\(property).minimumValue = 0")
    case .atMostZero: settings.append("\(property).maximumValue = 0")
    case nil: break
    }
    return settings + primary.settings("\(property).primary")
      + secondary.settings("\(property).secondary")
  }

  func sources(_ images: [String]) -> [String] {
    ["primaryImage: \(images[0])", "secondaryImage: \(images[1])"]
  }
}

extension ArithmeticKernel.Spread {
  /// The settings for broadcasting: a stride of 0 repeats the only value.
  fileprivate func settings(_ prefix: String) -> [String] {
    [
      columns ? "\(prefix)StrideInPixelsX = 0" : nil, rows ? "\(prefix)StrideInPixelsY = 0" : nil,
      channels ? "\(prefix)StrideInFeatureChannels = 0" : nil,
    ].compactMap(\.self)
  }
}

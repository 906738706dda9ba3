import ModelIR

/// The text of a filter.
enum FilterTarget: FuzzTarget {
  static let name = "filter"

  static func parse(_ bytes: [UInt8]) throws {
    let step = try PixelStep(text: String(decoding: bytes, as: UTF8.self))
    let again = try mustWork("reading what was written") { () throws(NetconvError) in
      try PixelStep(text: step.text)
    }
    try hold(again == step, "\(step.text) is read as another filter")
  }
}

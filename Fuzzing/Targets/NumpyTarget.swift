import Datasets
import ModelIR
import Numpy

/// Files in the format `.npy`.
enum NumpyTarget: FuzzTarget {
  static let name = "numpy"

  static func parse(_ bytes: [UInt8]) throws {
    let array = try NumpyArray(bytes)
    guard let header = try NumpyHeader(bytes) else {
      throw BrokenRule(message: "an array without a header")
    }
    try hold(header.shape == array.shape, "the header has another shape")
    let extent = try NumpyArray.extent(bytes)
    try hold(extent?.size == bytes.count, "the beginning says another length")
    let values = NDArray(shape: array.shape, values: array.values)
    let again = try mustWork("reading what was written") { () throws(NetconvError) in
      try NumpyArray(NumpyArray.encode(values))
    }
    try hold(again.shape == array.shape, "what is written has another shape")
    try hold(
      again.values.map(\.bitPattern) == array.values.map(\.bitPattern),
      "what is written has other values")
  }
}

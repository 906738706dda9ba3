import HDF5
import ModelIR

/// The replies of the process that reads HDF5 files.
enum AnswerTarget: FuzzTarget {
  static let name = "answer"

  static func parse(_ bytes: [UInt8]) throws {
    let answer = try HDF5Wire.recoded(bytes)
    // Invalid bytes become replacement characters, and control characters are escaped.
    try hold(answer.count <= 16 + 8 * bytes.count, "it has grown")
    let again = try mustWork("taking it apart once more") { () throws(NetconvError) in
      try HDF5Wire.recoded(answer)
    }
    try hold(again == answer, "it says something else the second time")
  }
}

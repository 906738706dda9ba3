import ModelIR
import Pictures

/// The replies of the process that decodes pictures.
enum PictureAnswerTarget: FuzzTarget {
  static let name = "picture-answer"

  static func parse(_ bytes: [UInt8]) throws {
    let answer = try PictureWire.recoded(bytes)
    // Invalid bytes become replacement characters, and control characters are escaped.
    try hold(answer.count <= 16 + 8 * bytes.count, "it has grown")
    let again = try mustWork("taking it apart once more") { () throws(NetconvError) in
      try PictureWire.recoded(answer)
    }
    try hold(again == answer, "it says something else the second time")
  }
}

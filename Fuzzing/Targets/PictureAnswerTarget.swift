import ModelIR
import Pictures

/// What the process that decodes pictures answers.
enum PictureAnswerTarget: FuzzTarget {
  static let name = "picture-answer"

  static func parse(_ bytes: [UInt8]) throws {
    let answer = try PictureWire.recoded(bytes)
    // Invalid UTF-8 is repaired, a character in the place of a byte, and control characters are spelled out.
    try hold(answer.count <= 16 + 8 * bytes.count, "it has grown")
    let again = try mustWork("taking it apart once more") { () throws(NetconvError) in
      try PictureWire.recoded(answer)
    }
    try hold(again == answer, "it says something else the second time")
  }
}

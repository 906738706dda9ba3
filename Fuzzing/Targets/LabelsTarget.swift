import Documents
import ModelIR
import NetconvKit

/// The class names of a network.
enum LabelsTarget: FuzzTarget {
  static let name = "labels"

  static func parse(_ bytes: [UInt8]) throws {
    try withFile(bytes) { path in
      let names = try ClassLabels(path: path).names
      try hold(!names.isEmpty && names.count <= bytes.count, "there are other numbers of names")
      try hold(names.allSatisfy { !$0.isEmpty }, "a class has no name")
      let list = try mustWork("writing the names") { () throws(NetconvError) in
        try JSONDocument.encode(names)
      }
      try withFile(list) { path in
        let again = try mustWork("reading what was written") { () throws(NetconvError) in
          try ClassLabels(path: path)
        }
        try hold(again.names == names, "what is written is read as other names")
      }
    }
  }
}

import Datasets
import ModelIR

/// A CSV list of pictures, with and without class names.
enum PictureListTarget: FuzzTarget {
  static let name = "picture-list"

  static func parse(_ bytes: [UInt8]) throws {
    try withFile(bytes) { path in
      let labels = ["cat", "dog, or wolf", "7"]
      let named = Result { () throws(NetconvError) in try PictureList(path, labels: labels) }
      let plain = Result { () throws(NetconvError) in try PictureList(path) }
      if let list = try? plain.get() {
        try hold(list.order == .numbers && list.names.isEmpty, "there are names from nowhere")
        try hold(list.entries.allSatisfy { $0.label >= 0 }, "a class has a negative number")
        // With names, a number may be one of them.
        let again = try mustWork("reading it with names") { () throws(NetconvError) in
          try named.get()
        }
        try hold(
          again.entries.map(\.path) == list.entries.map(\.path), "with names it lists other files")
      }
      let list = try named.get()
      try hold(list.entries.count <= bytes.count, "there are more pictures than bytes")
      try hold(list.entries.allSatisfy { !$0.path.isEmpty }, "a picture has no path")
    }
  }
}

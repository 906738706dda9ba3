import HDF5
import ModelIR

/// The global heap of an HDF5 file: a byte with the sizes of addresses and lengths, a reference to
/// a string, and the file.
enum HeapTarget: FuzzTarget {
  static let name = "heap"

  static func parse(_ bytes: [UInt8]) throws {
    let choice = Int(bytes.first ?? 0)
    let widths = try GlobalHeap.Widths(
      address: 1 << (choice & 3), length: 1 << (choice >> 2 & 3))
    guard bytes.count > widths.reference else { throw NetconvError(.badData, "too short") }
    var heap = try GlobalHeap(openFile(bytes), widths: widths)
    let reference = GlobalHeap.Reference(bytes[1...], widths: widths)
    let text = try heap.text(reference)
    // A byte that is invalid UTF-8 becomes three bytes.
    try hold(text.utf8.count <= 3 * reference.length, "the text is longer than it should be")
    try hold(reference.length <= bytes.count, "the text is longer than the file")
    let again = try mustWork("reading it once more") { () throws(NetconvError) in
      try heap.text(reference)
    }
    try hold(again == text, "the collection that was kept says something else")
  }
}

import Documents
import Files
import ModelIR

extension BinContainer: WritableContainer {
  static func layout(of contents: ContainerContents) -> any ContainerLayout {
    BinLayout(entries: contents.entries)
  }
}

private struct BinLayout: ContainerLayout {
  let entries: [OutputPlan.Entry]

  var places: [TensorRecord.Place] {
    entries.map { entry in
      TensorRecord.Place(file: entry.file, tensor: nil, offset: 0, length: entry.byteCount)
    }
  }

  func writer(in folder: String) throws(NetconvError) -> any ContainerWriter {
    try BinFormat(entries, in: folder)
  }
}

/// `weights/NAME.bin`: the values of one tensor, little endian, in row-major order, and nothing else.
struct BinFormat: ContainerWriter {
  private let folder: String
  private let entries: [OutputPlan.Entry]

  fileprivate init(_ entries: [OutputPlan.Entry], in folder: String) throws(NetconvError) {
    self.folder = folder
    self.entries = entries
    try Directory.create("\(folder)/\(BinContainer.folder)")
  }

  func placement(of index: Int) throws(NetconvError) -> Placement {
    let file = try OutputFile(creating: folder + "/" + entries[index].file)
    file.reserve(entries[index].byteCount)
    return Placement(file: file, offset: 0)
  }

  func finish(
    _ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]
  ) {}
}

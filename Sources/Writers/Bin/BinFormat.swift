import Files
import ModelIR

/// `weights/NAME.bin`: the values of one tensor, little-endian, in C order, and nothing else.
struct BinFormat: TensorFormat {
  private let folder: String
  private let entries: [OutputPlan.Entry]

  init(_ plan: OutputPlan, in folder: String) throws(NetconvError) {
    self.folder = folder
    entries = plan.entries
    try Directory.create(folder + "/weights")
  }

  func placement(of index: Int) throws(NetconvError) -> Placement {
    let file = try OutputFile(creating: folder + "/" + entries[index].file)
    file.reserve(entries[index].byteCount)
    return Placement(file: file, offset: 0)
  }

  func finish(
    _ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]
  ) throws(NetconvError) {
    for companion in companions {
      let path = folder + "/" + companion.name
      let parent = Directory.parent(of: path)
      if !Directory.isDirectory(parent) { try Directory.create(parent) }
      try OutputFile(creating: path).write(companion.bytes, at: 0)
    }
  }
}

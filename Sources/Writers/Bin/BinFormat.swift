import Documents
import Files
import ModelIR

/// `weights/NAME.bin`: the values of one tensor, little-endian, in C order, and nothing else.
struct BinFormat: TensorFormat {
  private let folder: String
  private let entries: [OutputPlan.Entry]

  static func places(of entries: [OutputPlan.Entry]) -> [TensorRecord.Place] {
    entries.map { entry in
      TensorRecord.Place(file: entry.file, tensor: nil, offset: 0, length: entry.byteCount)
    }
  }

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
  ) {}
}

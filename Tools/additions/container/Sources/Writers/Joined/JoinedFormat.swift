import Documents
import Files
import ModelIR

extension JoinedContainer: WritableContainer {
  static func layout(of contents: ContainerContents) -> any ContainerLayout {
    JoinedLayout(contents.entries)
  }
}

/// Where each tensor begins.
private struct JoinedLayout: ContainerLayout {
  let places: [TensorRecord.Place]

  init(_ entries: [OutputPlan.Entry]) {
    var end = 0
    places = entries.map { entry in
      defer { end += entry.byteCount }
      return TensorRecord.Place(
        file: JoinedContainer.file, tensor: entry.name, offset: end, length: entry.byteCount)
    }
  }

  func writer(in folder: String) throws(NetconvError) -> any ContainerWriter {
    JoinedFormat(
      file: try OutputFile(creating: "\(folder)/\(JoinedContainer.file)"), places: places)
  }
}

private struct JoinedFormat: ContainerWriter {
  let file: OutputFile
  let places: [TensorRecord.Place]

  func placement(of index: Int) -> Placement {
    Placement(file: file, offset: places[index].offset)
  }

  func finish(_ digests: [TensorDigest], _ companions: [CompanionFile], manifest: [UInt8]) {}
}

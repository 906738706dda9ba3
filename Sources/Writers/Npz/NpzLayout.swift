import Documents
import ModelIR
import Numpy
import Zlib

/// The plan of an `.npz` file.
struct NpzLayout: ContainerLayout {
  /// NumPy aligns values to this.
  private static let alignment = 64

  /// The archive.
  let zip: ZipLayout
  /// What stands before the values of each tensor; as long as a multiple of the alignment.
  let headers: [[UInt8]]
  /// Where the values of each tensor are.
  let places: [TensorRecord.Place]

  /// A plan for `entries`.
  ///
  /// - Throws: `usage` if NumPy has no such type.
  init(_ entries: [OutputPlan.Entry]) throws(NetconvError) {
    var zip = ZipLayout()
    var headers: [[UInt8]] = []
    var places: [TensorRecord.Place] = []
    let keepsNames = entries.allSatisfy(\.isNameOfEntry)
    for entry in entries {
      let name = keepsNames ? entry.name : entry.fileName
      let header = try NumpyHeader.bytes(entry.elementType, shape: entry.tensor.shape)
      let member = zip.append(
        name + ".npy", size: header.count + entry.byteCount, alignment: Self.alignment)
      headers.append(header)
      places.append(
        TensorRecord.Place(
          file: NpzContainer.file, tensor: name, offset: member.dataOffset + header.count,
          length: entry.byteCount))
    }
    self.zip = zip
    self.headers = headers
    self.places = places
  }

  func writer(in folder: String) throws(NetconvError) -> any ContainerWriter {
    try NpzFormat(self, creating: "\(folder)/\(NpzContainer.file)")
  }
}

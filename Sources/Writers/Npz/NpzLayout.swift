import Documents
import ModelIR
import Numpy
import Zlib

/// The layout of an `.npz` file.
struct NpzLayout: ContainerLayout {
  /// NumPy's alignment of values.
  private static let alignment = 64

  /// The layout of the archive.
  let zip: ZipLayout
  /// The headers before the values of each tensor; their lengths are multiples of the alignment.
  let headers: [[UInt8]]
  /// The locations of each tensor's values.
  let places: [TensorRecord.Place]

  /// Creates the layout of `entries`.
  ///
  /// - Throws: `usage` if NumPy does not support an element type.
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

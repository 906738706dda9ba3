import Documents
import Files
import ModelIR

/// The tensors of a manifest in one of the containers that were written beside it.
struct ConvertedCopies {
  private let manifest: Manifest
  private let format: OutputFormat

  /// The tensors of `manifest` in `format`.
  init(_ manifest: Manifest, _ format: OutputFormat) {
    self.manifest = manifest
    self.format = format
  }

  /// Finds every tensor, and checks that it begins where the manifest says.
  ///
  /// - Parameter find: the file of a tensor and where it begins in it, from its place and its record.
  /// - Throws: `badData` if the manifest has no place or another one, or what `find` throws.
  func copies(
    _ find: (TensorRecord.Place, TensorRecord) throws(NetconvError) -> (RandomAccessFile, Int)
  ) throws(NetconvError) -> [ConvertedSource.Copy] {
    var copies: [ConvertedSource.Copy] = []
    for record in manifest.tensors {
      do throws(NetconvError) {
        guard let place = record.places[format.rawValue] else {
          throw .missingPlace(format.rawValue)
        }
        let (file, offset) = try find(place, record)
        guard place.offset == offset else {
          throw NetconvError.wrongOffset(place.offset, found: offset).inFile(file.path)
        }
        copies.append(
          ConvertedSource.Copy(record: record, file: file, range: offset..<offset + place.length))
      } catch {
        throw error.inTensor(record.role).inLayer(record.layer)
      }
    }
    return copies
  }
}

extension TensorRecord {
  /// Checks that a container says the same of the tensor.
  ///
  /// - Throws: `badData` with what it says.
  func check(
    _ type: String, _ shape: [Int], in file: RandomAccessFile
  ) throws(NetconvError) {
    guard type == dtype, shape == self.shape else {
      throw NetconvError.differentContents(
        "\(type) \(shape)", manifest: "\(dtype) \(self.shape)"
      ).inFile(file.path)
    }
  }
}

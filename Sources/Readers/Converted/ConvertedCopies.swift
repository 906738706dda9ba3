import Documents
import Files
import ModelIR

/// The tensors of a manifest in one of its containers.
struct ConvertedCopies {
  private let manifest: Manifest
  private let format: OutputFormat

  init(_ manifest: Manifest, _ format: OutputFormat) {
    self.manifest = manifest
    self.format = format
  }

  /// Locates every tensor, and checks that its offset agrees with the manifest.
  ///
  /// - Parameter find: Returns the file and offset of a tensor for its location and record.
  /// - Throws: `badData` if the manifest has no location or a different one, or the error of `find`.
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
  /// Checks that a container states the same dtype and shape.
  ///
  /// - Throws: `badData` with the values in the container.
  func check(
    _ type: String, _ shape: [Int], in file: RandomAccessFile
  ) throws(NetconvError) {
    // Packed codes are bytes here, and words in the file.
    let isPacked =
      dtype == ElementType.uint8.rawValue && type == ElementType.uint32.rawValue
      && shape.dropLast() == self.shape.dropLast()
    guard isPacked || type == dtype && shape == self.shape else {
      throw NetconvError.differentContents(
        "\(type) \(shape)", manifest: "\(dtype) \(self.shape)"
      ).inFile(file.path)
    }
  }
}

extension NetconvError {
  fileprivate static func wrongOffset(_ stated: Int, found: Int) -> NetconvError {
    NetconvError(
      .badData,
      "the manifest says that it begins at byte \(stated) of the file, but it begins at byte \(found); "
        + "convert the model again")
  }

  fileprivate static func missingPlace(_ format: String) -> NetconvError {
    NetconvError(
      .badData,
      "the manifest lists the format '\(format)', but no location in it; convert the model again")
  }
}

internal import CPictures
import Confinement
import Files
import ModelIR

/// The process that decodes pictures for another process.
package struct PictureService: HelperService {
  /// The limits of the process: memory for a picture of ``PictureFile/mostValues`` and for the
  /// largest file.
  package static let purpose = HelperPurpose(
    argument: "decode-pictures", greeting: "netconv pictures 1", deed: "pictures are decoded",
    name: "the process that decodes pictures", largestAnswer: 1 << 16, addressSpace: 4 << 30,
    processorTime: 30)

  package init(memory: HelperMemory) {}

  /// Initialises libjpeg's detection of vector instructions, which reads a file on some machines.
  package static func prepare() throws(NetconvError) {
    guard netconv_jpeg_prepare() == 0 else { throw .libraryNotUsable("libjpeg") }
  }

  /// Decodes the attached file, and returns its header and samples.
  package func answer(_ request: [UInt8], _ file: Int32) throws -> [[UInt8]] {
    let request = try PictureRequest(request)
    let file = RandomAccessFile(file, size: request.size, as: request.path)
    let bytes = try file.contents(limit: PictureFile.largestFile)
    guard let format = PictureFormat(bytes), format.library != nil else {
      throw NetconvError.noPicture(bytes)
    }
    let picture = try CompressedPicture(bytes, format).stored()
    return [picture.header.answer, picture.samples]
  }
}

/// A request to decode the attached file.
struct PictureRequest {
  /// The size of the file in bytes.
  let size: Int
  /// The path for messages.
  let path: String

  init(_ file: RandomAccessFile) {
    (size, path) = (file.size, file.path)
  }

  init(_ bytes: [UInt8]) throws(MalformedWire) {
    var wire = WireReader(bytes)
    (size, path) = (try wire.natural(), try wire.text())
    try wire.end()
  }

  var bytes: [UInt8] {
    var wire = WireWriter()
    wire.put(size)
    wire.put(path)
    return wire.bytes
  }
}

extension NetconvError {
  fileprivate static func libraryNotUsable(_ library: String) -> NetconvError {
    NetconvError(.internal, "\(library) cannot be used")
  }
}

internal import CPictures
import Confinement
import Files
import ModelIR

/// The process that decodes pictures for another.
package struct PictureService: HelperService {
  /// What libpng and libjpeg may take for a picture of ``PictureFile/mostValues``, and the largest file besides.
  package static let purpose = HelperPurpose(
    argument: "decode-pictures", greeting: "netconv pictures 1", deed: "pictures are decoded",
    name: "the process that decodes pictures", largestAnswer: 1 << 16, addressSpace: 4 << 30,
    processorTime: 30)

  package init(memory: HelperMemory) {}

  /// Has libjpeg find out which vector instructions there are: on some machines it reads a file for that.
  package static func prepare() throws(NetconvError) {
    guard netconv_jpeg_prepare() == 0 else { throw .libraryNotUsable("libjpeg") }
  }

  /// Decodes the file that comes along: answers with its header, and the samples behind it.
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

/// What netconv asks that process for: to decode the file that comes along.
struct PictureRequest {
  /// Bytes of the file.
  let size: Int
  /// What messages call it.
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

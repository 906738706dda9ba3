import Files
public import ImageFilters
import ModelIR
import Numpy
public import Pictures
import Zlib

/// A picture to read: a file, or an image of an array.
public struct PictureEntry: Sendable {
  private enum Kind: Sendable {
    case file
    case array(ImageStack, index: Int)
  }

  /// The path, with the index of an image in its array: `digits.npy[3]`.
  public let name: String
  private let path: String
  private let kind: Kind

  /// The contents of a file.
  public struct Contents: Sendable {
    /// The picture, upright.
    public let picture: Picture
    /// The colour information of the file, if it is ignored.
    public let ignoredProfile: PictureFile.IgnoredProfile?
  }

  /// Creates an entry for a picture file.
  init(file path: String) {
    name = path
    self.path = path
    kind = .file
  }

  /// Reads the picture.
  ///
  /// - Throws: Any error that ``PictureFile/init(path:)`` throws.
  public func read() throws(NetconvError) -> Contents {
    switch kind {
    case .file:
      let file = try PictureFile(path: path)
      return Contents(picture: file.picture, ignoredProfile: file.ignoredProfile)
    case .array(let stack, let index):
      return Contents(picture: try stack.picture(index), ignoredProfile: nil)
    }
  }

  /// The pictures at some paths: files, arrays of images in IDX or `.npy`, and all pictures in
  /// folders, sorted.
  ///
  /// - Throws: `cannotOpen` or `inputOutput`; `badData` if a folder has no picture, or an array
  ///   contains no images.
  public static func all(at paths: [String]) throws(NetconvError) -> [PictureEntry] {
    var entries: [PictureEntry] = []
    for path in paths {
      do throws(NetconvError) {
        entries += try all(at: path)
      } catch {
        throw error.inFile(path)
      }
    }
    return entries
  }

  private static func all(at path: String) throws(NetconvError) -> [PictureEntry] {
    if Directory.isDirectory(path) {
      let files = try Directory.files(below: path).filter(PictureList.isPicture)
      guard !files.isEmpty else { throw .noPictures }
      let folder = Directory.withoutTrailingSlashes(path)
      return files.map { PictureEntry(file: "\(folder)/\($0)") }
    }
    let start = try RandomAccessFile(path: path).prefix(16)
    let isArray = NumpyHeader.recognizes(start) || isGzip(start) || start.starts(with: [0, 0])
    guard PictureFormat(start) == nil, isArray else { return [PictureEntry(file: path)] }
    let stack = try ImageStack(path: path)
    return (0..<stack.count).map {
      PictureEntry(name: "\(path)[\($0)]", path: path, kind: .array(stack, index: $0))
    }
  }

  private init(name: String, path: String, kind: Kind) {
    (self.name, self.path, self.kind) = (name, path, kind)
  }
}

/// Images of one shape in an array of bytes: (images, height, width), or with a last axis of
/// channels.
private struct ImageStack: Sendable {
  private let array: SampleArray

  private var shape: [Int] { array.shape }

  var count: Int { shape[0] }

  init(path: String) throws(NetconvError) {
    var reader = ArrayReader()
    array = try reader.array(at: path)
    guard array.elementType == .uint8 else {
      throw .pixelsAreNoBytes(array.elementType.rawValue)
    }
    guard (3...4).contains(shape.count), shape.count == 3 || (1...4).contains(shape[3]),
      !shape.contains(0)
    else { throw .noImages(shape) }
  }

  func picture(_ index: Int) throws(NetconvError) -> Picture {
    let channels = shape.count == 4 ? shape[3] : 1
    return Picture(
      PictureForm(
        height: shape[1], width: shape[2], channels: channels, hasAlpha: channels % 2 == 0),
      values: try array.values(of: index..<index + 1))
  }
}

extension NetconvError {
  fileprivate static func pixelsAreNoBytes(_ type: String) -> NetconvError {
    NetconvError(
      .badData,
      text: "holds values of type \(type), not bytes; feed them unchanged with \(.input)")
  }
}

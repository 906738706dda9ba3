import CoreGraphics
import Foundation
import ImageIO

/// Pictures in files.
enum PictureFile {
  /// The longest side of what is shown, in pixels.
  private static let longestSide = 4096

  /// The picture in a file, turned as a person sees it.
  static func image(at url: URL) throws -> CGImage {
    // A file that was chosen is open to an app in a sandbox only between these calls.
    let isScoped = url.startAccessingSecurityScopedResource()
    defer { if isScoped { url.stopAccessingSecurityScopedResource() } }
    let options: [CFString: Any] = [
      kCGImageSourceCreateThumbnailFromImageAlways: true,
      kCGImageSourceCreateThumbnailWithTransform: true,
      kCGImageSourceThumbnailMaxPixelSize: longestSide,
    ]
    guard let source = CGImageSourceCreateWithURL(url as CFURL, nil),
      let image = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
    else { throw Unreadable(name: url.lastPathComponent) }
    return image
  }

  /// The file holds no picture.
  struct Unreadable: Error, CustomStringConvertible {
    let name: String
    var description: String { "\(name) is no picture that can be read" }
  }
}

import Foundation
import Metal
import NAME

/// Images with their classes, in IDX files that are not compressed, through the network.
struct NAMEAccuracy {
  private let images: [UInt8]
  private let labels: [UInt8]
  private let height: Int
  private let width: Int
  /// The file with the weights; those of the package if it is `nil`.
  private let archive: String?

  /// What `--images FILE --labels FILE` name among the arguments; `nil` if nothing does.
  init?(arguments: [String]) throws {
    var files: [String: String] = [:]
    var others: [String] = []
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      guard argument == "--images" || argument == "--labels" else {
        others.append(argument)
        continue
      }
      guard let file = rest.popFirst() else {
        throw NAMESelfTestError("\(argument) lacks its file")
      }
      files[argument] = file
    }
    if files.isEmpty { return nil }
    guard let images = files["--images"], let labels = files["--labels"] else {
      throw NAMESelfTestError("--images FILE and --labels FILE belong together")
    }
    guard others.count < 2 else {
      throw NAMESelfTestError("\(others[1]) has no place beside --images and --labels")
    }
    let (sizes, pixels) = try Self.read(images, axes: 3)
    let (count, classes) = try Self.read(labels, axes: 1)
    guard sizes[0] == count[0], sizes[0] > 0 else {
      throw NAMESelfTestError("\(sizes[0]) images, and \(count[0]) labels")
    }
    (self.images, self.labels, height, width) = (pixels, classes, sizes[1], sizes[2])
    archive = others.first
  }

  /// Bytes behind a header of 00 00 08, the number of axes, and their sizes of four bytes each, the largest first.
  private static func read(_ path: String, axes: Int) throws -> (sizes: [Int], bytes: [UInt8]) {
    let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    guard !file.starts(with: [0x1f, 0x8b]) else {
      throw NAMESelfTestError("\(path) is compressed; gunzip makes a file that can be read")
    }
    guard file.starts(with: [0, 0, 8, UInt8(axes)]), file.count >= 4 + 4 * axes else {
      throw NAMESelfTestError("\(path) is no IDX file of bytes with \(axes) axes")
    }
    let sizes = (0..<axes).map { axis in
      (0..<4).reduce(0) { $0 << 8 | Int(file[4 + 4 * axis + $1]) }
    }
    let bytes = Array(file[(4 + 4 * axes)...])
    // Sizes below 2^32 times one another fit only as long as they fit the file.
    var count = 1
    for size in sizes {
      let (product, isTooLarge) = count.multipliedReportingOverflow(by: size)
      count = isTooLarge ? -1 : product
      if isTooLarge { break }
    }
    guard count == bytes.count else {
      throw NAMESelfTestError("\(path) says \(sizes), and holds \(bytes.count) bytes")
    }
    return (sizes, bytes)
  }

  /// Prints how many classes are right, and how fast they were found.
  func measure() throws {
    guard let device = MTLCreateSystemDefaultDevice() else {
      throw NAMESelfTestError("no Metal device")
    }
    let weights =
      try archive.map { try NAMEArchive(contentsOf: URL(fileURLWithPath: $0)) }
      ?? NAMEArchive.bundled()
    let network = try NAME(device: device, archive: weights)
    let runner = try NAMERunner(network)
    let tally = Tally()
    let group = DispatchGroup()
    // The first run compiles what there is to compile.
    _ = try runner.predict(texture(0, on: device))
    let start = DispatchTime.now().uptimeNanoseconds
    for index in labels.indices {
      try autoreleasepool {
        let label = Int(labels[index])
        let image = try texture(index, on: device)
        group.enter()
        runner.predict(image) { result in
          tally.add(result, label)
          group.leave()
        }
      }
    }
    group.wait()
    let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    let right = try tally.right()
    let accuracy = (Double(right) / Double(labels.count) * 1e4).rounded() / 1e4
    let speed = Int((Double(labels.count) / seconds).rounded())
    print("NAME: \(labels.count) images of \(width) x \(height) pixels on \(device.name)")
    print("  accuracy \(accuracy), \(right) right")
    print("  \(speed) images a second, \(runner.inflightBuffers) on their way at once")
    print("  \(runner.timing)")
  }

  /// An image as a picture.
  private func texture(_ index: Int, on device: MTLDevice) throws -> MTLTexture {
    let descriptor = MTLTextureDescriptor.texture2DDescriptor(
      pixelFormat: .rgba8Unorm, width: width, height: height, mipmapped: false)
    descriptor.usage = .shaderRead
    guard let texture = device.makeTexture(descriptor: descriptor) else {
      throw NAMESelfTestError("no memory for an image")
    }
    let pixels = images[index * width * height..<(index + 1) * width * height]
      .flatMap { (value: UInt8) -> [UInt8] in [value, value, value, 255] }
    texture.replace(
      region: MTLRegionMake2D(0, 0, width, height), mipmapLevel: 0, withBytes: pixels,
      bytesPerRow: width * 4)
    return texture
  }

  /// What has come out so far.
  private final class Tally: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    private var error: Error?

    func add(_ result: Result<NAME.Outputs, Error>, _ label: Int) {
      lock.lock()
      defer { lock.unlock() }
      do {
        let output = try result.get()
        guard output.indices.contains(label) else {
          throw NAMESelfTestError("a label \(label) among \(output.count) classes")
        }
        if NAME.top(1, of: output).first?.index == label { count += 1 }
      } catch {
        self.error = self.error ?? error
      }
    }

    func right() throws -> Int {
      lock.lock()
      defer { lock.unlock() }
      if let error { throw error }
      return count
    }
  }
}

/// Why images cannot be counted.
struct NAMESelfTestError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension PackageTemplates {
  /// The loader.
  ///
  /// - Parameters:
  ///   - target: whose layouts the archive has to have.
  ///   - values: the last member of `NAMETensor`.
  static func archive(target: String, values: String) -> String {
    #"""
    import CryptoKit
    import Foundation
    import Metal

    /// What is wrong with the weights, or with the device.
    public struct NAMEError: Error, CustomStringConvertible {
      public let description: String

      init(_ description: String) { self.description = description }
    }

    /// `NAME.netpack`, mapped into memory once and used where it lies.
    ///
    /// The file is a ZIP whose entries are stored as they are. Its `manifest.json` lists the tensors.
    public final class NAMEArchive {
      private let base: UnsafeMutableRawPointer
      private let size: Int
      /// Where each entry lies in the file, in bytes.
      private let entries: [String: Range<Int>]
      private let manifest: NAMEManifest

      /// Maps the file, and checks length and SHA-256 of each tensor.
      public init(contentsOf url: URL) throws {
        (base, size) = try Self.map(url)
        do {
          let file = UnsafeRawBufferPointer(start: base, count: size)
          entries = try NAMEDirectory(file).entries
          guard let range = entries["manifest.json"] else { throw NAMEError("no manifest.json") }
          manifest = try JSONDecoder().decode(NAMEManifest.self, from: Data(file[range]))
          try manifest.check()
          for tensor in manifest.tensors {
            let range = try tensor.range(in: size)
            try Self.check(
              UnsafeRawBufferPointer(rebasing: file[range]), tensor.name, sha256: tensor.sha256)
          }
        } catch {
          munmap(base, size)
          throw NAMEError("\(url.path): \(error)")
        }
      }

      deinit { munmap(base, size) }

      /// The file as a buffer, for kernels of your own: `NAMETensor.offset` is where a tensor begins in it.
      ///
      /// Nothing is copied, which needs whole pages; the mapping has them, with zeros behind the end of the file.
      public func makeBuffer(device: MTLDevice) -> MTLBuffer? {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        return device.makeBuffer(
          bytesNoCopy: base, length: (size + page - 1) / page * page, options: .storageModeShared,
          // The mapping has to live as long as the buffer.
          deallocator: { _, _ in withExtendedLifetime(self) {} })
      }

      /// A parameter of a layer, or nil if the layer has none of that role.
      public func tensor(_ layer: String, _ role: String) -> NAMETensor? {
        guard let record = manifest.tensors.first(where: { $0.layer == layer && $0.role == role }),
          let range = try? record.range(in: size)
        else { return nil }
        return NAMETensor(
          archive: self, offset: range.lowerBound, shape: record.shape, isHalf: record.dtype == "float16",
          pointer: base + range.lowerBound)
      }

      /// The bytes of an entry, if its SHA-256 is the expected one.
      public func entry(_ name: String, sha256: String) throws -> Data {
        guard let range = entries[name] else { throw NAMEError("no \(name)") }
        let bytes = UnsafeRawBufferPointer(start: base, count: size)[range]
        try Self.check(UnsafeRawBufferPointer(rebasing: bytes), name, sha256: sha256)
        return Data(bytes)
      }

      /// Name and SHA-256 of the description of the stored test cases.
      public var goldens: (name: String, sha256: String)? {
        manifest.goldens.map { ($0.file, $0.sha256) }
      }

      private static func map(_ url: URL) throws -> (UnsafeMutableRawPointer, Int) {
        let descriptor = open(url.path, O_RDONLY)
        guard descriptor >= 0 else { throw NAMEError("\(url.path) cannot be opened") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size > 0,
          let base = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0),
          base != MAP_FAILED
        else { throw NAMEError("\(url.path) cannot be mapped") }
        return (base, Int(status.st_size))
      }

      private static func check(
        _ bytes: UnsafeRawBufferPointer, _ name: String, sha256: String
      ) throws {
        var hash = SHA256()
        hash.update(bufferPointer: bytes)
        let digest = hash.finalize().map { byte in
          (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        guard digest.joined() == sha256 else { throw NAMEError("\(name) is not what was written") }
      }
    }

    // Nothing changes after it was made.
    extension NAMEArchive: @unchecked Sendable {}

    /// A parameter in the mapped archive.
    public struct NAMETensor {
      /// Keeps the memory mapped.
      let archive: NAMEArchive
      /// Where the values begin in the file, in bytes.
      public let offset: Int
      /// Sizes, in the order in which the values lie.
      public let shape: [Int]
      /// Whether the values are halves; otherwise they are floats.
      public let isHalf: Bool
      /// The first value. The memory is read-only, whatever Metal's interfaces say.
      public let pointer: UnsafeMutableRawPointer

      /// The number of values.
      public var count: Int { shape.reduce(1, *) }

    \#(values)
    }

    /// What is used of `manifest.json`.
    private struct NAMEManifest: Decodable {
      struct Place: Decodable {
        var offset: Int
        var length: Int
      }

      struct Tensor: Decodable {
        var name: String
        var layer: String
        var role: String
        var dtype: String
        var shape: [Int]
        var places: [String: Place]
        var sha256: String

        /// Where the values lie in a file of `size` bytes, if there are as many as the shape says.
        func range(in size: Int) throws -> Range<Int> {
          let count = shape.reduce(1, *) * (dtype == "float16" ? 2 : 4)
          guard ["float16", "float32"].contains(dtype), let place = places["archive"],
            place.length == count, place.offset >= 0, count <= size - place.offset
          else { throw NAMEError("\(name) is no \(dtype) of \(shape)") }
          return place.offset..<place.offset + count
        }
      }

      struct Goldens: Decodable {
        var file: String
        var sha256: String
      }

      var format: String
      var version: Int
      var target: String
      var tensors: [Tensor]
      var goldens: Goldens?

      func check() throws {
        guard format == "netconv-manifest", version == 1, target == "\#(target)" else {
          throw NAMEError("\(format) \(version) for \(target), expected netconv-manifest 1 for \#(target)")
        }
      }
    }
    """#
  }
}

import HDF5
import ModelIR
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files under `Tests/Fixtures/hdf5`.
enum Fixture {
  static func path(_ name: String) -> String {
    let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    return "/\(folder)/Fixtures/hdf5/\(name)"
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    let stream = try #require(fopen(path(name), "rb"))
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&block, 1, block.count, stream), count > 0 {
      bytes += block[..<count]
    }
    return bytes
  }
}

/// A file with some bytes, which is removed with this object.
final class TemporaryFile {
  let path: String

  init(_ bytes: some Collection<UInt8>) throws {
    var template = Array("/tmp/netconv-hdf5-XXXXXX".utf8CString)
    let number = mkstemp(&template)
    try #require(number >= 0)
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let content = Array(bytes)
    let count = write(number, content, content.count)
    close(number)
    try #require(count == content.count)
  }

  deinit {
    unlink(path)
  }
}

/// The error that `body` throws.
func thrownError<Result>(_ body: () throws(NetconvError) -> Result) throws -> NetconvError {
  do throws(NetconvError) {
    _ = try body()
  } catch {
    return error
  }
  throw NothingThrown()
}

/// The error if an expected error was not thrown.
struct NothingThrown: Error {}

extension HDF5Dataset {
  /// All values.
  func allValues() throws(NetconvError) -> [Float] {
    try values(0..<count)
  }

  /// The values at `range`, as float32.
  func floats(_ range: Range<Int>) throws(NetconvError) -> [Float] {
    try values(range)
  }
}

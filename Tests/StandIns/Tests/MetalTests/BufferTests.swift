import Metal
import Testing

@Suite struct BufferTests {
  let device: any MTLDevice

  init() throws { device = try #require(MTLCreateSystemDefaultDevice()) }

  @Test func `a buffer of a length is zero`() throws {
    let buffer = try #require(device.makeBuffer(length: 5))
    #expect(buffer.length == 5)
    #expect(
      (0..<5).map { buffer.contents().load(fromByteOffset: $0, as: UInt8.self) } == [0, 0, 0, 0, 0])
    #expect(buffer.storageMode == .shared)
  }

  @Test func `a buffer of bytes has a copy`() throws {
    var bytes: [UInt8] = [1, 2, 3]
    let buffer = try #require(
      device.makeBuffer(bytes: bytes, length: 3, options: .storageModeManaged))
    bytes[1] = 9
    #expect(
      (0..<3).map { buffer.contents().load(fromByteOffset: $0, as: UInt8.self) } == [1, 2, 3])
    #expect(buffer.storageMode == .managed)
  }

  @Test func `a buffer without a copy wants whole pages`() throws {
    let page = sysconf(Int32(_SC_PAGESIZE))
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 2 * page, alignment: page)
    defer { memory.deallocate() }
    #expect(device.makeBuffer(bytesNoCopy: memory, length: page - 1) == nil)
    #expect(device.makeBuffer(bytesNoCopy: memory + 1, length: page) == nil)
    let buffer = try #require(device.makeBuffer(bytesNoCopy: memory, length: page))
    memory.storeBytes(of: 7, toByteOffset: page - 1, as: UInt8.self)
    #expect(buffer.contents().load(fromByteOffset: page - 1, as: UInt8.self) == 7)
  }

  @Test func `the deallocator is called with the buffer's end`() throws {
    final class Calls: @unchecked Sendable { var lengths: [Int] = [] }
    let (calls, page) = (Calls(), sysconf(Int32(_SC_PAGESIZE)))
    let memory = UnsafeMutableRawPointer.allocate(byteCount: page, alignment: page)
    var buffer = device.makeBuffer(bytesNoCopy: memory, length: page) { pointer, length in
      calls.lengths.append(length)
      pointer.deallocate()
    }
    #expect(buffer != nil && calls.lengths.isEmpty)
    buffer = nil
    #expect(calls.lengths == [page])
  }

  @Test func `autoreleasepool returns and throws what its function does`() {
    struct Failure: Error {}
    #expect(autoreleasepool { 3 } == 3)
    #expect(throws: Failure.self) { try autoreleasepool { throw Failure() } }
  }
}

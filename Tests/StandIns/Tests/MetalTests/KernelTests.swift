import Foundation
import Metal
import Testing

/// Kernels that are compiled from text, as C++.
@Suite struct KernelTests {
  private let device: any MTLDevice

  init() throws { device = try #require(MTLCreateSystemDefaultDevice()) }

  private static func text(_ place: String) -> String {
    """
    #include <metal_stdlib>
    using namespace metal;
    kernel void add(
      texture2d<float, access::read> source [[texture(0)]],
      texture2d<float, access::write> result [[texture(1)]],
      constant float *summands [[buffer(0)]], uint2 place [[thread_position_in_grid]]
    ) {
      if (place.x >= result.get_width() || place.y >= result.get_height()) return;
      result.write(source.read(\(place)) + summands[1], place);
    }
    """
  }

  private func texture(_ format: MTLPixelFormat, _ usage: MTLTextureUsage) throws -> any MTLTexture
  {
    let descriptor = MTLTextureDescriptor.texture2DDescriptor(
      pixelFormat: format, width: 3, height: 2, mipmapped: false)
    descriptor.usage = usage
    return try #require(device.makeTexture(descriptor: descriptor))
  }

  private func run(_ text: String, _ format: MTLPixelFormat) throws -> [UInt8] {
    let source = try texture(format, .shaderRead)
    let result = try texture(format, .shaderWrite)
    let region = MTLRegionMake2D(0, 0, 3, 2)
    let bytes = (0..<24).map { UInt8($0 * 10) }
    source.replace(region: region, mipmapLevel: 0, withBytes: bytes, bytesPerRow: 12)
    let library = try device.makeLibrary(source: text, options: nil)
    #expect(library.functionNames == ["add"])
    #expect(library.makeFunction(name: "subtract") == nil)
    let function = try #require(library.makeFunction(name: "add"))
    let pipeline = try device.makeComputePipelineState(function: function)
    let queue = try #require(device.makeCommandQueue())
    let commandBuffer = try #require(queue.makeCommandBuffer())
    let encoder = try #require(commandBuffer.makeComputeCommandEncoder())
    encoder.setComputePipelineState(pipeline)
    encoder.setTexture(source, index: 0)
    encoder.setTexture(result, index: 1)
    let summands: [Float] = [7, 2.0 / 255]
    encoder.setBuffer(device.makeBuffer(bytes: summands, length: 8), offset: 0, index: 0)
    encoder.dispatchThreadgroups(
      MTLSizeMake(1, 1, 1), threadsPerThreadgroup: MTLSizeMake(8, 3, 1))
    encoder.endEncoding()
    commandBuffer.commit()
    commandBuffer.waitUntilCompleted()
    var found = [UInt8](repeating: 0, count: 24)
    result.getBytes(&found, bytesPerRow: 12, from: region, mipmapLevel: 0)
    return found
  }

  @Test(arguments: [MTLPixelFormat.rgba8Unorm, .bgra8Unorm])
  func `a kernel runs over a grid`(_ format: MTLPixelFormat) throws {
    #expect(try run(Self.text("place"), format) == (0..<24).map { UInt8($0 * 10 + 2) })
  }

  @Test func `components are read in the same order, whatever the memory has`() throws {
    let text = Self.text("place").replacing("summands[1]", with: "float4(1, 0, 0, 0)")
      .replacing("constant float *summands", with: "constant float &unused")
    #expect(try run(text, .rgba8Unorm).prefix(4) == [255, 10, 20, 30])
    #expect(try run(text, .bgra8Unorm).prefix(4) == [0, 10, 255, 30])
  }

  @Test func `a read outside of a texture stops the program`() async {
    await #expect(processExitsWith: .failure) {
      _ = try KernelTests().run(KernelTests.text("uint2(place.x + 1, place.y)"), .rgba8Unorm)
    }
  }

  @Test func `a read behind a buffer stops the program`() async {
    await #expect(processExitsWith: .failure) {
      _ = try KernelTests().run(
        KernelTests.text("place").replacing("summands[1]", with: "summands[2]"), .rgba8Unorm)
    }
  }

  @Test func `what the compiler says is thrown`() {
    #expect(throws: (any Error).self) {
      try device.makeLibrary(source: Self.text("nowhere"), options: nil)
    }
  }
}

import Foundation
import Metal
import MetalKit
import Testing

/// Triangles in views, which land in a file.
@Suite(.serialized) struct DrawingTests {
  private let device: any MTLDevice

  init() throws { device = try #require(MTLCreateSystemDefaultDevice()) }

  private static let text = """
    #include <metal_stdlib>
    using namespace metal;
    struct Corner { float4 position [[position]]; float2 place; };
    vertex Corner corner(uint index [[vertex_id]], constant float4 *corners [[buffer(0)]]) {
      Corner corner;
      corner.position = float4(corners[index].x, corners[index].y, 0, 1);
      corner.place = float2(corners[index].z, corners[index].w);
      return corner;
    }
    fragment float4 color(Corner corner [[stage_in]], texture2d<float> picture [[texture(0)]]) {
      return float4(corner.place.x, corner.place.y, corner.position.x / 255.0f, 1);
    }
    """

  private final class Delegate: NSObject, MTKViewDelegate {
    let body: (MTKView) -> Void
    init(_ body: @escaping (MTKView) -> Void) { self.body = body }
    func mtkView(_ view: MTKView, drawableSizeWillChange size: CGSize) {}
    func draw(in view: MTKView) { body(view) }
  }

  /// What a view of 4 x 2 pixels shows: blue, green, red and alpha of each.
  private func drawn(_ corners: [Float]) throws -> [[UInt8]] {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    setenv("NETCONV_DRAWN", file, 1)
    defer {
      unsetenv("NETCONV_DRAWN")
      try? FileManager.default.removeItem(atPath: file)
    }
    let library = try device.makeLibrary(source: Self.text, options: nil)
    #expect(library.functionNames == ["color", "corner"])
    let descriptor = MTLRenderPipelineDescriptor()
    descriptor.vertexFunction = library.makeFunction(name: "corner")
    descriptor.fragmentFunction = library.makeFunction(name: "color")
    descriptor.colorAttachments[0].pixelFormat = .bgra8Unorm
    let pipeline = try device.makeRenderPipelineState(descriptor: descriptor)
    let texture = device.makeTexture(descriptor: MTLTextureDescriptor())
    let commandBuffer = try #require(device.makeCommandQueue()?.makeCommandBuffer())
    let view = MTKView(frame: CGRect(x: 0, y: 0, width: 4, height: 2), device: device)
    let delegate = Delegate { view in
      guard let drawable = view.currentDrawable, let pass = view.currentRenderPassDescriptor,
        let encoder = commandBuffer.makeRenderCommandEncoder(descriptor: pass)
      else { return }
      encoder.setRenderPipelineState(pipeline)
      encoder.setVertexBytes(corners, length: corners.count * 4, index: 0)
      encoder.setFragmentTexture(texture, index: 0)
      encoder.drawPrimitives(
        type: .triangleStrip, vertexStart: 0, vertexCount: corners.count / 4)
      encoder.endEncoding()
      commandBuffer.present(drawable)
      commandBuffer.commit()
    }
    view.delegate = delegate
    view.draw()
    commandBuffer.waitUntilCompleted()
    let bytes = try Array(Data(contentsOf: URL(filePath: file)))
    #expect(bytes.prefix(8) == [4, 0, 0, 0, 2, 0, 0, 0])
    return stride(from: 8, to: bytes.count, by: 4).map { Array(bytes[$0..<$0 + 4]) }
  }

  @Test func `a quad covers each pixel once, from above, with what lies between corners`() throws {
    // Red grows by 1/8 for half of a pixel, green by 1/4 for half of a row.
    let pixels = try drawn([-1, -1, 0, 1, 1, -1, 1, 1, -1, 1, 0, 0, 1, 1, 1, 0])
    #expect(
      pixels == [
        [0, 64, 32, 255], [2, 64, 96, 255], [2, 64, 159, 255], [4, 64, 223, 255],
        [0, 191, 32, 255], [2, 191, 96, 255], [2, 191, 159, 255], [4, 191, 223, 255],
      ])
  }

  @Test func `what no triangle covers is black, and centres on an edge belong to one side`() throws
  {
    // From the centre of the second pixel to that of the fourth, in the lower row.
    let pixels = try drawn([
      -0.25, -1, 1, 1, 0.75, -1, 1, 1, -0.25, 0, 1, 1, 0.75, 0, 1, 1,
    ])
    let (none, one): ([UInt8], UInt8) = ([0, 0, 0, 255], 255)
    #expect(
      pixels == [none, none, none, none, none, [2, one, one, one], [2, one, one, one], none])
  }

  @Test func `a view has nothing to draw into where nobody looks`() {
    let view = MTKView(frame: CGRect(x: 0, y: 0, width: 4, height: 2), device: device)
    #expect(view.currentDrawable == nil && view.currentRenderPassDescriptor == nil)
  }
}

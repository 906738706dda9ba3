/// Draws triangles on the CPU.
///
/// A pixel is drawn if its centre lies in a triangle; of two triangles that share an edge, one has the centres on it.
/// Source: Metal Shading Language Specification, version 3.2, and Metal's page on coordinate systems: x and y go from -1
/// to 1 and from below, pixels are counted from above.
final class StandInRenderEncoder: StandInEncoder, MTLRenderCommandEncoder {
  private let target: TexelStorage
  private var pipeline: StandInRenderPipelineState?
  private var corners = FunctionBindings()
  private var pixels = FunctionBindings()

  /// Begins with a target that is black and opaque, as a view's is.
  init(_ commandBuffer: StandInCommandBuffer, target: TexelStorage) {
    self.target = target
    super.init(commandBuffer)
    target.isUsed(by: commandBuffer, isWritten: true)
    commandBuffer.add {
      for alpha in stride(from: 3, to: target.texels.count, by: 4) {
        for component in alpha - 3..<alpha { target.texels[component] = 0 }
        target.texels[alpha] = 1
      }
    }
  }

  func setRenderPipelineState(_ pipelineState: any MTLRenderPipelineState) {
    pipeline = pipelineState as? StandInRenderPipelineState
  }

  func setVertexBytes(_ bytes: UnsafeRawPointer, length: Int, index: Int) {
    // https://developer.apple.com/documentation/metal/mtlrendercommandencoder/setvertexbytes(_:length:index:)
    precondition(length < 4096, "bytes of a buffer's size")
    corners.buffers[index] =
      device.makeBuffer(bytes: bytes, length: length, options: []) as? StandInBuffer
  }

  func setFragmentTexture(_ texture: (any MTLTexture)?, index: Int) {
    pixels.textures[index] = texture as? TexelStorage
  }

  func drawPrimitives(type primitiveType: MTLPrimitiveType, vertexStart: Int, vertexCount: Int) {
    checkOpen()
    guard let pipeline else { preconditionFailure("no pipeline was set") }
    precondition(
      pipeline.pixelFormat == target.pixelFormat, "the pipeline draws into pixels of another format"
    )
    let boundCorners = corners.bound(to: pipeline.corners, in: commandBuffer)
    let boundPixels = pixels.bound(to: pipeline.pixels, in: commandBuffer)
    commandBuffer.add { [target] in
      let memory = CornerMemory(count: vertexCount)
      boundCorners.withMemory { textures, buffers in
        for index in 0..<vertexCount {
          pipeline.corners.vertex(textures, buffers, UInt32(vertexStart + index), memory[index])
        }
      }
      boundPixels.withMemory { textures, buffers in
        for first in 0..<max(0, vertexCount - 2) {
          let triangle = Triangle((first..<first + 3).map { memory[$0] }, in: target)
          triangle.draw { pipeline.pixels.fragment(textures, buffers, $0, $1) }
        }
      }
    }
  }
}

/// Memory for corners, each of which is taken for floats.
final class CornerMemory {
  /// Of a corner, in bytes.
  static let size = 128
  private static let floats = size / MemoryLayout<Float>.size

  private let memory: UnsafeMutableRawPointer
  private let start: UnsafeMutablePointer<Float>

  init(count: Int) {
    memory = .allocate(byteCount: (count + 1) * Self.size, alignment: Self.size)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: (count + 1) * Self.size)
    start = memory.bindMemory(to: Float.self, capacity: (count + 1) * Self.floats)
  }

  deinit { memory.deallocate() }

  subscript(index: Int) -> UnsafeMutablePointer<Float> { start + index * Self.floats }

  /// Mixes corners; shares add up to 1.
  func mix(_ corners: [UnsafeMutablePointer<Float>], _ shares: [Float]) {
    for place in 0..<Self.floats {
      start[place] = zip(corners, shares).reduce(0) { $0 + $1.0[place] * $1.1 }
    }
  }
}

/// Three corners on a texture.
private struct Triangle {
  private let corners: [UnsafeMutablePointer<Float>]
  private let target: TexelStorage
  /// In pixels, from above.
  private let places: [SIMD2<Double>]
  private let area: Double

  init(_ corners: [UnsafeMutablePointer<Float>], in target: TexelStorage) {
    let places = corners.map { corner in
      precondition(corner[3] == 1, "corners nearer or farther than others are not drawn here")
      return SIMD2(
        (Double(corner[0]) + 1) / 2 * Double(target.width),
        (1 - Double(corner[1])) / 2 * Double(target.height))
    }
    let area = Self.cross(places[1] - places[0], places[2] - places[0])
    // Either order of corners is drawn; what follows takes them clockwise.
    self.corners = area < 0 ? [corners[0], corners[2], corners[1]] : corners
    self.places = area < 0 ? [places[0], places[2], places[1]] : places
    self.area = abs(area)
    self.target = target
  }

  private static func cross(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double {
    a.x * b.y - a.y * b.x
  }

  /// How much of each corner a place has, or `nil` outside.
  private func shares(at place: SIMD2<Double>) -> [Float]? {
    var shares: [Float] = []
    for corner in 0..<3 {
      let (from, to) = (places[(corner + 1) % 3], places[(corner + 2) % 3])
      let share = Self.cross(to - from, place - from) / area
      // An upper edge, or one on the left.
      let ownsEdge = to.y == from.y ? to.x > from.x : to.y < from.y
      guard share > 0 || share == 0 && ownsEdge else { return nil }
      shares.append(Float(share))
    }
    return shares
  }

  /// Calls for each pixel with what lies between the corners, and stores the colour.
  func draw(_ pixel: (UnsafePointer<Float>, UnsafeMutablePointer<Float>) -> Void) {
    guard area > 0 else { return }
    let between = CornerMemory(count: 1)
    let components = target.pixelFormat == .bgra8Unorm ? [2, 1, 0, 3] : [0, 1, 2, 3]
    for y in 0..<target.height {
      for x in 0..<target.width {
        guard let shares = shares(at: SIMD2(Double(x) + 0.5, Double(y) + 0.5)) else { continue }
        between.mix(corners, shares)
        // Here the position is that of the pixel.
        between[0][0] = Float(x) + 0.5
        between[0][1] = Float(y) + 0.5
        pixel(between[0], between[1])
        let first = (y * target.width + x) * 4
        for (place, component) in components.enumerated() {
          target.texels[first + place] = target.pixelFormat.component.rounded(between[1][component])
        }
      }
    }
  }
}

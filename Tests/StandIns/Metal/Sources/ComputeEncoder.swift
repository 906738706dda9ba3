/// Writes commands into a command buffer.
///
/// https://developer.apple.com/documentation/metal/mtlcommandencoder
public protocol MTLCommandEncoder: NSObjectProtocol {
  /// The device that runs them.
  var device: any MTLDevice { get }
  /// A name for tools.
  var label: String? { get set }
  /// Ends it; only then another encoder can begin.
  func endEncoding()
}

/// Writes runs of kernels into a command buffer.
///
/// https://developer.apple.com/documentation/metal/mtlcomputecommandencoder
public protocol MTLComputeCommandEncoder: MTLCommandEncoder {
  /// The kernel.
  func setComputePipelineState(_ state: any MTLComputePipelineState)
  /// What the kernel has as `[[texture(index)]]`.
  func setTexture(_ texture: (any MTLTexture)?, index: Int)
  /// What the kernel has as `[[buffer(index)]]`.
  func setBuffer(_ buffer: (any MTLBuffer)?, offset: Int, index: Int)
  /// Runs the kernel, over whole groups of threads.
  func dispatchThreadgroups(_ threadgroupsPerGrid: MTLSize, threadsPerThreadgroup: MTLSize)
}

final class StandInComputeEncoder: NSObject, MTLComputeCommandEncoder {
  var label: String?
  private let commandBuffer: StandInCommandBuffer
  private var pipeline: StandInComputePipelineState?
  private var textures: [Int: TexelStorage] = [:]
  private var buffers: [Int: StandInBuffer] = [:]
  private var hasEnded = false

  var device: any MTLDevice { commandBuffer.device }

  init(_ commandBuffer: StandInCommandBuffer) { self.commandBuffer = commandBuffer }

  deinit { precondition(hasEnded, "an encoder goes before endEncoding()") }

  func endEncoding() {
    precondition(!hasEnded, "endEncoding() twice")
    hasEnded = true
  }

  func setComputePipelineState(_ state: any MTLComputePipelineState) {
    pipeline = state as? StandInComputePipelineState
  }

  func setTexture(_ texture: (any MTLTexture)?, index: Int) {
    textures[index] = texture as? TexelStorage
  }

  func setBuffer(_ buffer: (any MTLBuffer)?, offset: Int, index: Int) {
    precondition(offset == 0, "a stand-in's buffers are given from their beginning on")
    buffers[index] = buffer as? StandInBuffer
  }

  func dispatchThreadgroups(_ threadgroupsPerGrid: MTLSize, threadsPerThreadgroup: MTLSize) {
    precondition(!hasEnded, "encoded after endEncoding()")
    guard let pipeline else { preconditionFailure("no pipeline was set") }
    let (groups, threads) = (threadgroupsPerGrid, threadsPerThreadgroup)
    precondition(groups.depth == 1 && threads.depth == 1, "a grid of more than one plane")
    precondition(
      threads.width * threads.height <= pipeline.maxTotalThreadsPerThreadgroup,
      "more threads than a group may have")
    let function = pipeline.function
    let (textures, buffers) = (bound(to: function), memory(for: function))
    let (width, height) = (groups.width * threads.width, groups.height * threads.height)
    commandBuffer.add {
      var memories = textures.map(\.memory)
      memories.append(TextureMemory())
      let copies = buffers.map { $0.map(GuardedCopy.init) }
      function.run(
        memories, copies.map { $0?.start } + [nil], UInt32(width), UInt32(height))
      for copy in copies { copy?.writeBack() }
    }
  }

  /// Textures in the order of their indices, which begin at 0 and leave out none.
  private func bound(to function: StandInFunction) -> [TexelStorage] {
    var wanted: [Int: Bool] = [:]
    for case .texture(let index, let isWritten) in function.signature.parameters {
      wanted[index] = isWritten
    }
    return wanted.sorted { $0.key < $1.key }.enumerated().map { place, entry in
      guard place == entry.key, let texture = textures[entry.key] else {
        preconditionFailure("\(function.name) lacks texture \(entry.key)")
      }
      precondition(
        texture.usage.contains(entry.value ? .shaderWrite : .shaderRead),
        "\(function.name): the usage of texture \(entry.key) is another")
      if entry.value { texture.isSynchronized = false }
      texture.isUsed(by: commandBuffer, isWritten: entry.value)
      precondition(texture.arrayLength == 1, "textures of one slice only")
      return texture
    }
  }

  private func memory(for function: StandInFunction) -> [StandInBuffer?] {
    var wanted: Set<Int> = []
    for case .buffer(let index) in function.signature.parameters { wanted.insert(index) }
    return (0..<(wanted.max() ?? -1) + 1).map { index in
      guard wanted.contains(index) else { return nil }
      guard let buffer = buffers[index] else {
        preconditionFailure("\(function.name) lacks buffer \(index)")
      }
      return buffer
    }
  }
}

extension TexelStorage {
  fileprivate var memory: TextureMemory {
    let component =
      switch pixelFormat.component {
      case .unorm8: 0
      case .float16: 1
      case .float32: 2
      }
    return TextureMemory(
      texels: texels.baseAddress, width: width, height: height, component: component,
      isBGRA: pixelFormat == .bgra8Unorm ? 1 : 0, components: pixelFormat.components)
  }
}

/// The bytes of a buffer in front of a page that nobody may touch, with bytes in front of them that are no numbers.
private final class GuardedCopy {
  let start: UnsafeMutableRawPointer
  private let buffer: StandInBuffer
  private let pages: UnsafeMutableRawPointer
  private let length: Int

  init(_ buffer: StandInBuffer) {
    self.buffer = buffer
    let page = sysconf(Int32(_SC_PAGESIZE))
    let size = (buffer.length + page - 1) / page * page + page
    length = size + page
    guard let pages = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      pages != MAP_FAILED, mprotect(pages + size, page, PROT_NONE) == 0
    else { preconditionFailure("no memory for a buffer") }
    self.pages = pages
    memset(pages, 0xFF, size)
    start = pages + size - buffer.length
    start.copyMemory(from: buffer.deviceContents, byteCount: buffer.length)
  }

  deinit { munmap(pages, length) }

  func writeBack() { buffer.deviceContents.copyMemory(from: start, byteCount: buffer.length) }
}

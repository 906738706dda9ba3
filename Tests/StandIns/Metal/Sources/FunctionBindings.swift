/// What an encoder has set for a function.
struct FunctionBindings {
  var textures: [Int: TexelStorage] = [:]
  var buffers: [Int: StandInBuffer] = [:]

  /// What a function takes, as it is set now.
  ///
  /// Indices begin at 0; those of textures leave out none.
  func bound(to function: StandInFunction, in commandBuffer: StandInCommandBuffer) -> Bound {
    var textures: [Int: TexelStorage] = [:]
    var buffers: [Int: StandInBuffer] = [:]
    for parameter in function.signature.parameters {
      switch parameter {
      case .texture(let index, let isWritten):
        guard let texture = self.textures[index] else {
          preconditionFailure("\(function.name) lacks texture \(index)")
        }
        precondition(
          texture.usage.contains(isWritten ? .shaderWrite : .shaderRead),
          "\(function.name): the usage of texture \(index) is another")
        precondition(texture.arrayLength == 1, "textures of one slice only")
        if isWritten { texture.isSynchronized = false }
        texture.isUsed(by: commandBuffer, isWritten: isWritten)
        textures[index] = texture
      case .buffer(let index):
        guard let buffer = self.buffers[index] else {
          preconditionFailure("\(function.name) lacks buffer \(index)")
        }
        buffers[index] = buffer
      case .other: break
      }
    }
    return Bound(
      textures: textures.sorted { $0.key < $1.key }.enumerated().map { place, entry in
        precondition(place == entry.key, "\(function.name) lacks texture \(place)")
        return entry.value
      },
      buffers: (0..<(buffers.keys.max() ?? -1) + 1).map { buffers[$0] })
  }

  /// Textures and buffers in the order of their indices.
  struct Bound {
    fileprivate let textures: [TexelStorage]
    fileprivate let buffers: [StandInBuffer?]

    /// Calls with the memory of textures and buffers as a function takes it.
    func withMemory(
      _ body: (UnsafeRawPointer, UnsafePointer<UnsafeMutableRawPointer?>) -> Void
    ) {
      var memories = textures.map(\.memory)
      memories.append(TextureMemory())
      let copies = buffers.map { $0.map(GuardedCopy.init) }
      let pointers = copies.map { $0?.start } + [nil]
      memories.withUnsafeBytes { textures in
        pointers.withUnsafeBufferPointer { buffers in
          guard let textures = textures.baseAddress, let buffers = buffers.baseAddress else {
            preconditionFailure("no array is empty here")
          }
          body(textures, buffers)
        }
      }
      for copy in copies { copy?.writeBack() }
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

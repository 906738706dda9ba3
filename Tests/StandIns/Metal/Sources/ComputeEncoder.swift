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

/// What all encoders have: a command buffer, and an end.
class StandInEncoder: NSObject, MTLCommandEncoder {
  final var label: String?
  final let commandBuffer: StandInCommandBuffer
  private final var hasEnded = false

  final var device: any MTLDevice { commandBuffer.device }

  init(_ commandBuffer: StandInCommandBuffer) { self.commandBuffer = commandBuffer }

  deinit { precondition(hasEnded, "an encoder goes before endEncoding()") }

  final func endEncoding() {
    precondition(!hasEnded, "endEncoding() twice")
    hasEnded = true
  }

  /// Stops a program that goes on.
  final func checkOpen() { precondition(!hasEnded, "encoded after endEncoding()") }
}

final class StandInComputeEncoder: StandInEncoder, MTLComputeCommandEncoder {
  private var pipeline: StandInComputePipelineState?
  private var bindings = FunctionBindings()

  func setComputePipelineState(_ state: any MTLComputePipelineState) {
    pipeline = state as? StandInComputePipelineState
  }

  func setTexture(_ texture: (any MTLTexture)?, index: Int) {
    bindings.textures[index] = texture as? TexelStorage
  }

  func setBuffer(_ buffer: (any MTLBuffer)?, offset: Int, index: Int) {
    precondition(offset == 0, "a stand-in's buffers are given from their beginning on")
    bindings.buffers[index] = buffer as? StandInBuffer
  }

  func dispatchThreadgroups(_ threadgroupsPerGrid: MTLSize, threadsPerThreadgroup: MTLSize) {
    checkOpen()
    guard let pipeline else { preconditionFailure("no pipeline was set") }
    let (groups, threads) = (threadgroupsPerGrid, threadsPerThreadgroup)
    precondition(groups.depth == 1 && threads.depth == 1, "a grid of more than one plane")
    precondition(
      threads.width * threads.height <= pipeline.maxTotalThreadsPerThreadgroup,
      "more threads than a group may have")
    let function = pipeline.function
    let bound = bindings.bound(to: function, in: commandBuffer)
    let (width, height) = (groups.width * threads.width, groups.height * threads.height)
    commandBuffer.add {
      bound.withMemory { function.kernel($0, $1, UInt32(width), UInt32(height)) }
    }
  }
}

import ModelIR
import Operators

/// The kernel for table lookups.
struct EmbeddingKernel: FastKernel {
  private let operation: Embedding
  private let table: AlignedBuffer<Float>

  init(
    _ operation: Embedding, _ parameters: [ParameterRole: NDArray<Float>], _ level: CPULevel
  ) {
    self.operation = operation
    table = AlignedBuffer(parameters[.kernel]?.values ?? [], filler: 0)
  }

  func step(inputs: [[Int]], output: [Int]) -> (any KernelStep)? {
    LookupStep(operation: operation, table: table, count: inputs[0].reduce(1, *))
  }

  private struct LookupStep: KernelStep {
    let operation: Embedding
    let table: AlignedBuffer<Float>
    let count: Int

    func run(_ operands: Operands) throws(NetconvError) {
      let length = operation.outputChannels
      for index in 0..<operands.images * count {
        let row = try operation.row(of: Double(operands.inputs[0][index]))
        (operands.output + index * length).update(from: table.base + row * length, count: length)
      }
    }
  }
}

import FlatBuffers
import ModelIR

/// A tensor of a subgraph: a value, or a constant whose numbers stay in the file.
///
/// Source: tensorflow/lite/schema/schema.fbs, `Tensor`.
struct TFLiteTensor {
  private enum Field {
    static let shape = 0
    static let type = 1
    static let buffer = 2
    static let name = 3
    static let quantization = 4
    static let isVariable = 5
    static let sparsity = 6
    static let signature = 7
    static let externalBuffer = 10
  }

  /// As the file has it, with a number behind it if another tensor is called so.
  let name: String
  let type: TFLiteType
  /// The sizes; of axes that are open, those that the file was written with.
  let shape: [Int]
  /// The sizes, of which `nil` is open.
  let dimensions: [Int?]
  /// The number of its buffer.
  let buffer: Int
  /// Whether it keeps its values from one run to the next.
  let isVariable: Bool
  /// What integers stand for; `nil` if for themselves.
  let quantization: TFLiteQuantization?
  /// Why its values are not read, whatever its buffer holds.
  let problem: NetconvError?

  init(_ table: FlatTable, _ names: inout UniqueNames, index: Int) throws(NetconvError) {
    let stated = try table.text(Field.name)
    name = names.next(stated.isEmpty ? "tensor_\(index)" : stated)
    type = TFLiteType(rawValue: try table.integer(Field.type, Int8.self))
    shape = try table.integers(Field.shape) ?? []
    let signature = try table.integers(Field.signature) ?? []
    dimensions =
      signature.count == shape.count
      ? zip(signature, shape).map { $0 < 0 ? nil : $1 } : shape.map { $0 < 0 ? nil : $0 }
    buffer = try table.unsigned(Field.buffer, width: 4)
    isVariable = try table.flag(Field.isVariable)
    var problem: NetconvError?
    var quantization: TFLiteQuantization?
    do throws(NetconvError) {
      if try table.has(Field.sparsity) { throw .sparseTensor }
      if try table.unsigned(Field.externalBuffer, width: 4) != 0 { throw .externalTFLiteBuffer }
      quantization = try TFLiteQuantization(
        table.table(Field.quantization, "QuantizationParameters"), shape: shape)
    } catch {
      problem = error
    }
    (self.quantization, self.problem) = (quantization, problem)
  }

  /// Whether its values are integers that scales make numbers of.
  var isQuantized: Bool { quantization != nil && type.element?.isInteger ?? true }
}

extension NetconvError {
  fileprivate static var sparseTensor: NetconvError {
    NetconvError(.badData, "the values are stored without zeros, which is not read")
  }

  fileprivate static var externalTFLiteBuffer: NetconvError {
    NetconvError(.badData, "the values are in another file, which is not read")
  }
}

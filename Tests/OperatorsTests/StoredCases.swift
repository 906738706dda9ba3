import Foundation
import ModelIR
import Operators
import Testing

/// An operator applied by TensorFlow; `Fixtures/generate.py` writes them.
struct StoredCase: Decodable {
  struct Array: Decodable {
    let shape: [Int]
    let values: [Double]

    var array: NDArray<Double> { NDArray(shape: shape, values: values) }
  }

  let operation: any Operator
  let inputs: [NDArray<Double>]
  var parameters: [ParameterRole: NDArray<Double>]
  let output: NDArray<Double>

  private enum CodingKeys: String, CodingKey {
    case `operator`
    case attributes
    case inputs
    case parameters
    case output
  }

  /// A case that no file has.
  init(operation: any Operator, inputs: [NDArray<Double>], output: NDArray<Double>) {
    (self.operation, self.inputs, self.output) = (operation, inputs, output)
    parameters = [:]
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name = try container.decode(String.self, forKey: .operator)
    let type = try #require(OperatorRegistry.type(named: name))
    operation = try container.decode(type, forKey: .attributes)
    inputs = try container.decode([Array].self, forKey: .inputs).map(\.array)
    output = try container.decode(Array.self, forKey: .output).array
    var parameters: [ParameterRole: NDArray<Double>] = [:]
    for (role, array) in try container.decode([String: Array].self, forKey: .parameters) {
      parameters[ParameterRole(rawValue: role)] = array.array
    }
    self.parameters = parameters
  }

  static let all: [StoredCase] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures/operators.json")
    do {
      return try JSONDecoder().decode([StoredCase].self, from: Data(contentsOf: file))
    } catch {
      Issue.record(error)
      return []
    }
  }()
}

/// One rounding of a function to float32, and the errors of TensorFlow's approximations.
let functionTolerance = 4 * Double(Float.ulpOfOne)

/// Compares the operator `name` with what TensorFlow computed, relative to the largest value.
///
/// - Parameter tolerance: 0 where all sums are exact in float32.
func expectTensorFlow(
  _ name: String, cases count: Int, tolerance: Double = 0,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let cases = StoredCase.all.filter { type(of: $0.operation).name == name }
  #expect(cases.count == count, sourceLocation: sourceLocation)
  for stored in cases {
    let comment = Comment(rawValue: "\(stored.operation) of \(stored.inputs.map(\.shape))")
    let shape = try stored.operation.outputShape(for: stored.inputs.map { Shape($0.shape) })
    #expect(shape.known == stored.output.shape, comment, sourceLocation: sourceLocation)
    let output = try stored.operation.evaluate(stored.inputs, stored.parameters)
    #expect(output.shape == stored.output.shape, comment, sourceLocation: sourceLocation)
    let largest = stored.output.values.map(abs).max() ?? 0
    let difference = zip(output.values, stored.output.values).map { abs($0 - $1) }.max() ?? 0
    #expect(difference <= tolerance * largest, comment, sourceLocation: sourceLocation)
  }
}

/// An image with one channel, from its rows.
func image(_ rows: [[Double]]) -> NDArray<Double> {
  NDArray(shape: [rows.count, rows[0].count, 1], values: rows.flatMap(\.self))
}

/// The operator that a document describes.
func decode<Decoded: Operator>(_ type: Decoded.Type, _ json: String) throws -> Decoded {
  try JSONDecoder().decode(type, from: Data(json.utf8))
}

/// The error message for a document.
func decodingProblem<Decoded: Operator>(_ type: Decoded.Type, _ json: String) -> String? {
  do {
    _ = try decode(type, json)
    return nil
  } catch DecodingError.dataCorrupted(let context) {
    return context.debugDescription
  } catch {
    return "\(error)"
  }
}

/// The message of the error that `body` throws.
func message(_ body: () throws(NetconvError) -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return error.description
  }
}

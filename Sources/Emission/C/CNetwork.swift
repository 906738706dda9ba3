import Lowering
import ModelIR
import Operators

/// A model as C: its steps with addresses in an arena, and the arrays of its parameters.
struct CNetwork {
  /// An input or an output of the network.
  struct End {
    /// The name in the model.
    let name: String
    /// The name of the parameter of the function.
    let identifier: String
    let shape: [Int]

    var count: Int { shape.reduce(1, *) }
  }

  /// The statements of a layer.
  struct Statement {
    /// The layer's value, by which goldens name it.
    let value: String
    /// The comment.
    let comment: String
    let lines: [String]
    /// The address of the value.
    let address: String
    let count: Int
  }

  /// An array of parameters.
  struct Array {
    let name: String
    let values: [Float]
  }

  /// A part of the arena.
  struct Place {
    let identifier: String
    let offset: Int
    let count: Int
    let shape: [Int]
  }

  let inputs: [End]
  let outputs: [End]
  let statements: [Statement]
  let functions: [CFunction]
  let arrays: [Array]
  let places: [Place]
  /// The number of values of the arena, at least 1.
  let arenaCount: Int
  /// True if running it can find an index out of range.
  let checksIndices: Bool

  /// The number of parameters.
  var parameterCount: Int { arrays.reduce(0) { $0 + $1.values.count } }

  /// Creates the steps of `model`.
  ///
  /// - Parameter shapes: the shapes of all values, without open sizes.
  /// - Throws: `badData` with every layer that is not written in C, or any error of reading a parameter.
  init(_ model: Model, _ shapes: [String: [Int]]) throws(NetconvError) {
    let results = Set(model.outputs)
    let needed = model.layersNeeded(for: results)
    let sources = model.layers.filter { needed.contains($0.name) }
    try Self.check(sources, shapes)
    let layers = try LoweredSteps(sources, results: results, nil).layers
    var draft = CDraft(functions: [])
    let plan = try StoragePlan<CWork>(
      model, layers, shapes, results: results, inPlaceInputs: \.step.inPlaceInputs
    ) { index, inputs, outputs throws(NetconvError) in
      try draft.work(layers[index], inputs, outputs)
    }
    let written = try CWriter(model, plan, shapes)
    self.init(written, checksIndices: plan.steps.contains { $0.work.step.checksIndices })
  }

  private init(_ written: CWriter, checksIndices: Bool) {
    inputs = written.inputs
    outputs = written.outputs
    statements = written.statements
    functions = written.functions
    arrays = written.arrays
    places = written.places
    arenaCount = written.arenaCount
    self.checksIndices = checksIndices
  }

  /// Checks that every layer can be written, so that all that cannot are named at once.
  private static func check(
    _ layers: [Layer], _ shapes: [String: [Int]]
  ) throws(NetconvError) {
    var problems: [Message] = []
    for layer in layers {
      let values = (layer.inputs + layer.outputs.map(\.name)).compactMap { shapes[$0] }
      do throws(NetconvError) {
        guard layer.operation.isWrittenInC else {
          throw .notInC(type(of: layer.operation).name)
        }
        guard values.allSatisfy({ $0.reduce(1, *) > 0 }) else { throw .emptyInC }
      } catch {
        problems.append(error.inLayer(layer.name).headline)
      }
    }
    guard problems.isEmpty else { throw .notWritten(problems, in: "C") }
  }
}

extension Operator {
  /// True if layers of this type can be written in C.
  var isWrittenInC: Bool {
    if let composite = self as? any CompositeOperator {
      return [composite.halves.0, composite.halves.1].allSatisfy { $0.operation.isWrittenInC }
    }
    if let steps = self as? any StepwiseOperator { return steps.operation.isWrittenInC }
    return self is any COperator
  }
}

/// A step of a plan, and its layer.
struct CWork {
  let step: CStep
  let layer: LoweredLayer
  /// The shapes of the outputs.
  let shapes: [[Int]]
}

/// The functions that steps need, as they are collected.
private struct CDraft {
  var functions: [CFunction]

  mutating func work(
    _ layer: LoweredLayer, _ inputs: [[Int]], _ outputs: [[Int]]
  ) throws(NetconvError) -> CWork? {
    guard let operation = layer.operation as? any COperator else {
      throw .notInC(type(of: layer.operation).name)
    }
    let step = try operation.cStep(
      CLayer(
        inputs: inputs, outputs: outputs, parameters: try layer.loadParameters(.float32),
        fusion: layer.fusion))
    return step.map { CWork(step: $0, layer: layer, shapes: outputs) }
  }
}

extension NetconvError {
  fileprivate static let emptyInC = NetconvError(.badData, "has an input or output without values")
}

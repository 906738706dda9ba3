import Lowering
import ModelIR
import Operators

/// The sizes and parameters of a layer that is written in C.
struct CLayer {
  /// The shapes of the inputs.
  let inputs: [[Int]]
  /// The shapes of the outputs.
  let outputs: [[Int]]
  /// The parameters in the layouts of the operator's specs.
  let parameters: [ParameterRole: NDArray<Float>]
  /// The operations of neighbouring layers that the step computes too.
  var fusion = Fusion()

  /// The shape of the first output.
  var output: [Int] { outputs[0] }
  /// The number of values of the first output.
  var outputCount: Int { output.reduce(1, *) }
  /// The number of values of the first input.
  var inputCount: Int { inputs[0].reduce(1, *) }

  /// Returns the values of a parameter; `nil` if the layer does without.
  func values(_ role: ParameterRole) -> [Float]? { parameters[role]?.values }
}

/// The names that a step's statements use.
struct CPlaces {
  /// The addresses of the inputs.
  var inputs: [String]
  /// The addresses of the outputs.
  var outputs: [String]
  /// The address of memory that only this step uses.
  var scratch: String
  /// The names of the parameters' arrays.
  var parameters: [String: String]

  /// The address of the first input.
  var input: String { inputs[0] }
  /// The address of the first output.
  var output: String { outputs[0] }

  /// The name of a parameter's array, or `NULL` if the layer does without.
  subscript(_ parameter: String) -> String { parameters[parameter] ?? "NULL" }

  /// Returns the address of a part of the scratch memory.
  func scratch(from offset: Int) -> String { offset == 0 ? scratch : "\(scratch) + \(offset)" }
}

/// The statements that compute a layer, and what they need.
struct CStep {
  /// An array of constants.
  struct Parameter {
    let name: String
    let values: [Float]
  }

  /// The functions that the statements call.
  var functions: [CFunction]
  /// The arrays that they read.
  var parameters: [Parameter] = []
  /// The number of values of memory that only this step uses.
  var scratchCount = 0
  /// The indices of inputs whose memory the first output may have.
  var inPlaceInputs: [Int] = []
  /// True if a statement returns an error for an index out of range.
  var checksIndices = false
  /// Returns the statements.
  let statements: (CPlaces) -> [String]

  init(
    _ functions: [CFunction], parameters: [Parameter] = [], scratch: Int = 0,
    inPlace: [Int] = [], _ statements: @escaping (CPlaces) -> [String]
  ) {
    self.functions = functions
    self.parameters = parameters
    scratchCount = scratch
    inPlaceInputs = inPlace
    self.statements = statements
  }

  /// Returns the step followed by statements that change its output in place.
  func followed(by pass: CPass?) -> CStep {
    guard let pass else { return self }
    let first = statements
    var step = CStep(
      functions + pass.functions, parameters: parameters, scratch: scratchCount,
      inPlace: inPlaceInputs
    ) { first($0) + pass.statements($0.output) }
    step.checksIndices = checksIndices
    return step
  }
}

/// Statements that change values in place.
struct CPass {
  let functions: [CFunction]
  /// Returns the statements for values at an address.
  let statements: (String) -> [String]
}

/// An operator that is written in C.
protocol COperator: Operator {
  /// Returns the statements for a layer of known sizes.
  ///
  /// - Returns: `nil` if the output is a view of the input.
  /// - Throws: `badData` for settings that are not written.
  func cStep(_ layer: CLayer) throws(NetconvError) -> CStep?
}

extension CStep.Parameter {
  /// Creates the array of a parameter, if the layer has it.
  static func optional(_ name: String, _ values: [Float]?) -> [CStep.Parameter] {
    values.map { [CStep.Parameter(name: name, values: $0)] } ?? []
  }
}

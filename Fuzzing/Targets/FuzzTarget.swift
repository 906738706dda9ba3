import ModelIR

/// A parser, and the rules that hold for all inputs.
public protocol FuzzTarget: Sendable {
  /// The name for `make fuzz TARGET=…`, and of its folder in `Fuzzing/Seeds`.
  static var name: String { get }

  /// Passes `bytes` to the parser, and checks the result.
  ///
  /// - Throws: A `NetconvError` if the parser rejects them, ``BrokenRule`` if a rule is violated.
  static func parse(_ bytes: [UInt8]) throws
}

/// The parsers of all user input.
public enum FuzzTargets {
  /// All targets, one line per file of `Fuzzing/Targets` whose name ends in `Target`.
  public static let all: [any FuzzTarget.Type] = [
    AnswerTarget.self,
    BindingTarget.self,
    CheckpointListTarget.self,
    CheckpointTarget.self,
    CoreMLTarget.self,
    FilterTarget.self,
    GGUFTarget.self,
    GoldensTarget.self,
    GraphTarget.self,
    HeapTarget.self,
    IDXTarget.self,
    InflateTarget.self,
    JSONTarget.self,
    KerasTarget.self,
    LabelsTarget.self,
    ManifestTarget.self,
    MapTarget.self,
    MetaGraphTarget.self,
    ModelTarget.self,
    NeuralAmpModelerTarget.self,
    NumpyTarget.self,
    ONNXTarget.self,
    OptionsTarget.self,
    PickleTarget.self,
    PictureAnswerTarget.self,
    PictureListTarget.self,
    PictureTarget.self,
    ProbeAnswersTarget.self,
    RTNeuralTarget.self,
    RenamesTarget.self,
    ReplacementTarget.self,
    RulesTarget.self,
    SafetensorsTarget.self,
    SavedModelTarget.self,
    ShardsTarget.self,
    SourceTarget.self,
    SuperblockTarget.self,
    TFJSTarget.self,
    TFLiteTarget.self,
    TableTarget.self,
    TorchTarget.self,
    ZipTarget.self,
  ]
}

/// The result of parsing an input.
public enum FuzzOutcome: Sendable {
  /// The parser accepted the input, and all rules hold.
  case taken
  /// The parser rejected the input with this message.
  case refused(String)
  /// A rule is violated.
  case broken(String)
}

extension FuzzTarget {
  /// Parses `bytes`, and returns the result.
  public static func outcome(_ bytes: [UInt8]) -> FuzzOutcome {
    do {
      try parse(bytes)
      return .taken
    } catch let error as NetconvError {
      // An internal error would blame netconv for the input.
      return error.kind == .internal
        ? .broken("an internal error: \(error.message)") : .refused(error.message)
    } catch let rule as BrokenRule {
      return .broken(rule.message)
    } catch {
      return .broken("an error without a type: \(error)")
    }
  }
}

/// A violated rule.
struct BrokenRule: Error {
  /// The description of the violation.
  let message: String
}

/// Checks a rule.
func hold(_ rule: Bool, _ message: @autoclosure () -> String) throws(BrokenRule) {
  guard rule else { throw BrokenRule(message: message()) }
}

/// Runs a step that must not fail for accepted input.
func mustWork<Result>(
  _ what: String, _ body: () throws(NetconvError) -> Result
) throws(BrokenRule) -> Result {
  do {
    return try body()
  } catch {
    throw BrokenRule(message: "\(what) fails: \(error.message)")
  }
}

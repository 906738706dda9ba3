import ModelIR

/// A parser, and what must hold for any bytes that it is given.
public protocol FuzzTarget: Sendable {
  /// What `make fuzz TARGET=…` calls it; also its folder in `Fuzzing/Seeds`.
  static var name: String { get }

  /// Gives `bytes` to the parser, and checks what it makes of them.
  ///
  /// - Throws: a `NetconvError` if the parser refuses them, ``BrokenRule`` if it should have done something else.
  static func parse(_ bytes: [UInt8]) throws
}

/// Every parser that reads what a user brings.
public enum FuzzTargets {
  /// One line per file of `Fuzzing/Targets` that ends in `Target`.
  public static let all: [any FuzzTarget.Type] = [
    AnswerTarget.self,
    BindingTarget.self,
    CheckpointListTarget.self,
    CheckpointTarget.self,
    FilterTarget.self,
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

/// What became of some bytes.
public enum FuzzOutcome: Sendable {
  /// The parser took them, and every rule holds.
  case taken
  /// The parser refused them, with this message.
  case refused(String)
  /// A rule does not hold.
  case broken(String)
}

extension FuzzTarget {
  /// What becomes of `bytes`.
  public static func outcome(_ bytes: [UInt8]) -> FuzzOutcome {
    do {
      try parse(bytes)
      return .taken
    } catch let error as NetconvError {
      // It would tell a user that netconv is wrong.
      return error.kind == .internal
        ? .broken("an internal error: \(error.message)") : .refused(error.message)
    } catch let rule as BrokenRule {
      return .broken(rule.message)
    } catch {
      return .broken("an error without a type: \(error)")
    }
  }
}

/// A rule that does not hold for some bytes.
struct BrokenRule: Error {
  /// What is wrong.
  let message: String
}

/// Checks a rule.
func hold(_ rule: Bool, _ message: @autoclosure () -> String) throws(BrokenRule) {
  guard rule else { throw BrokenRule(message: message()) }
}

/// Runs what must not fail once bytes have been taken.
func mustWork<Result>(
  _ what: String, _ body: () throws(NetconvError) -> Result
) throws(BrokenRule) -> Result {
  do {
    return try body()
  } catch {
    throw BrokenRule(message: "\(what) fails: \(error.message)")
  }
}

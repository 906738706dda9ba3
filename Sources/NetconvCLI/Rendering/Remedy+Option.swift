import ModelIR
import NetconvKit

extension Remedy {
  /// The option of the remedy.
  var option: String {
    switch self {
    case .allowOverflow: "--allow-overflow"
    case .against: "--against"
    case .architecture: "--model"
    case .architectureFile: "--model FILE"
    case .bindings: "--bind"
    case .configuration: "--config"
    case .convention: "--convention"
    case .code: "--code"
    case .convertWeightsOnly: "convert --weights-only"
    case .destination: "--output"
    case .elementType, .elementTypeRules: "--dtype"
    case .elementTypeOf(let layer, let type): "--dtype '\(escaped(layer))=\(type.rawValue)'"
    case .entry: "--entry"
    case .rawCodes: "--raw"
    case .filters: "--filter"
    case .findsPreparation: "--find-preparation"
    case .folds: "--fold"
    case .foldsBatchNormalization: "--fold-batch-norm"
    case .force: "--force"
    case .formats: "--formats"
    case .given(let remedy, let value, let side):
      "--" + Self.prefix(of: side) + remedy.optionName + " " + shellQuoted(value)
    case .goldenInputs: "--golden-inputs FILE.npz"
    case .goldens: "--goldens"
    case .images: "--images"
    case .input: "--input"
    case .judgedOutput: "--layer"
    case .inspectTensors: "netconv inspect --tensors"
    case .keep: "--keep"
    case .labels: "--labels"
    case .layouts: "--layout"
    case .length: "--length N"
    case .limit: "--limit"
    case .makeGoldens: "--goldens N"
    case .maximumError: "--max-error"
    case .metric: "--metric"
    case .minimumAccuracy: "--min-accuracy"
    case .minimumAgreement: "--min-agreement"
    case .minimumR2: "--min-r2"
    case .offset: "--offset"
    case .ownData: "--images FILE --labels FILE"
    case .probeFolder: "--probe DIR"
    case .reference: "--reference"
    case .graphInput: "--graph-input NAME"
    case .graphOutput: "--graph-output NAME"
    case .renames: "--rename"
    case .replacements: "--replace"
    case .rules: "--rules"
    case .scaffold: "inspect --scaffold"
    case .scale: "--scale"
    case .shardSize: "--shard-size"
    case .severalSources: "--into"
    case .strict: "--strict"
    case .notStrict: "--no-strict"
    case .sweep: "--sweep"
    case .target: "--target"
    case .threshold: "--threshold"
    case .weightsOnly: "--weights-only"
    }
  }
}

extension Remedy {
  /// The name of the option without dashes and value.
  private var optionName: String {
    String(option.drop { $0 == "-" }.prefix { $0 != " " })
  }

  private static func prefix(of side: Side) -> String {
    switch side {
    case .both: ""
    case .reference: AgainstSide.prefix + "-"
    case .second: SecondSide.prefix + "-"
    }
  }
}

extension Message {
  /// The text with remedies as command-line options.
  var options: String { worded(by: \.option) }
}

extension NetconvError {
  /// The error with remedies as command-line options.
  var options: String { lines.joined(separator: "\n").options }
}

/// What something in a checkpoint is to the network.
enum CheckpointRole: Sendable, Hashable {
  /// A weight of a layer.
  case weight
  /// What an optimizer keeps of a weight: its mean, its momentum.
  case slot
  /// What else an optimizer has.
  case optimizer
  /// Steps, rates and the like.
  case counter
  /// The state of what measures a network.
  case metric
  /// Where random numbers go on.
  case random
  /// The objects of a program, and other texts.
  case text
  /// Values that are no numbers that netconv reads.
  case other(TensorFlowType)
  /// What no object of the checkpoint has.
  case stray
}

extension CheckpointRole {
  /// Names of objects whose variables are no weights, as Keras and TensorFlow give them.
  ///
  /// Source: tf_keras/src/engine/training.py; keras/src/trainers/trainer.py; keras/src/random/seed_generator.py.
  static func ofObject(named name: String) -> CheckpointRole? {
    switch name {
    case "optimizer", "_optimizer", "inner_optimizer": .optimizer
    case "save_counter": .counter
    case "keras_api", "metrics", "_metrics", "compiled_metrics", "_compile_metrics",
      "compiled_loss",
      "_loss_tracker", "_compile_loss":
      .metric
    case "seed_generator", "_seed_generator", "random_generator", "_random_generator", "_state_var":
      .random
    default: nil
    }
  }

  /// Names of single numbers that are no weights, as optimizers and training loops give them.
  static func isCounter(_ name: String) -> Bool {
    let base = name.lastIndex(of: "_").flatMap { underscore in
      let number = name[name.index(after: underscore)...]
      return !number.isEmpty && number.allSatisfy(\.isNumber) ? String(name[..<underscore]) : nil
    }
    return counters.contains(name) || base.map(counters.contains) ?? false
  }

  /// Whether what lies in `scope` is a slot, which is named after its variable: `conv1/weights/Adam` after
  /// `conv1/weights`; Keras puts `training/Adam` in front.
  ///
  /// - Parameter hasShape: whether there is a variable of some name, and of the shape of the slot.
  static func isSlot(_ scope: String, hasShape: (String) -> Bool) -> Bool {
    if hasShape(scope) { return true }
    guard scope.hasPrefix("training/") || scope.hasPrefix("optimizer/") else { return false }
    return hasShape(scope.split(separator: "/").dropFirst(2).joined(separator: "/"))
  }

  private static let counters: Set<String> = [
    "global_step", "beta1_power", "beta2_power", "save_counter", "iter", "iterations", "lr",
    "learning_rate", "decay", "beta_1", "beta_2", "rho", "step", "epoch",
  ]

  /// In messages, of several.
  var plural: String {
    switch self {
    case .weight: "weights"
    case .slot: "slots of an optimizer"
    case .optimizer: "variables of an optimizer"
    case .counter: "counters"
    case .metric: "variables of metrics"
    case .random: "states of random generators"
    case .text: "texts"
    case .other(let type): "variables of the type \(type)"
    case .stray: "variables that no object has"
    }
  }
}

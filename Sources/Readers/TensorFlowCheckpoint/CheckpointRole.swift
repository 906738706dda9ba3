/// The role of a checkpoint entry in the network.
enum CheckpointRole: Sendable, Hashable {
  /// A weight of a layer.
  case weight
  /// Optimizer state of a weight, such as its mean or momentum.
  case slot
  /// Other variables of an optimizer.
  case optimizer
  /// A counter or rate, such as the number of steps.
  case counter
  /// State of a metric.
  case metric
  /// State of a random number generator.
  case random
  /// The object graph of the program, or other strings.
  case text
  /// Values of an unsupported dtype.
  case other(TensorFlowType)
  /// A variable that belongs to no object of the checkpoint.
  case stray
}

extension CheckpointRole {
  /// Returns the role of an object's variables if its conventional name shows that they are not weights.
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

  /// Returns true if a scalar with this name is a counter of an optimizer or a training loop.
  static func isCounter(_ name: String) -> Bool {
    let base = name.lastIndex(of: "_").flatMap { underscore in
      let number = name[name.index(after: underscore)...]
      return !number.isEmpty && number.allSatisfy(\.isNumber) ? String(name[..<underscore]) : nil
    }
    return counters.contains(name) || base.map(counters.contains) ?? false
  }

  /// Returns true if the variables in `scope` are slots, which are named after their variable: `conv1/weights/Adam`
  /// after `conv1/weights`; Keras adds the prefix `training/Adam`.
  ///
  /// - Parameter hasShape: Returns true if a variable of this name exists and has the shape of the slot.
  static func isSlot(_ scope: String, hasShape: (String) -> Bool) -> Bool {
    if hasShape(scope) { return true }
    guard scope.hasPrefix("training/") || scope.hasPrefix("optimizer/") else { return false }
    return hasShape(scope.split(separator: "/").dropFirst(2).joined(separator: "/"))
  }

  private static let counters: Set<String> = [
    "global_step", "beta1_power", "beta2_power", "save_counter", "iter", "iterations", "lr",
    "learning_rate", "decay", "beta_1", "beta_2", "rho", "step", "epoch",
  ]

  /// The plural in messages.
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

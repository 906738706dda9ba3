import Documents
import Execution
import ModelIR

/// Error and warning messages that several verbs share.
extension NetconvError {
  static var interrupted: NetconvError {
    NetconvError(.interrupted, "interrupted; nothing was changed")
  }
}

extension Event {
  /// A note about the layers for which the engine has no fast kernel.
  package static func fallbacks(of engine: any Engine) -> Event {
    let layers = engine.fallbacks
    return switch layers.count {
    case _ where !(engine is FastEngine):
      .note("the reference engine runs every layer as it is defined", details: [])
    case 0: .note("the fast engine has a kernel for every layer", details: [])
    case 1:
      .note(
        "1 layer has no fast kernel and runs as it is defined, slowly", details: layers.messages)
    default:
      .note(
        "\(layers.count) layers have no fast kernel and run as they are defined, slowly",
        details: layers.messages)
    }
  }
}

internal import CTopics
import ModelIR

/// The topics of `netconv help` besides the commands: embedded pages of the folder `Docs`.
enum HelpTopic: String, CaseIterable {
  case formats
  case targets
  case layers
  case modelJSON = "model.json"
  case rules

  /// Creates the topic of `help TOPIC` in `arguments`.
  ///
  /// - Throws: `usage` if further arguments follow.
  init?(in arguments: [String]) throws(NetconvError) {
    guard arguments.count > 1, arguments[0] == UnknownName.help,
      let topic = HelpTopic(rawValue: arguments[1])
    else { return nil }
    guard arguments.count == 2 else {
      throw NetconvError(
        .usage,
        "help \(topic.rawValue) takes no arguments; leave out \(quoted(arguments[2]))")
    }
    self = topic
  }

  /// The page as text for a terminal.
  var text: String { MarkdownText(markdown).lines.joined(separator: "\n") }

  private var markdown: String {
    let page =
      switch self {
      case .formats: netconv_page_formats()
      case .targets: netconv_page_targets()
      case .layers: netconv_page_layers()
      case .modelJSON: netconv_page_model_json()
      case .rules: netconv_page_rules()
      }
    return String(decoding: UnsafeBufferPointer(start: page.start, count: page.size), as: UTF8.self)
  }
}

import ModelIR

/// A piece of HTML.
///
/// Its tags are written in netconv's source; every other text gets in as ``text(_:)``, which no tag
/// can come out of.
public struct HTML: Sendable, Equatable {
  /// The markup.
  package let markup: String

  private init(markup: String) { self.markup = markup }

  /// A text that is shown as it is, whatever is in it.
  ///
  /// What would be seen as nothing, or would turn the text around it, is shown by its number.
  public static func text(_ text: some StringProtocol) -> HTML {
    HTML(markup: escape(text))
  }

  /// An element with its attributes and what is in it.
  public static func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:],
    _ children: HTML...
  ) -> HTML {
    element(name, attributes, children)
  }

  /// An element with its attributes and what is in it.
  public static func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:],
    _ children: [HTML]
  ) -> HTML {
    HTML(
      markup: open(name, attributes) + children.map(\.markup).joined() + "</\(name)>")
  }

  /// An element that has no content and no end.
  static func void(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:]
  ) -> HTML {
    HTML(markup: open(name, attributes))
  }

  /// A script or style whose text is part of netconv; browsers take what is in it as it is.
  static func embedded(
    _ name: StaticString, _ asset: PageAsset
  ) -> HTML {
    HTML(markup: "<\(name)>\(asset.text)</\(name)>")
  }

  /// A script element that is data.
  static func data(_ id: StaticString, _ document: ScriptData) -> HTML {
    HTML(
      markup: "<script type=\"application/json\" id=\"\(id)\">\(document.text)</script>")
  }

  /// Several pieces, each on a line.
  static func lines(_ pieces: [HTML]) -> HTML {
    HTML(markup: pieces.map { $0.markup + "\n" }.joined())
  }

  private static func open(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String>
  ) -> String {
    "<\(name)" + attributes.map { " \($0)=\"\(escape($1))\"" }.joined() + ">"
  }

  private static func escape(_ text: some StringProtocol) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default:
        if scalar != "\n", scalar.isHidden {
          escaped += "\\u{" + String(scalar.value, radix: 16) + "}"
        } else {
          escaped.unicodeScalars.append(scalar)
        }
      }
    }
    return escaped
  }
}

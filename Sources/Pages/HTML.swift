import ModelIR

/// A piece of HTML.
///
/// Tags are literals in netconv's source. All other text is inserted by ``text(_:)``, which cannot
/// produce a tag.
public struct HTML: Sendable, Equatable {
  /// The markup.
  package let markup: String

  private init(markup: String) { self.markup = markup }

  /// Creates literal text, with all markup escaped.
  ///
  /// Invisible characters and directional marks are shown as code points.
  public static func text(_ text: some StringProtocol) -> HTML {
    HTML(markup: escape(text))
  }

  /// Creates an element with attributes and children.
  public static func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:],
    _ children: HTML...
  ) -> HTML {
    element(name, attributes, children)
  }

  /// Creates an element with attributes and children.
  public static func element(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:],
    _ children: [HTML]
  ) -> HTML {
    HTML(
      markup: open(name, attributes) + children.map(\.markup).joined() + "</\(name)>")
  }

  /// Creates a void element, which has no content and no end tag.
  static func void(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:]
  ) -> HTML {
    HTML(markup: open(name, attributes))
  }

  /// Creates a script or style element with an embedded asset, which browsers do not unescape.
  static func embedded(
    _ name: StaticString, _ asset: PageAsset
  ) -> HTML {
    HTML(markup: "<\(name)>\(asset.text)</\(name)>")
  }

  /// Creates a script element with data.
  static func data(_ id: StaticString, _ document: ScriptData) -> HTML {
    HTML(
      markup: "<script type=\"application/json\" id=\"\(id)\">\(document.text)</script>")
  }

  /// Joins several pieces, each on its own line.
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

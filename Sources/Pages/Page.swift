/// A page that shows a report: one file that needs no network, no server and no other file.
public struct Page: Sendable {
  /// What kind of report it shows; each has a script of its own.
  public enum Kind: String, Sendable, CaseIterable {
    /// What is in a model.
    case inspect
    /// How well a model does.
    case verify
    /// In what two models differ.
    case diff
    /// Which tensor of one set of weights is which of another.
    case relate
    /// How far a converted model is from its goldens.
    case goldens

    /// The verb that makes such a page.
    fileprivate var verb: String { self == .goldens ? Kind.verify.rawValue : rawValue }
  }

  /// Whether what was looked for is as it should be.
  public enum Verdict: String, Sendable {
    /// It is.
    case good
    /// It is not.
    case bad
    /// Nothing was judged.
    case none
  }

  /// What the page begins with.
  public struct Lead: Sendable {
    /// Whether it is good news.
    public let verdict: Verdict
    /// What came of it, in a sentence.
    public let sentence: String
    /// What to do about it, or more about it, a paragraph each.
    public let remedies: [String]

    /// A sentence, and what to do.
    public init(_ verdict: Verdict, _ sentence: String, remedies: [String] = []) {
      self.verdict = verdict
      self.sentence = sentence
      self.remedies = remedies
    }
  }

  /// The first characters of every page: what tells one from files that are not netconv's.
  public static let beginning = "<!doctype html>\n<!-- A page of netconv. -->\n"

  private let kind: Kind
  private let subject: String
  private let lead: Lead
  private let report: ScriptData
  private let data: ScriptData
  private let version: String

  /// A page of a report.
  ///
  /// - Parameters:
  ///   - kind: what is shown.
  ///   - subject: what the report is of.
  ///   - lead: what the page begins with.
  ///   - report: the report as JSON, as netconv prints it.
  ///   - data: what is only in the page, such as where the nodes of graphs are, as JSON.
  ///   - version: of netconv.
  public init(
    _ kind: Kind, of subject: String, lead: Lead, report: [UInt8], data: [UInt8], version: String
  ) {
    self.kind = kind
    self.subject = subject
    self.lead = lead
    self.report = ScriptData(json: report)
    self.data = ScriptData(json: data)
    self.version = version
  }

  /// The page's file, in UTF-8.
  public var bytes: [UInt8] { Array((Self.beginning + document.markup).plain.utf8) }

  private var document: HTML {
    .element("html", ["lang": "en"], .text("\n"), head, body)
  }

  /// What the page may do: draw, by this style and this script.
  ///
  /// There is nothing that it may load, send to or be
  /// changed by.
  private func policy(_ script: PageAsset) -> String {
    "default-src 'none'; script-src \(script.source); style-src \(PageAsset.style.source); "
      + "img-src data:; base-uri 'none'; form-action 'none'"
  }

  private var head: HTML {
    let script = PageAsset.script(kind)
    return .element(
      "head", [:],
      .lines([
        .void("meta", ["charset": "utf-8"]),
        .void(
          "meta", ["http-equiv": "Content-Security-Policy", "content": policy(script)]),
        .void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        .void("meta", ["name": "color-scheme", "content": "light dark"]),
        .void("meta", ["name": "referrer", "content": "no-referrer"]),
        .void("meta", ["name": "generator", "content": "netconv \(version)"]),
        .void("link", ["rel": "icon", "href": "data:,"]),
        .element("title", [:], .text("\(kind.verb) \(subject) - netconv")),
        .embedded("style", .style),
      ]))
  }

  private var body: HTML {
    .element(
      "body", ["class": kind.rawValue],
      .lines([
        .element("a", ["class": "skip", "href": "#main"], .text("Skip to the content")),
        .element(
          "header", [:],
          .element("p", ["class": "brand"], .text("netconv \(kind.verb)")),
          .element("h1", [:], .text(subject))),
        .element("nav", ["id": "sections", "aria-label": "Sections"]),
        .element(
          "main", ["id": "main", "tabindex": "-1"],
          leadSection,
          .element("div", ["id": "content"]),
          .element(
            "noscript", [:],
            .element(
              "p", [:],
              .text("Tables and graphs are drawn by a script in this file; allow it to see them.")))
        ),
        .element("footer", [:], .element("p", [:], .text("Made by netconv \(version)."))),
        .data("report", report),
        .data("page-data", data),
        .embedded("script", .script(kind)),
      ]))
  }

  private var leadSection: HTML {
    .element(
      "section", ["id": "lead", "class": "lead \(lead.verdict.rawValue)", "aria-label": "Result"],
      [.element("p", ["class": "verdict"], .text(lead.sentence))]
        + lead.remedies.map { .element("p", ["class": "remedy"], .text($0)) })
  }
}

/// A page with a report: a single file that needs no network, server or other file.
public struct Page: Sendable {
  /// The kind of report, each with its own script.
  public enum Kind: String, Sendable, CaseIterable {
    /// A description of a model.
    case inspect
    /// The accuracy of a model.
    case verify
    /// The differences of two models.
    case diff
    /// The relations of two sets of weights.
    case relate
    /// A comparison of a converted model with its goldens.
    case goldens

    /// The command that creates the page.
    fileprivate var verb: String { self == .goldens ? Kind.verify.rawValue : rawValue }
  }

  /// The verdict of a report.
  public enum Verdict: String, Sendable {
    /// The result is good.
    case good
    /// The result is bad.
    case bad
    /// Nothing was judged.
    case none
  }

  /// The start of the page.
  public struct Lead: Sendable {
    /// The verdict.
    public let verdict: Verdict
    /// The result in a sentence.
    public let sentence: String
    /// Advice or details, one paragraph each.
    public let remedies: [String]

    /// Creates a lead from a sentence and advice.
    public init(_ verdict: Verdict, _ sentence: String, remedies: [String] = []) {
      self.verdict = verdict
      self.sentence = sentence
      self.remedies = remedies
    }
  }

  /// The first characters of every page, which distinguish it from other files.
  public static let beginning = "<!doctype html>\n<!-- A page of netconv. -->\n"

  private let kind: Kind
  private let subject: String
  private let lead: Lead
  private let report: ScriptData
  private let data: ScriptData
  private let version: String

  /// Creates a page with a report.
  ///
  /// - Parameters:
  ///   - kind: The kind of report.
  ///   - subject: The subject of the report.
  ///   - lead: The start of the page.
  ///   - report: The report as JSON, as netconv prints it.
  ///   - data: Additional JSON data for the page, such as the layout of graphs.
  ///   - version: The version of netconv.
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

  /// The contents of the page's file in UTF-8.
  public var bytes: [UInt8] { Array((Self.beginning + document.markup).plain.utf8) }

  private var document: HTML {
    .element("html", ["lang": "en"], .text("\n"), head, body)
  }

  /// The content security policy, which allows only this style and this script.
  ///
  /// The page can neither load nor send anything, and nothing can change it.
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

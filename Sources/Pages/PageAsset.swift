internal import CPages
import Digests

/// An embedded style or script, with the hash by which a page allows it alone.
struct PageAsset: Sendable {
  /// The content of the element.
  let text: String

  /// The hash of the content as a source of a content security policy, `'sha256-…'`.
  var source: String {
    "'sha256-\(base64(SHA256.hash(of: Array(text.utf8))))'"
  }

  /// The style of all pages.
  static let style = PageAsset(text: contents(of: netconv_page_style()))

  /// The script that renders the data of a page.
  static func script(_ kind: Page.Kind) -> PageAsset {
    let own =
      switch kind {
      case .inspect: netconv_page_inspect()
      case .verify: netconv_page_verify()
      case .diff: netconv_page_diff()
      case .relate: netconv_page_relate()
      case .goldens: netconv_page_goldens()
      }
    let parts = [
      netconv_page_elements(), netconv_page_tables(), netconv_page_plots(), netconv_page_graphs(),
      netconv_page_layouts(), own,
    ]
    // A single function encloses everything, so that a page defines no global names.
    return PageAsset(
      text: "(() => {\n\"use strict\";\n" + parts.map(contents).joined(separator: "\n") + "})();\n")
  }

  private static func contents(of file: netconv_page_file) -> String {
    String(decoding: UnsafeBufferPointer(start: file.start, count: file.size), as: UTF8.self)
  }
}

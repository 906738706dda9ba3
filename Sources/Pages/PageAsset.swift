internal import CPages
import Digests

/// A style or script that is part of netconv, with the hash by which a page allows it and nothing else.
struct PageAsset: Sendable {
  /// What is in the element.
  let text: String

  /// `'sha256-…'`, as a content security policy names it: of the bytes between the tags.
  var source: String {
    "'sha256-\(base64(SHA256.hash(of: Array(text.utf8))))'"
  }

  /// What all pages look like.
  static let style = PageAsset(text: contents(of: netconv_page_style()))

  /// What makes the data of a page into what is seen.
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
    // One function around all: a page has no names of its own that could be taken for the browser's.
    return PageAsset(
      text: "(() => {\n\"use strict\";\n" + parts.map(contents).joined(separator: "\n") + "})();\n")
  }

  private static func contents(of file: netconv_page_file) -> String {
    String(decoding: UnsafeBufferPointer(start: file.start, count: file.size), as: UTF8.self)
  }
}

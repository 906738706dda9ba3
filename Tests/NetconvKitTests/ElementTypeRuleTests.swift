import NetconvKit
import Testing

@Suite struct ElementTypeRuleTests {
  @Test(
    arguments: [
      ("fc1", "fc1", true), ("fc1", "fc1_W", false), ("fc1", "fc", false), ("*", "", true),
      ("", "", true), ("", "a", false), ("fc*", "fc", true), ("fc*", "fc12_W", true),
      ("fc?", "fc", false), ("fc?", "fc1", true), ("fc?", "fc12", false), ("*_W", "conv_W_W", true),
      ("*_W", "conv_b", false), ("a*b*c", "aXbYbZc", true), ("a*b*c", "aXbYbZ", false),
      ("*a*a*", "aa", true), ("*a*a*", "a", false), ("FC", "fc", false),
      ("body/*", "body/conv", true),
      ("?", "é", true), ("conv[1]", "conv1", false), ("**", "x", true), ("a?*", "a", false),
    ])
  func `stars and question marks stand for others`(pattern: String, name: String, matches: Bool) {
    #expect(ElementTypeRule(pattern, .float16).matches(name) == matches)
  }

  @Test func `many stars end`() {
    let rule = ElementTypeRule(String(repeating: "a*", count: 40) + "b", .float16)
    #expect(!rule.matches(String(repeating: "a", count: 2000)))
  }
}

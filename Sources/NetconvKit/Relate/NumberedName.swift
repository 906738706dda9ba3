/// A name with its numbers taken out: `layers.17.q_proj.weight` is `layers.{}.q_proj.weight` with 17.
///
/// Names that differ only in numbers are those of siblings: the same tensor in other layers, or other experts.
struct NumberedName: Hashable {
  /// The name with a placeholder for each number.
  let template: String
  /// The numbers, in order.
  let numbers: [Int]

  init(_ name: String) {
    var template = ""
    var numbers: [Int] = []
    var rest = name[...]
    while let first = rest.first {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      if let number = Int(digits) {
        numbers.append(number)
        template += "{}"
        rest = rest.dropFirst(digits.count)
      } else {
        template.append(first)
        rest = rest.dropFirst()
      }
    }
    (self.template, self.numbers) = (template, numbers)
  }

  private init(template: String, numbers: [Int]) {
    (self.template, self.numbers) = (template, numbers)
  }

  /// The names of which only some numbers are taken out: all, and each alone if there are several.
  var families: [NumberedName] {
    guard numbers.count > 1 else { return numbers.isEmpty ? [] : [self] }
    return numbers.indices.map { kept in
      var texts = numbers.map(String.init)
      texts[kept] = "{}"
      return NumberedName(
        template: Self.filled(template, with: texts), numbers: [numbers[kept]])
    } + [self]
  }

  /// Returns the name of a template with these numbers.
  static func name(_ template: String, _ numbers: [Int]) -> String {
    filled(template, with: numbers.map(String.init))
  }

  /// Returns the name with a text instead of each number, by its index.
  func filled(_ text: (Int) -> String) -> String {
    Self.filled(template, with: numbers.indices.map(text))
  }

  /// Returns a template with a text instead of each number.
  private static func filled(_ template: String, with texts: [String]) -> String {
    let pieces = template.split(separator: "{}", omittingEmptySubsequences: false)
    return zip(pieces, texts + [""]).map { $0 + $1 }.joined()
  }
}

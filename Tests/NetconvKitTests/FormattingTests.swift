import NetconvKit
import Testing

@Suite("Numbers for people")
struct FormattingTests {
  @Test("digits stand in groups of three, counted from the end")
  func groups() {
    let expected = [
      0: "0", 7: "7", 999: "999", 1000: "1,000", -999: "-999", -1000: "-1,000",
      3_274_634: "3,274,634", -123_456: "-123,456", 1_000_000: "1,000,000",
      Int.max: "9,223,372,036,854,775,807",
      Int.min: "-9,223,372,036,854,775,808",
    ]
    for (number, text) in expected { #expect(grouped(number) == text) }
  }
}

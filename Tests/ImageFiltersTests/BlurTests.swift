import ImageFilters
import Testing

/// Facts that need no other library.
@Suite("blurs by hand")
struct BlurTests {
  @Test("a blur of radius 1 has weights e^-2, 1, e^-2")
  func taps() throws {
    let picture = Picture(height: 1, width: 5, channels: 1, values: [0, 0, 100, 0, 0])
    let result = try picture.applying([.blur(radius: 1, sigma: nil)])
    // 1 / (1 + 2 / e²) and its share.
    let expected: [Float] = [0, 10.650698, 78.698604, 10.650698, 0]
    for (found, expected) in zip(result.values, expected) { #expect(abs(found - expected) < 1e-4) }
  }

  @Test("radius 0 gives the same values")
  func identity() throws {
    let picture = Picture(height: 2, width: 3, channels: 1, values: [1, -2, .infinity, 4, 5.5, 6])
    #expect(try picture.applying([.blur(radius: 0, sigma: nil)]) == picture)
    #expect(try picture.applying([.boxBlur(radius: 0)]) == picture)
  }

  @Test("what is not finite spreads as far as the radius, and no farther")
  func notFinite() throws {
    var values = [Float](repeating: 1, count: 40 * 50)
    values[20 * 50 + 25] = .nan
    let picture = Picture(height: 40, width: 50, channels: 1, values: values)
    let result = try picture.applying([.boxBlur(radius: 3)])
    for row in 0..<40 {
      for column in 0..<50 {
        let isNear = abs(row - 20) <= 3 && abs(column - 25) <= 3
        #expect(result[row, column].first?.isNaN == isNear)
      }
    }
  }

  @Test("the mean of a large box is as exact as float32 can be")
  func largeBox() throws {
    // 255 everywhere but in one corner: running sums would drift.
    var values = [Float](repeating: 255, count: 300 * 700)
    for column in 0..<700 { values[column] = 0.1 }
    let picture = Picture(height: 300, width: 700, channels: 1, values: values)
    let result = try picture.applying([.boxBlur(radius: 100)])
    // Row 299 does not see the first row; row 100 sees it once in 201.
    #expect(abs((result[299, 350].first ?? 0) - 255) < 1e-3 * 255)
    #expect(abs((result[100, 350].first ?? 0) - (200 * 255 + 0.1) / 201) < 1e-3 * 255)
  }

  @Test("what is transparent lends no colour")
  func transparent() throws {
    // Red that cannot be seen beside blue that can.
    let picture = Picture(
      height: 1, width: 2, channels: 4, hasAlpha: true, values: [255, 0, 0, 0, 0, 0, 255, 255])
    let result = try picture.applying([.boxBlur(radius: 1)])
    #expect(result[0, 0].prefix(3) == [0, 0, 255])
    #expect(abs(result.values[3] - 85) < 1e-3)
    #expect(abs(result.values[7] - 170) < 1e-3)
  }
}

import ImageFilters
import Testing

@Suite("pictures")
struct PictureTests {
  @Test("the values of a pixel stand together, rows follow each other")
  func places() {
    let picture = Picture(
      height: 2, width: 3, channels: 2, hasAlpha: true, values: (0..<12).map { Float($0) })
    #expect(picture[1, 2] == [10, 11])
    #expect(picture.shape == [2, 3, 2])
    #expect(picture.colors == 1)
    #expect(picture.encoding == .sRGB)
  }
}

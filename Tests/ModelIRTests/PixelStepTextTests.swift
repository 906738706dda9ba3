import ModelIR
import TestSupport
import Testing

@Suite("texts of steps")
struct PixelStepTextTests {
  private static let steps: [(String, PixelStep)] = [
    ("scale=0.5", .scale([0.5])),
    ("scale=1,2,-3.25", .scale([1, 2, -3.25])),
    ("offset=-1", .offset([-1])),
    ("mean=103.939,116.779,123.68", .mean([103.939, 116.779, 123.68])),
    ("deviation=58.5", .deviation([58.5])),
    ("invert=255", .invert(from: 255)),
    ("channels=bgr", .channels(.bgr)),
    ("transpose", .transpose),
    ("axes=channelsFirst", .axes(.channelsFirst)),
    ("saturation=0.5", .saturation(0.5)),
    ("gray", .gray),
    ("color", .color),
    ("opaque", .opaque(nil)),
    ("opaque=1,2,3.5", .opaque([1, 2, 3.5])),
    ("encoding=linear", .encoding(.linear)),
    ("boxBlur=3", .boxBlur(radius: 3)),
    ("blur=2.5", .blur(radius: 2.5, sigma: nil)),
    ("blur=2.5,sigma=1.5", .blur(radius: 2.5, sigma: 1.5)),
    ("crop=10,20,100x80", .crop(.init(x: 10, y: 20, width: 100, height: 80))),
    ("pad=1,2,3,4", .pad(.init(left: 1, top: 2, right: 3, bottom: 4), [0])),
    ("pad=1,2,3,4,value=7:8:9.5", .pad(.init(left: 1, top: 2, right: 3, bottom: 4), [7, 8, 9.5])),
    ("turn=270", .turn(quarters: 3)),
    ("resize=224x200,bilinear", .resize(.init(width: 224, height: 200))),
    (
      "resize=224x200,bicubic,antialias",
      .resize(.init(width: 224, height: 200, method: .bicubic, antialias: true))
    ),
    ("fit=9x8,area,value=114", .fit(.init(width: 9, height: 8, method: .area), [114])),
    ("fill=9x8,nearest", .fill(.init(width: 9, height: 8, method: .nearest))),
    (
      "blur=2,sigma=3@10,20,100x80",
      .region(.init(x: 10, y: 20, width: 100, height: 80), .blur(radius: 2, sigma: 3))
    ),
  ]

  @Test("a text and its step are the same", arguments: steps)
  func roundTrip(text: String, step: PixelStep) throws {
    #expect(try PixelStep(text: text) == step)
    #expect(step.text == text)
    #expect(try PixelStep(step.record) == step)
  }

  @Test("every step has a text in this list")
  func complete() {
    let names = Self.steps.map { String($0.0.prefix { $0 != "=" }) }
    #expect(Set(names) == Set(PixelStep.names))
  }

  @Test(
    "there is more than one way to write some",
    arguments: [
      ("resize=224x200", "resize=224x200,bilinear"),
      ("stretch=224x200,antialias", "resize=224x200,bilinear,antialias"),
      ("resize=width=224,height=200,method=area", "resize=224x200,area"),
      ("pad=2", "pad=2,2,2,2"),
      ("saturation=value=0.5", "saturation=0.5"),
      ("scale=2.0", "scale=2"),
      ("crop=width=5,height=4,x=1,y=2", "crop=1,2,5x4"),
    ])
  func otherForms(_ text: String, _ expected: String) throws {
    #expect(try PixelStep(text: text).text == expected)
  }

  @Test(
    "a text that is none says why",
    arguments: [
      (
        "blurr=2",
        "there is no step 'blurr'; known are scale, offset, mean, deviation, invert, channels, transpose, axes, "
          + "saturation, gray, color, opaque, encoding, boxBlur, blur, crop, pad, turn, resize, fit, fill, stretch; did you "
          + "mean 'blur'?"
      ),
      (
        "",
        "there is no step ''; known are scale, offset, mean, deviation, invert, channels, transpose, axes, "
          + "saturation, gray, color, opaque, encoding, boxBlur, blur, crop, pad, turn, resize, fit, fill, stretch"
      ),
      ("blur", "the step 'blur' needs \"value\", a number"),
      ("blur=", "'' is no number"),
      ("blur=two", "'two' is no number"),
      ("blur=-1", "the step 'blur' needs a radius from 0 to 1000; found -1"),
      ("blur=nan", "'nan' is no number"),
      ("blur=0x10", "the step 'blur' accepts \"value\", \"sigma\", and nothing else"),
      (
        "crop=1,-2,3x4",
        "the step 'crop' has 3 x 4 pixels from column 1 and row -2 on; sides go from 1 to 65535, and offsets from 0"
      ),
      ("blur=1,2", "the step 'blur' needs \"value\", a number"),
      ("blur=1,sigma=0", "\"sigma\" of the step 'blur' has to be above 0; found 0"),
      ("blur=1,sigma=x", "'x' is no number"),
      (
        "blur=1,sgima=2",
        "there is no parameter 'sgima'; known are value, sigma, order, x, y, left, top, right, bottom, width, "
          + "height, method; did you mean 'sigma'?"
      ),
      ("blur=1,order=rgb", "the step 'blur' accepts \"value\", \"sigma\", and nothing else"),
      ("boxBlur=1.5", "\"value\" of the step 'boxBlur' is 1.5, expected whole pixels"),
      ("saturation=-0.5", "the step 'saturation' needs a factor of at least 0; found -0.5"),
      ("gray=1", "the step 'gray' accepts no parameters"),
      (
        "channels=grb",
        "the step 'channels' needs \"order\", one of rgb, bgr, and nothing else; found 'grb'"
      ),
      (
        "resize=224",
        "the step 'resize' accepts \"width\", \"height\", \"method\", \"antialias\", and nothing else"
      ),
      ("resize=antialias", "the step 'resize' needs \"width\", a number"),
      (
        "resize=0x5", "the step 'resize' has a size of 0 x 5; sides go from 1 to 65535"
      ),
      (
        "resize=5x5,cubic",
        "the step 'resize' has no method 'cubic'; known are nearest, bilinear, area, bicubic; did you mean "
          + "'bicubic'?"
      ),
      ("resize=5x5,6x6", "\"width\" occurs twice"),
      ("crop=1,2,3,4", "has 4 numbers, expected 2, column and row"),
      ("pad=1,2", "has 2 numbers, expected 1, or 4: left, top, right and bottom"),
      ("turn=45", "the step 'turn' needs 90, 180 or 270 degrees, clockwise; found 45"),
      ("blur=1@5,6", "the region '5,6' is not column,row,WIDTHxHEIGHT, as in 10,20,100x80"),
      (
        "gray@0,0,2x2",
        "the step 'gray' changes the shape of an image or the meaning of its values, so it cannot be limited to "
          + "a region"
      ),
    ])
  func wrongTexts(_ text: String, _ message: String) {
    let error = thrown { try PixelStep(text: text) }
    #expect(error?.kind == .usage)
    #expect(error?.message == "filter '\(text)': \(message)")
  }
}

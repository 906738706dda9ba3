import ImageFilters
import ModelIR
import TestSupport
import Testing

/// Random numbers that are the same in each run.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state ^ (state >> 29)) &* 0x9E37_79B9_7F4A_7C15
  }
}

@Suite("chains of filters")
struct ChainTests {
  private let picture = Picture(
    height: 5, width: 6, channels: 3, values: (0..<90).map { Float($0 * 37 % 256) })

  @Test("a filter works when it is asked, and only after a change")
  func lazy() throws {
    let source = PictureSource(picture)
    let saturation = SaturationFilter(factor: 0.75, provider: source)
    let blur = GaussianBlurFilter(radius: 2, provider: saturation)
    #expect(blur.evaluations == 0 && saturation.evaluations == 0)
    let first = try blur.picture
    #expect(
      try first
        == picture.applying([.saturation(0.75), .blur(radius: 2, sigma: nil)]))
    #expect(try blur.picture == first)
    #expect(blur.evaluations == 1 && saturation.evaluations == 1)
    blur.radius = 1
    _ = try blur.picture
    #expect(blur.evaluations == 2 && saturation.evaluations == 1)
    saturation.factor = 0.25
    #expect(try blur.isDirty)
    saturation.factor = 0.75
    #expect(try !blur.isDirty)
    _ = try blur.picture
    #expect(blur.evaluations == 2 && saturation.evaluations == 1)
  }

  @Test("the picture of a source makes dirty if it is another one")
  func sources() throws {
    let source = PictureSource(picture)
    let blur = GaussianBlurFilter(radius: 2, provider: source)
    _ = try blur.picture
    source.picture = Picture(picture.form, values: picture.values)
    _ = try blur.picture
    #expect(blur.evaluations == 1)
    source.picture = Picture(picture.form, values: picture.values.reversed())
    #expect(try blur.picture == source.picture.applying([.blur(radius: 2, sigma: nil)]))
    #expect(blur.evaluations == 2)
  }

  @Test("two consumers of one filter run it once")
  func fanOut() throws {
    let source = PictureSource(picture)
    let saturation = SaturationFilter(factor: 0.5, provider: source)
    let left = ImageFilter(.invert(from: 255), provider: saturation)
    let right = ImageFilter(.scale([2]), provider: saturation)
    let histogram = HistogramConsumer(provider: saturation)
    // Two passes, each of which rounds.
    #expect(
      try left.picture == picture.applying([.saturation(0.5)]).applying([.invert(from: 255)]))
    #expect(
      try right.picture.values == picture.applying([.saturation(0.5)]).values.map { 2 * $0 })
    #expect(try histogram.histogram == Histogram(saturation.picture))
    _ = try histogram.histogram
    #expect(saturation.evaluations == 1 && left.evaluations == 1 && right.evaluations == 1)
    #expect(histogram.evaluations == 1)
  }

  @Test("neighbours that change pixels one by one work in one pass")
  func fused() throws {
    let source = PictureSource(picture)
    let saturation = SaturationFilter(factor: 0.5, provider: source)
    let scale = ImageFilter(.scale([2]), provider: saturation)
    let invert = ImageFilter(.invert(from: 255), provider: scale)
    let steps: [PixelStep] = [.saturation(0.5), .scale([2]), .invert(from: 255)]
    #expect(try invert.picture == picture.applying(steps))
    #expect([saturation, scale, invert].map(\.evaluations) == [0, 0, 1])
    // Somebody else wants what lies between: it is made, and used from then on.
    var other: ImageFilter? = ImageFilter(.boxBlur(radius: 1), provider: scale)
    #expect(scale.consumerCount == 2)
    _ = try other?.picture
    _ = try invert.picture
    #expect([saturation, scale, invert].map(\.evaluations) == [0, 1, 1])
    other = nil
    #expect(scale.consumerCount == 1)
    invert.step = .invert(from: 1)
    _ = try invert.picture
    #expect([saturation, scale, invert].map(\.evaluations) == [0, 1, 2])
  }

  @Test("of 1,000 random changes not one is worked for in vain")
  func counted() throws {
    var random = Seeded(state: 20)
    let source = PictureSource(picture)
    let blur = GaussianBlurFilter(radius: 1, provider: source)
    let saturation = SaturationFilter(factor: 1, provider: blur)
    let box = ImageFilter(.boxBlur(radius: 1), provider: saturation)
    let turn = ImageFilter(.turn(quarters: 1), provider: saturation)
    let filters = [blur, saturation, box, turn]
    // What each filter was last asked for, as the texts of what it depends on: kept apart from the filters.
    var known: [Int: [String]] = [:]
    var needed = [0, 0, 0, 0]
    func ask(_ index: Int) throws {
      let path = index < 2 ? Array(0...index) : [0, 1, index]
      let picture = try filters[index].picture
      let texts = path.map { filters[$0].step.text }
      #expect(
        try picture == path.reduce(source.picture) { try $0.applying([filters[$1].step]) })
      var input: [String] = []
      var dirty: [Int] = []
      for place in path {
        if ["saturation=1", "blur=0", "boxBlur=0"].contains(filters[place].step.text) { continue }
        input.append(texts[path.firstIndex(of: place) ?? 0])
        // Who has what is asked for keeps those in front from being asked.
        if known[place] == input { dirty = [] } else { dirty.append(place) }
      }
      input = []
      for place in path {
        if ["saturation=1", "blur=0", "boxBlur=0"].contains(filters[place].step.text) { continue }
        input.append(texts[path.firstIndex(of: place) ?? 0])
        guard dirty.contains(place) else { continue }
        known[place] = input
        needed[place] += 1
      }
    }
    for _ in 0..<1000 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: blur.radius = Double(Int.random(in: 0...3, using: &random))
      case 1: saturation.factor = Double(Int.random(in: 0...3, using: &random)) / 2
      case 2: box.step = .boxBlur(radius: Int.random(in: 0...2, using: &random))
      default: turn.step = .turn(quarters: Int.random(in: 1...3, using: &random))
      }
      if Bool.random(using: &random) { try ask(Int.random(in: 0..<4, using: &random)) }
    }
    #expect(filters.map(\.evaluations) == needed)
    #expect(needed.allSatisfy { $0 > 20 })
  }

  @Test("a chain keeps what its steps have made")
  func chain() throws {
    let chain = FilterChain(picture, [.blur(radius: 1, sigma: nil), .saturation(0.5), .scale([2])])
    _ = try chain.picture
    #expect(chain.evaluations == 2)
    chain.steps = [.blur(radius: 1, sigma: nil), .saturation(0.25), .scale([2])]
    #expect(try chain.picture == picture.applying(chain.steps))
    #expect(chain.evaluations == 3)
    chain.steps = [.blur(radius: 1, sigma: nil)]
    _ = try chain.picture
    #expect(chain.evaluations == 3)
    chain.steps = []
    #expect(try chain.picture == picture)
    #expect(chain.evaluations == 3)
  }

  @Test("a filter without a provider, or in a circle, says so")
  func wrongChains() throws {
    let alone = ImageFilter(.gray)
    #expect(
      thrown { try alone.picture }?.message
        == "a filter without a provider was asked for a picture; set one")
    let other = ImageFilter(.gray, provider: alone)
    alone.provider = other
    #expect(
      thrown { try alone.picture }?.message
        == "a filter is its own provider through others; break the cycle")
    alone.provider = nil
  }

  @Test("an error leaves the chain as it was")
  func failures() throws {
    let chain = FilterChain(picture, [.crop(PixelStep.Area(x: 0, y: 0, width: 3, height: 2))])
    _ = try chain.picture
    chain.steps = [.crop(PixelStep.Area(x: 4, y: 0, width: 3, height: 2))]
    #expect(
      thrown { try chain.picture }?.message
        == "the step 'crop' selects 3 x 2 pixels from column 4 and row 0; the picture has 6 x 5"
    )
    chain.steps = [.crop(PixelStep.Area(x: 1, y: 0, width: 3, height: 2))]
    #expect(try chain.picture.shape == [2, 3, 3])
  }
}

@Suite("histograms")
struct HistogramTests {
  @Test("values are rounded, and what lies outside counts at the end")
  func counts() {
    let picture = Picture(
      height: 2, width: 3, channels: 2, hasAlpha: true,
      values: [-3, 255, 0.5, 254.6, 1.5, 0, 300, 7, .nan, 7, 2, .infinity])
    let histogram = Histogram(picture)
    #expect(histogram.counts[0][0] == 2)
    #expect(histogram.counts[0][2] == 2)
    #expect(histogram.counts[0][255] == 1)
    #expect(histogram.counts[1][255] == 3)
    #expect(histogram.counts[1][7] == 2)
    #expect(histogram.counts.map { $0.reduce(0, +) } == [5, 6])
    #expect(histogram.notNumbers == 1)
  }

  @Test("grey images without an axis of channels become coloured ones")
  func colouring() throws {
    var batch = PixelBatch(shape: [2, 3], values: (0..<12).map(Float.init))
    try batch.apply([.color, .scale([2])])
    #expect(batch.shape == [2, 3, 3])
    #expect(batch.values == (0..<36).map { Float(2 * ($0 / 3)) })
    try batch.apply([.gray])
    #expect(batch.shape == [2, 3, 1])
  }
}

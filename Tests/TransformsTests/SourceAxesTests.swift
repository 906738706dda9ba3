import ModelIR
import Operators
import TestSupport
import Testing
import Transforms

@Suite struct SourceAxesTests {
  private static let toLast = Permute(order: [1, 2, 0])
  private static let toFirst = Permute(order: [2, 0, 1])

  /// A layer; a layer that a source names has a class.
  private func layer(
    _ name: String, _ operation: any Operator, _ inputs: String..., className: String? = nil
  ) -> LayerDefinition {
    LayerDefinition(
      name: name, operation: operation, inputs: inputs,
      origin: className.map { LayerOrigin(className: $0) })
  }

  private func axes(
    _ shape: [Int?] = [3, 5, 7], outputs: [String], _ layers: LayerDefinition...
  ) throws -> SourceAxes {
    SourceAxes(
      of: try Model(
        name: "m", inputs: [ModelInput(name: "x", shape: Shape(shape))], layers: layers,
        outputs: outputs))
  }

  @Test func `an input, an output and what lies between have two orders`() throws {
    let axes = try axes(
      outputs: ["y"], layer("x/last", Self.toLast, "x"),
      layer("pool", MaxPooling2D(poolSize: .one), "x/last", className: "MaxPooling2D"),
      layer("y/last", Activation(.relu), "pool", className: "ReLU"),
      layer("y", Self.toFirst, "y/last"))
    for name in ["x", "y"] {
      let found = try #require(axes[name])
      #expect(found.order == .channelsFirst)
      #expect(found.shape(.channelsFirst).known == [3, 5, 7])
      #expect(found.shape(.channelsLast).known == [5, 7, 3])
    }
    let pool = try #require(axes["pool"])
    #expect(pool.order == .channelsLast)
    #expect(pool.shape(.channelsFirst).known == [3, 5, 7])
    #expect(pool.shape(.channelsLast).known == [5, 7, 3])
    // The source has neither: its layer is the one with the output's name.
    #expect(axes["x/last"] == nil)
    #expect(axes["y/last"] == nil)
  }

  @Test func `a source's own change of order has two orders, and none behind it`() throws {
    let axes = try axes(
      outputs: ["y"], layer("turned", Self.toLast, "x", className: "Permute"),
      layer("pool", MaxPooling2D(poolSize: .one), "turned", className: "MaxPooling2D"),
      layer("y", Self.toFirst, "pool", className: "Permute"))
    #expect(axes["x"]?.order == .channelsFirst)
    #expect(axes["y"]?.order == .channelsFirst)
    #expect(axes["turned"] == nil)
    #expect(axes["pool"] == nil)
  }

  @Test func `where no layer has a class, nothing is known of what lies between`() throws {
    let axes = try axes(
      outputs: ["y"], layer("last", Self.toLast, "x"),
      layer("pool", MaxPooling2D(poolSize: .one), "last"), layer("y", Self.toFirst, "pool"))
    #expect(axes["x"]?.order == .channelsFirst)
    #expect(axes["y"]?.order == .channelsFirst)
    #expect(axes["pool"] == nil)
  }

  @Test func `an input that something else reads has one order`() throws {
    let axes = try axes(
      outputs: ["y", "z"], layer("x/last", Self.toLast, "x"),
      layer("y", GlobalAveragePooling2D(), "x/last", className: "GlobalAveragePooling2D"),
      layer("z", Flatten(), "x", className: "Flatten"))
    #expect(axes["x"] == nil)
    #expect(axes["y"] == nil)
    #expect(axes["z"] == nil)
  }

  @Test func `other orders of axes are no changes of the channels' place`() throws {
    for order in [[0, 2, 1], [1, 0, 2], [2, 1, 0], [0, 1, 2], [2, 0, 1]] {
      let axes = try axes(outputs: ["y"], layer("y", Permute(order: order), "x"))
      #expect(axes["x"] == nil, "\(order)")
      #expect((axes["y"] != nil) == (order == [2, 0, 1]), "\(order)")
    }
  }

  @Test func `of two axes, a source's own exchange is none`() throws {
    for (className, isKnown) in [("Permute", false), (nil, true)] {
      let axes = try axes(
        [3, 5], outputs: ["y"],
        layer("last", Permute(order: [1, 0]), "x", className: className),
        layer("y", GlobalAveragePooling1D(), "last", className: "GlobalAveragePooling1D"))
      #expect((axes["x"] != nil) == isKnown)
    }
  }

  @Test func `sequences go into the model and out of it`() throws {
    let axes = try axes(
      [3, 5], outputs: ["y"], layer("x/last", Permute(order: [1, 0]), "x"),
      layer("pool", MaxPooling1D(poolSize: .one), "x/last", className: "MaxPooling1D"),
      layer("y/last", Activation(.relu), "pool", className: "ReLU"),
      layer("y", Permute(order: [1, 0]), "y/last"))
    #expect(axes["x"]?.shape(.channelsLast).known == [5, 3])
    #expect(axes["pool"]?.order == .channelsLast)
    #expect(axes["pool"]?.shape(.channelsFirst).known == [3, 5])
    #expect(axes["y"]?.order == .channelsFirst)
  }

  @Test func `an array goes from order to order and back`() throws {
    let axes = try #require(
      try axes([2, 1, 3], outputs: ["y"], layer("y", Self.toLast, "x"))["x"])
    let first = NDArray<Float>(shape: [1, 2, 1, 3], values: [1, 2, 3, 4, 5, 6])
    let last = axes.moved(first, from: .channelsFirst, to: .channelsLast)
    #expect(last == NDArray(shape: [1, 1, 3, 2], values: [1, 4, 2, 5, 3, 6]))
    #expect(axes.moved(last, from: .channelsLast, to: .channelsFirst) == first)
    #expect(axes.moved(last, from: .channelsLast, to: .channelsLast) == last)
  }

  @Test func `a shape has the source's order where it may have both`() throws {
    let fixed = try #require(try axes(outputs: ["y"], layer("y", Self.toLast, "x"))["x"])
    #expect(fixed.order(of: [3, 5, 7]) == .channelsFirst)
    #expect(fixed.order(of: [5, 7, 3]) == .channelsLast)
    #expect(fixed.order(of: [7, 5, 3]) == nil)
    #expect(fixed.order(of: [105]) == nil)
    let open = try #require(
      try axes([3, nil, nil], outputs: ["y"], layer("y", Self.toLast, "x"))["x"])
    #expect(open.order(of: [3, 8, 3]) == .channelsFirst)
    #expect(open.isAmbiguous([3, 8, 3]))
    #expect(!open.isAmbiguous([3, 8, 4]))
    #expect(open.order(of: [8, 4, 3]) == .channelsLast)
    let ones = try #require(
      try axes([1, 1, 1], outputs: ["y"], layer("y", Self.toLast, "x"))["x"])
    #expect(!ones.isAmbiguous([1, 1, 1]))
  }
}

import ModelIR
import TestSupport
import Testing

/// Answers with shapes: correct bytes do not prove that a loader uses the correct shape.
extension ProbeTests {
  @Test("the right bytes in the shape of another order are wrong, whatever the order")
  func shapesOfOtherOrders() throws {
    let (line, seen) = try probe()
    let shapes = try shapes(line)
    let kernels: [(name: String, layer: String, layout: String)] = [
      ("conv_W", "conv", "OHWI"), ("depthwise_W", "depthwise", "IMHW"),
      ("transposed_W", "transposed", "OHWI"), ("dense_W", "dense", "OHWI"),
    ]
    for order in permutations([0, 1, 2, 3]) {
      var others: [String: [Int]] = [:]
      var expected: [String] = []
      for (name, layer, layout) in kernels {
        let shape = try #require(shapes[name])
        let letters = Array(layout)
        others[name] = order.map { shape[$0] }
        // M is 1, and lies where it likes.
        let axes = order.filter { shape[$0] > 1 }
        guard axes != axes.sorted() else { continue }
        expected.append(
          "\(layer) kernel: its shape \(Shape(order.map { shape[$0] })) is that of "
            + "\(String(axes.map { letters[$0] })); the values have the layout \(layout) \(Shape(shape))"
        )
      }
      try write(seen, line, shapes: others)
      let report = try check(line)
      #expect(report.findings == expected)
      #expect(report.status == (expected.isEmpty ? 0 : 1))
    }
  }

  private func permutations(_ elements: [Int]) -> [[Int]] {
    guard elements.count > 1 else { return [elements] }
    return elements.flatMap { first in
      permutations(elements.filter { $0 != first }).map { [first] + $0 }
    }
  }

  @Test("a flat list, and a shape that merges axes, are right as bytes alone, which is said")
  func bytesAlone() throws {
    let (line, seen) = try probe()
    try write(seen, line, shapes: ["conv_W": [120], "dense_W": [4, 30], "conv_b": [5, 1]])
    let report = try check(line)
    #expect(report.status == 0)
    #expect(
      report.findings == [
        "conv kernel: right as bytes; it has no shape",
        "dense kernel: right as bytes; its shape (4, 30) does not show the order of H, W and I",
      ])
    #expect(
      report.sum.hasPrefix(
        "all 12 are right, 2 of them as bytes alone: add their shapes to check the order of axes\n"
      ))
    let json = try jsonObject(
      try line.netconv("probe", "--check", "probe/seen.npz", "--json").output.utf8)
    let rows = try #require(json["tensors"] as? [[String: Any]])
    #expect(rows.first?["shape"] as? [Int] == [120])
    #expect(rows.first?["unchecked"] as? [String] == ["O", "H", "W", "I"])
    #expect(rows[1]["unchecked"] as? [String] == [])
    #expect((json["unanswered"] as? [String])?.count == 6)

    // (HWI)O, as Keras has it.
    try write(seen, line, shapes: ["dense_W": [30, 4]])
    #expect(
      try check(line).findings == [
        "dense kernel: its shape (30, 4) merges axes in another order; the values have the layout OHWI (4, 2, 3, 5)"
      ])
  }

  @Test("what layers give, and the image, are wrong in the shape of another order")
  func shapesOfOutputs() throws {
    let (line, _) = try probe()
    try write(
      try outputs(line), line, shapes: ["norm": [1, 5, 2, 3], "image": [1, 2, 4, 6]])
    let report = try check(line)
    #expect(report.status == 1)
    #expect(
      report.findings == [
        "image: its shape (1, 2, 4, 6) is that of CHW; the values have the layout HWC (4, 6, 2)",
        "norm gives: its shape (1, 5, 2, 3) is that of CHW; the values have the layout HWC (2, 3, 5)",
      ])
    // Another image than the probe's explains nothing that follows.
    var arrays = try outputs(line)
    arrays["image"] = arrays["image"]?.map { $0 * 255 }
    try write(arrays, line)
    #expect(
      try check(line).findings == [
        "image: 47 of 48 values differ, the first at index 0: -95.625, expected -0.375"
      ])
  }

  @Test("a line of JSON can have a shape, and say that its order is another on purpose")
  func lines() throws {
    let (line, seen) = try probe()
    let conv = try #require(seen["conv_W"])
    // OHWI as HWIO: every value is where a loader of that order wants it.
    let moved = transposed(conv, [5, 3, 4, 2], [1, 2, 3, 0])
    func finding(_ keys: String, _ values: [Float]) throws -> (Int32, String) {
      var lines = ["{\"tensor\": \"conv_W\", \(keys)\"values\": \(values)}"]
      for (name, values) in seen where name != "conv_W" {
        lines.append("{\"tensor\": \"\(name)\", \"values\": \(values)}")
      }
      try line.folder.write(lines.joined(separator: "\n"), to: "probe/seen.jsonl")
      let result = try line.netconv("probe", "--check", "probe/seen.jsonl")
      return (result.status.code, String(result.output.split(separator: "\n")[0].dropFirst(13)))
    }
    let hwio = #""layout": "HWIO", "#
    for (keys, values, status, text) in [
      (#""shape": [5, 3, 4, 2], "#, conv, Int32(0), "right"),
      (
        #""shape": [3, 4, 2, 5], "#, conv, 1,
        "its shape (3, 4, 2, 5) is that of HWIO; the values have the layout OHWI (5, 3, 4, 2)"
      ),
      (#""shape": [120], "#, conv, 0, "right as bytes; it has no shape"),
      ("", moved, 1, "in the order HWIO, is OHWI"),
      (hwio + #""shape": [3, 4, 2, 5], "#, moved, 0, "right"),
      (
        hwio + #""shape": [5, 3, 4, 2], "#, moved, 1,
        "its shape (5, 3, 4, 2) is that of OHWI; the values have the layout HWIO (3, 4, 2, 5)"
      ),
      (
        hwio + #""shape": [3, 4, 2, 5], "#, conv, 1,
        "the values have the layout OHWI (5, 3, 4, 2); it is declared as HWIO"
      ),
    ] {
      let found = try finding(keys, values)
      #expect(found == (status, text))
    }
  }

  @Test("what the layers give tells every wrong order of a kernel, whatever shape it has")
  func outputsTellAll() throws {
    let (line, seen) = try probe()
    let right = try outputs(line)
    let (image, conv, dense) = (
      try #require(right["image"]), try #require(seen["conv_W"]), try #require(seen["dense_W"])
    )
    for order in permutations([0, 1, 2, 3]) where order != [0, 1, 2, 3] {
      // The bytes of OHWI taken as another order, and brought into OHWI: index k of the kernel that runs.
      var outputs = right
      let kernel = transposed(conv, order.map { [5, 3, 4, 2][$0] }, inverse(order))
      outputs["conv"] = convolution(image, kernel, bias: seen["conv_b"] ?? [])
      let matrix = transposed(dense, order.map { [4, 2, 3, 5][$0] }, inverse(order))
      outputs["dense"] = (0..<4).map { unit in
        (0..<30).reduce(seen["dense_b"]?[unit] ?? 0) {
          $0 + matrix[unit * 30 + $1] * (right["flatten"]?[$1] ?? 0)
        }
      }
      try write(outputs, line)
      let report = try check(line)
      #expect(
        report.findings.map { $0.prefix { $0 != ":" } } == ["conv gives", "dense gives"],
        "\(order)")
    }
    // The oracle: with the right kernel it gives what the probe says.
    var outputs = right
    outputs["conv"] = convolution(image, conv, bias: seen["conv_b"] ?? [])
    try write(outputs, line)
    #expect(try check(line).status == 0)
  }

  private func inverse(_ order: [Int]) -> [Int] {
    order.indices.compactMap { order.firstIndex(of: $0) }
  }

  /// A convolution of an image (4, 6, 2) with a kernel (5, 3, 4, 2), without padding.
  private func convolution(_ image: [Float], _ kernel: [Float], bias: [Float]) -> [Float] {
    var result: [Float] = []
    for y in 0..<2 {
      for x in 0..<3 {
        for channel in 0..<5 {
          var sum = bias[channel]
          for tap in 0..<24 {
            let (row, column, input) = (tap / 8, tap / 2 % 4, tap % 2)
            sum += kernel[channel * 24 + tap] * image[((y + row) * 6 + x + column) * 2 + input]
          }
          result.append(sum)
        }
      }
    }
    return result
  }
}

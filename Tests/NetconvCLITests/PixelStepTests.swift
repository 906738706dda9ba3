import ModelIR
import TestSupport
import Testing

/// The inputs of a network after the steps that a model records, computed by hand.
@Suite("steps of preprocessing")
struct PixelStepTests {
  /// A network that returns its input: 2 x 1 pixels of three channels, which are 0, 1, 2 and 3, 4, 5.
  private func steps(_ steps: String, input: String = "[2, 1, 3]") throws -> CommandLine {
    let line = try CommandLine()
    try line.folder.write(
      """
      {"format": "netconv-model", "version": 1, "name": "m",
       "inputs": [{"name": "x", "shape": \(input), "preprocessing": \(steps)}], "outputs": ["y"],
       "layers": [{"name": "y", "operator": "Flatten", "inputs": ["x"]}]}
      """, to: "m/model.json")
    try line.folder.write(npy("|u1", "(1, 2, 1, 3)", [0, 1, 2, 3, 4, 5]), to: "x.npy")
    return line
  }

  @Test(
    "every step does what it says, in the order of the list",
    arguments: [
      ("[]", "[2, 1, 3]", [0, 1, 2, 3, 4, 5]),
      (#"[{"step": "scale", "value": 0.5}]"#, "[2, 1, 3]", [0, 0.5, 1, 1.5, 2, 2.5]),
      (#"[{"step": "scale", "value": [1, 2, -1]}]"#, "[2, 1, 3]", [0, 2, -2, 3, 8, -5]),
      (#"[{"step": "offset", "value": [1, 0, 2]}]"#, "[2, 1, 3]", [1, 1, 4, 4, 4, 7]),
      (
        #"[{"step": "mean", "value": [1, 2, 3]}, {"step": "deviation", "value": [1, 2, 4]}]"#,
        "[2, 1, 3]", [-1, -0.5, -0.25, 2, 1, 0.5]
      ),
      (#"[{"step": "invert", "value": 255}]"#, "[2, 1, 3]", [255, 254, 253, 252, 251, 250]),
      (#"[{"step": "channels", "order": "bgr"}]"#, "[2, 1, 3]", [2, 1, 0, 5, 4, 3]),
      (#"[{"step": "channels", "order": "rgb"}]"#, "[2, 1, 3]", [0, 1, 2, 3, 4, 5]),
      // The means are those of blue, green and red by then.
      (
        #"[{"step": "channels", "order": "bgr"}, {"step": "mean", "value": [1, 2, 3]}]"#,
        "[2, 1, 3]", [1, -1, -3, 4, 2, 0]
      ),
      (#"[{"step": "axes", "order": "channelsFirst"}]"#, "[3, 2, 1]", [0, 3, 1, 4, 2, 5]),
      (
        #"[{"step": "axes", "order": "channelsFirst"}, {"step": "channels", "order": "bgr"}]"#,
        "[3, 2, 1]", [2, 5, 1, 4, 0, 3]
      ),
      // As (1 row, 3 columns) of 2 channels, which the numbers would be in the other order.
      (#"[{"step": "axes", "order": "channelsLast"}]"#, "[1, 3, 2]", [0, 3, 1, 4, 2, 5]),
      (#"[{"step": "transpose"}]"#, "[1, 2, 3]", [0, 1, 2, 3, 4, 5]),
    ] as [(String, String, [Float])])
  func everyStep(_ list: String, _ input: String, _ expected: [Float]) throws {
    let line = try steps(list, input: input)
    for command in [["convert", "m", "out"], ["convert", "m", "m.netpack"]] {
      _ = try NetconvProcess.run(command + ["--quiet"], in: line.folder.path)
    }
    for model in ["m", "out", "m.netpack"] {
      let result = try line.netconv("run", model, "--input", "x.npy", "--output", "y-\(model).npz")
      expectSuccess(result)
      #expect(
        try arrays(line.folder.file("y-\(model).npz"))["y"]?.values == expected, "\(model)")
    }
  }

  @Test("height and width are exchanged, channels stay together")
  func transposed() throws {
    let line = try steps(#"[{"step": "transpose"}]"#, input: "[3, 2, 2]")
    // 2 rows of 3 columns with 2 channels.
    try line.folder.write(npy("|u1", "(1, 2, 3, 2)", Array(0..<12)), to: "x.npy")
    expectSuccess(try line.netconv("run", "m", "--input", "x.npy", "--output", "y.npz"))
    #expect(
      try arrays(line.folder.file("y.npz"))["y"]?.values == [0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11])
  }

  @Test(
    "a step that is none says what is known",
    arguments: [
      (
        #"[{"step": "blurr"}]"#,
        "preprocessing has a step 'blurr'; known are scale, offset, mean, deviation, invert, channels, "
          + "transpose, axes, saturation, gray, color, opaque, encoding, boxBlur, blur, crop, pad, turn, resize, fit, fill; "
          + "did you mean 'blur'?"
      ),
      (
        #"[{"step": "mean"}]"#,
        #"the step 'mean' needs "value", one number or one for each channel, and nothing else"#
      ),
      (#"[{"step": "deviation", "value": [1, 0, 1]}]"#, "the step 'deviation' would divide by 0"),
      (#"[{"step": "invert", "value": [1, 2]}]"#, "the step 'invert' needs one number"),
      (
        #"[{"step": "channels", "order": "grb"}]"#,
        #"the step 'channels' needs "order", one of rgb, bgr, and nothing else; found 'grb'"#
      ),
      (#"[{"step": "transpose", "value": 1}]"#, "the step 'transpose' accepts no parameters"),
      (#"[{"step": "blur", "sigma": 1}]"#, #"the step 'blur' needs "value", a number"#),
      (
        #"[{"step": "blur", "value": 1, "order": "rgb"}]"#,
        #"the step 'blur' accepts "value", "sigma", and nothing else"#
      ),
      (
        #"[{"step": "resize", "width": 2.5, "height": 3}]"#,
        #""width" of the step 'resize' is 2.5, expected whole pixels"#
      ),
      (
        #"[{"step": "gray", "region": {"x": 0, "y": 0, "width": 1, "height": 1}}]"#,
        "the step 'gray' changes the shape of an image or the meaning of its values, so it cannot be limited "
          + "to a region"
      ),
      (
        #"[], "scale": 1"#,
        "the input 'x' has a scale or offset beside its preprocessing; write them as preprocessing steps"
      ),
    ])
  func wrongSteps(_ list: String, _ message: String) throws {
    let line = try steps(list)
    expectError(
      try line.netconv("run", "m", "--input", "x.npy"), 65, "m/model.json: \(message)")
  }

  @Test("a step for images of another kind names the images")
  func wrongImages() throws {
    let line = try steps(#"[{"step": "mean", "value": [1, 2]}]"#)
    expectError(
      try line.netconv("run", "m", "--input", "x.npy"), 64,
      "x.npy: the step 'mean' of the preprocessing has 2 numbers and needs the same number of channels; the "
        + "images have shape (2, 1, 3)")
  }
}

import Foundation
import TestSupport
import Testing

/// An edit of ``TinyModel/document`` and the resulting error.
struct BlobCase: Sendable, CustomTestStringConvertible {
  let find: String
  let replacement: String
  let text: String
  var testDescription: String { "\(find) becomes \(replacement)" }

  init(_ find: String, _ replacement: String, _ text: String) {
    self.find = find
    self.replacement = replacement
    self.text = text
  }
}

@Suite("Raw blobs whose model.json is wrong")
struct RawBlobRefusalTests {
  private func convert(_ edit: BlobCase) throws -> NetconvProcess.Result {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    try line.replace(edit.find, with: edit.replacement, in: "blobs/model.json")
    let result = try line.netconv("convert", "blobs", "out")
    #expect(try line.names() == ["blobs"])
    return result
  }

  @Test("the model as it is converts")
  func intact() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    expectSuccess(try line.netconv("convert", "blobs", "out"))
  }

  @Test(
    "a value of the wrong kind is named by its place in the document",
    arguments: [
      BlobCase(
        #""inputs": [{"name": "image", "shape": [6, 5, 2]}]"#, #""inputs": "image""#,
        "inputs: is a string, expected an array"),
      BlobCase(
        #""outputChannels": 4"#, #""outputChannels": "4""#,
        "layers[0].attributes.outputChannels: is a string, expected a whole number"),
      BlobCase(
        #""kernelSize": [3, 2]"#, #""kernelSize": [3]"#,
        "layers[0].attributes.kernelSize: found 1 numbers, expected [height, width]"),
      BlobCase(#""name": "conv""#, #""name": null"#, "layers[0].name: is null, expected a string"),
      BlobCase(#""operator": "Flatten", "#, "", "layers[1]: the key 'operator' is missing"),
      BlobCase(
        #""units": 7"#, #""units": 7.5"#,
        "holds a number that is too large, or one with a fraction where a whole number is expected"),
      BlobCase(
        #""units": 7"#, #""units": 123456789012345678901234567890"#,
        "holds a number that is too large, or one with a fraction where a whole number is expected"),
      BlobCase(
        #""units": 7"#, #""units": 4398046511104"#,
        "layer 'fc': units is 4398046511104, expected a number from 1 to 1048576"),
      BlobCase(
        #""kernelSize": [3, 2]"#, #""kernelSize": [3, 2], "padding": "full""#,
        "layers[0].attributes.padding: unknown padding 'full'; known are causal, same, sameLower, valid, and numbers "
          + "before and after each axis"),
      BlobCase(
        #""units": 7"#, #""units": 7, "activation": "swoosh""#,
        "layers[2].attributes.activation: unknown activation 'swoosh'; known are celu, "
          + "elu, exponential, gelu, hardShrink, hardSigmoid, hardSilu, hardTanh, "
          + "leakyRelu, linear, logSigmoid, logSoftmax, mish, relu, relu6, selu, sigmoid, "
          + "silu, softShrink, softmax, softplus, softsign, sparsePlus, sparseSigmoid, "
          + "squareplus, tanh, tanhShrink, threshold"),
      BlobCase(
        #""units": 7"#, #""units": 7, "useBias": true"#,
        "layers[2].attributes: unknown key 'useBias'"),
      BlobCase(
        #""version": 1"#, #""version": 2"#,
        "version is 2, this netconv reads version 1; use the netconv that wrote it"),
      BlobCase(#""netconv-model""#, #""onnx""#, "format is 'onnx', expected 'netconv-model'"),
    ])
  func values(edit: BlobCase) throws {
    expectError(try convert(edit), 65, "blobs/model.json: " + edit.text)
  }

  @Test("unknown operators are listed at once, each with its place")
  func unknownOperators() throws {
    let line = try CommandLine()
    try TinyModel.write(to: line)
    try line.replace("Convolution2D", with: "Convolution5D", in: "blobs/model.json")
    try line.replace("Dense", with: "Perception", in: "blobs/model.json")
    expectError(
      try line.netconv("convert", "blobs", "out"), 65,
      """
      blobs/model.json: 2 unknown operators
        layers[0] 'conv': 'Convolution5D'; did you mean 'Convolution1D'?
        layers[2] 'fc': 'Perception'
      """)
  }

  @Test(
    "a graph that cannot be computed is refused",
    arguments: [
      BlobCase(
        #""inputs": ["image"]"#, #""inputs": ["fc"]"#,
        """
        the layers form a cycle, so none of these can be computed first
          'conv'
          'flatten'
          'fc'
        """),
      BlobCase(
        #""inputs": ["image"]"#, #""inputs": ["picture"]"#,
        "layer 'conv': reads 'picture', which is neither a layer nor an input of the model; name an existing output"
      ),
      BlobCase(
        #""inputs": ["image"]"#, #""inputs": []"#,
        "layer 'conv': has 0 inputs, expected 1"),
      BlobCase(
        #"{"name": "flatten","#, #"{"name": "conv","#,
        """
        2 problems in the model
          the name 'conv' is used twice; each layer and input needs a unique name
          layer 'fc': reads 'flatten', which is neither a layer nor an input of the model; name an existing output
        """),
      BlobCase(
        #""outputs": ["fc"]"#, #""outputs": ["softmax"]"#,
        "the output 'softmax' is not a layer of the model; name an existing output"),
      BlobCase(
        #""outputs": ["fc"]"#, #""outputs": []"#,
        "the model has no output; name at least one layer"),
      BlobCase(
        #""shape": [6, 5, 2]"#, #""shape": [6, 0, 2]"#,
        "input 'image' has shape (6, 0, 2); each size must be from 1 to 1099511627776"),
      BlobCase(
        #""shape": [6, 5, 2]"#, #""shape": [6, 5]"#,
        "layer 'conv': the input has shape (6, 5), expected (height, width, channels)"),
      BlobCase(
        #""shape": [6, 5, 2]"#, #""shape": [2147483647, 2147483647, 2]"#,
        "input 'image' has shape (2147483647, 2147483647, 2); no sample can have over "
          + "281474976710656 values"),
    ])
  func graphs(edit: BlobCase) throws {
    expectError(try convert(edit), 65, "blobs/model.json: " + edit.text)
  }

  @Test(
    "a layout that does not fit is named with the axes that would",
    arguments: [
      BlobCase(
        "OIHW", "OIXY",
        "layer 'conv', tensor 'kernel': layout OIXY does not have the axes of this parameter, H=3 "
          + "W=2 I=2 O=4; write them in the order of the file, for example HWIO"),
      BlobCase(
        "OIHW", "OIH",
        "layer 'conv', tensor 'kernel': layout OIH does not have the axes of this parameter, H=3 "
          + "W=2 I=2 O=4; write them in the order of the file, for example HWIO"),
      BlobCase(
        "OIHW", "(OI",
        "layer 'conv', tensor 'kernel': layout '(OI' cannot be read; write axes slowest first, such "
          + "as HWIO, OHWI, (IHW)O or O(IHW)"),
      BlobCase(
        "OIHW", "OIHHW",
        "layer 'conv', tensor 'kernel': layout 'OIHHW' cannot be read; write axes slowest first, "
          + "such as HWIO, OHWI, (IHW)O or O(IHW)"),
      BlobCase(
        #""layout": "OIHW""#, #""layout": "OIHW", "shape": [4, 2, 2, 3]"#,
        "layer 'conv', tensor 'kernel': shape is [4, 2, 2, 3], expected [4, 2, 3, 2] (O, I, H, W); "
          + "correct the layer or its weights"),
      BlobCase(
        #""layout": "(HWI)O""#, #""layout": "(HWI)O", "shape": [448]"#,
        "layer 'fc', tensor 'kernel': shape [448] has rank 1, expected rank 2: [64, 7] ((HWI), O); "
          + "correct the layer or its weights"),
      BlobCase(
        #""role": "kernel""#, #""role": "gamma""#,
        "layer 'conv': has a parameter 'gamma' that it does not use; expected kernel, bias"),
      BlobCase(
        #""dtype": "float32", "layout": "OIHW""#, #""dtype": "float8", "layout": "OIHW""#,
        "layer 'conv', tensor 'kernel': dtype 'float8' is unknown; expected one of float16, bfloat16, "
          + "float32, float64, int8, uint8, int16, uint16, int32, uint32, int64, uint64"),
    ])
  func parameters(edit: BlobCase) throws {
    expectError(try convert(edit), 65, "blobs/model.json: " + edit.text)
  }

  @Test(
    "text that is not JSON is named with its line and column",
    arguments: [
      ("", "is not JSON: the text ends, expected a value, in line 1, column 1"),
      ("hello", "is not JSON: found 'hello', expected a value, in line 1, column 1"),
      (
        "{\n  \"format\": 'netconv-model'\n}",
        "is not JSON: found ''netconv', expected a value, in line 2, column 13"
      ),
      ("[]", "is an array, expected an object"),
    ])
  func notJSON(text: String, message: String) throws {
    let line = try CommandLine()
    try TinyModel.write(to: line, document: text)
    expectError(try line.netconv("inspect", "blobs"), 65, "blobs/model.json: " + message)
  }

  @Test("ten thousand brackets are refused", arguments: [("[", "]", 513), ("{\"a\":", "}", 2561)])
  func deepNesting(opening: String, closing: String, column: Int) throws {
    let line = try CommandLine()
    let text =
      String(repeating: opening, count: 10_000) + "1" + String(repeating: closing, count: 10_000)
    try TinyModel.write(to: line, document: text)
    expectError(
      try line.netconv("inspect", "blobs"), 65,
      "blobs/model.json: is not JSON: nested more than 512 levels deep, in line 1, column \(column)"
    )
  }
}

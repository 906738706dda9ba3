import Documents
import Foundation
import ModelIR
import Operators
import TestSupport
import Testing

@Suite struct ModelDocumentTests {
  private static func layer(_ name: String, _ operation: any Operator, attributes: String) -> String
  {
    """
    {"name": "\(name)", "operator": "\(type(of: operation).name)", "attributes": \(attributes), \
    "inputs": ["x"]}
    """
  }

  @Test func `the attributes of every operator survive`() throws {
    let all =
      OperatorAttributes.operators + OperatorAttributes.ofSequences + OperatorAttributes.ofVolumes
    #expect(
      all.map { type(of: $0.operation).name }.sorted()
        == OperatorRegistry.all.map { $0.name }.sorted())
    for (operation, attributes) in all {
      let text = Self.layer("y", operation, attributes: attributes)
      let layer = try JSONDocument.decode(LayerDocument.self, from: Array(text.utf8))
      guard case .known(let decoded) = layer.operation else {
        Issue.record("\(text) is unknown")
        continue
      }
      #expect(decoded.isEqual(to: operation), "\(decoded)")
      let again = try JSONDecoder().decode(
        [String: Attributes].self,
        from: Data(
          #"{"layer": \#(String(decoding: JSONDocument.encode(layer), as: UTF8.self))}"#.utf8))
      #expect(again["layer"]?.attributes == attributes)
    }
  }

  /// The attributes of a layer as one line of JSON.
  private struct Attributes: Decodable {
    let attributes: String

    init(from decoder: any Decoder) throws {
      let layer = try decoder.container(keyedBy: Key.self)
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let value = try layer.decode(JSON.self, forKey: .attributes)
      attributes = String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    enum Key: CodingKey { case attributes }
  }

  @Test func `an operator without attributes has its defaults`() throws {
    let text = #"{"name": "y", "operator": "Concatenate", "inputs": ["x"]}"#
    let layer = try JSONDocument.decode(LayerDocument.self, from: Array(text.utf8))
    guard case .known(let operation) = layer.operation else {
      Issue.record("is unknown")
      return
    }
    #expect(operation.isEqual(to: Concatenate(axis: -1)))
    #expect(layer.parameters.isEmpty)
    #expect(layer.outputShape == nil && layer.className == nil)
  }

  @Test func `an operator that nobody knows is kept`() throws {
    let text = #"{"name": "y", "operator": "Perception", "attributes": {"heads": 8}, "inputs": []}"#
    let layer = try JSONDocument.decode(LayerDocument.self, from: Array(text.utf8))
    guard case .unknown(let name) = layer.operation else {
      Issue.record("is known")
      return
    }
    #expect(name == "Perception")
    let again = try JSONDocument.decode(LayerDocument.self, from: JSONDocument.encode(layer))
    guard case .unknown("Perception") = again.operation else {
      Issue.record("is lost")
      return
    }
  }

  @Test func `a model is written like this`() throws {
    let source = ArraySource([1, 2, 3, 4, 5, 6])
    let model = try Model(
      name: "größe/\"x\"",
      inputs: [ModelInput(name: "image", shape: Shape([nil, 3]), scale: 0.5, offset: -1)],
      layers: [
        LayerDefinition(
          name: "fc", operation: Dense(units: 2), inputs: ["image"],
          parameters: [.kernel: StoredTensor(source: source, layout: nil, shape: nil, path: "p")],
          origin: LayerOrigin(className: "Dense"))
      ], outputs: ["fc"])
    let document = ModelDocument(
      name: model.name, inputs: model.inputs.map(InputDocument.init), outputs: model.outputs,
      layers: model.layers.map { layer in
        LayerDocument(
          layer,
          parameters: [
            ParameterDocument(
              role: "kernel", file: "weights/fc_W.bin", dtype: "float32", layout: "IO",
              shape: [3, 2], offset: 8)
          ])
      })
    let text = """
      {
        "format": "netconv-model",
        "inputs": [
          {
            "name": "image",
            "offset": -1,
            "scale": 0.5,
            "shape": [null, 3]
          }
        ],
        "layers": [
          {
            "attributes": {
              "activation": "linear",
              "units": 2
            },
            "className": "Dense",
            "inputs": ["image"],
            "name": "fc",
            "operator": "Dense",
            "outputShape": [null, 2],
            "parameters": [
              {
                "dtype": "float32",
                "file": "weights/fc_W.bin",
                "layout": "IO",
                "offset": 8,
                "role": "kernel",
                "shape": [3, 2]
              }
            ]
          }
        ],
        "name": "größe/\\"x\\"",
        "outputs": ["fc"],
        "version": 1
      }

      """
    let bytes = try JSONDocument.encode(document)
    #expect(String(decoding: bytes, as: UTF8.self) == text)
    let again = try JSONDocument.decode(ModelDocument.self, from: bytes)
    #expect(try JSONDocument.encode(again) == bytes)
    #expect(again.inputs.map(\.input) == model.inputs)
  }

  @Test func `layers that share parameters say with whom`() throws {
    func dense(_ name: String, _ input: String, owner: String?) -> LayerDefinition {
      LayerDefinition(
        name: name, operation: Dense(units: 2), inputs: [input],
        parameters: [
          .kernel: StoredTensor(
            source: ArraySource([1, 2, 3, 4]), layout: nil, shape: nil, path: "p")
        ], parameterOwner: owner)
    }
    let model = try Model(
      name: "m", inputs: [ModelInput(name: "x", shape: Shape([2]))],
      layers: [dense("a", "x", owner: nil), dense("b", "a", owner: "a")], outputs: ["b"])
    #expect(
      model.layers.map { LayerDocument($0, parameters: []).sharesParametersOf } == [nil, "a"])
  }
}

/// Any JSON value.
private enum JSON: Codable {
  case object([String: JSON])
  case array([JSON])
  case bool(Bool)
  case number(Double)
  case text(String)
  case null

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let object = try? value.decode([String: JSON].self) {
      self = .object(object)
    } else if let array = try? value.decode([JSON].self) {
      self = .array(array)
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else {
      self = .text(try value.decode(String.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .object(let object): try container.encode(object)
    case .array(let array): try container.encode(array)
    case .bool(let bool): try container.encode(bool)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .null: try container.encodeNil()
    }
  }
}

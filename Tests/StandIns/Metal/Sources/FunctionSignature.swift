/// What a function for a device takes, from its text.
struct FunctionSignature {
  /// What a function is for.
  enum Stage: String {
    /// Runs over a grid.
    case kernel
    /// Makes corners.
    case vertex
    /// Makes pixels.
    case fragment
  }

  /// What a parameter is bound to, by its attribute.
  enum Parameter: Equatable {
    case texture(Int, isWritten: Bool)
    case buffer(Int)
    /// The place in a grid, the number of a corner, or what lies between corners.
    case other
  }

  let stage: Stage
  let name: String
  let parameters: [Parameter]
  /// What it returns, in C++.
  private let result: String
  /// Each argument, in C++.
  private let arguments: [String]

  /// What the function is called that runs it.
  var symbol: String { "netconv_run_\(name)" }

  /// Every function of a text that a pipeline can have.
  static func all(in source: String) throws -> [FunctionSignature] {
    let function = #/\b(kernel|vertex|fragment) (\w+) (\w+)\s*\(([^{]*)\)\s*\{/#
    return try source.matches(of: function).compactMap { match in
      guard let stage = Stage(rawValue: String(match.output.1)) else { return nil }
      return try FunctionSignature(
        stage, name: String(match.output.3), result: String(match.output.2),
        parameters: match.output.4)
    }
  }

  private init(_ stage: Stage, name: String, result: String, parameters: Substring) throws {
    self.stage = stage
    self.name = name
    self.result = result
    var found: [Parameter] = []
    var arguments: [String] = []
    for parameter in Self.list(parameters) {
      guard
        let match = parameter.firstMatch(of: #/^\s*(.*?)\s*(\w+)\s*\[\[(\w+)(?:\((\d+)\))?\]\]/#)
      else {
        throw StandInLibrary.Failure(description: "\(name): no attribute in \(parameter)")
      }
      let type = match.output.1
      switch (stage, match.output.3, match.output.4.flatMap { Int($0) }) {
      case (_, "texture", let index?):
        let isWritten = type == "Result" || type.contains("access::write")
        found.append(.texture(index, isWritten: isWritten))
        arguments.append("\(type){&textures[\(index)]}")
      case (_, "buffer", let index?):
        found.append(.buffer(index))
        let pointer = type.replacing("&", with: "*")
        arguments.append(
          (type.hasSuffix("&") ? "*" : "") + "static_cast<\(pointer)>(buffers[\(index)])")
      case (.kernel, "thread_position_in_grid", nil):
        found.append(.other)
        arguments.append("uint2(x, y)")
      case (.vertex, "vertex_id", nil):
        found.append(.other)
        arguments.append("index")
      case (.fragment, "stage_in", nil):
        found.append(.other)
        arguments.append("*static_cast<const \(type) *>(corner)")
      default:
        throw StandInLibrary.Failure(description: "\(name): an unknown attribute in \(parameter)")
      }
    }
    self.parameters = found
    self.arguments = arguments
  }

  /// Parameters, between commas that are in no brackets.
  private static func list(_ text: Substring) -> [String] {
    var depth = 0
    var parameters = [""]
    for character in text {
      if "<([".contains(character) { depth += 1 }
      if ">)]".contains(character) { depth -= 1 }
      if character == ",", depth == 0 {
        parameters.append("")
      } else if character != "\n" {
        parameters[parameters.count - 1].append(character)
      }
    }
    return parameters
  }

  /// The function that runs it, in C++.
  var function: String {
    let call = "::\(name)(\(arguments.joined(separator: ", ")))"
    let bindings = "const texture_memory *textures, void *const *buffers"
    switch stage {
    case .kernel:
      return """

        extern "C" void \(symbol)(\(bindings), uint width, uint height) {
          for (uint y = 0; y < height; y++)
            for (uint x = 0; x < width; x++) \(call);
        }

        """
    case .vertex:
      // A corner is taken for floats, the first four of which are its position.
      return """

        extern "C" void \(symbol)(\(bindings), uint index, float *corner) {
          static_assert(sizeof(\(result)) <= \(CornerMemory.size), "a corner is too large");
          static_assert(offsetof(\(result), position) == 0, "the position is not the first");
          \(result) result = \(call);
          std::memcpy(corner, &result, sizeof result);
        }

        """
    case .fragment:
      return """

        extern "C" void \(symbol)(\(bindings), const void *corner, float *color) {
          \(result) result = \(call);
          static_assert(sizeof result == 16, "a pixel is no float4");
          std::memcpy(color, &result, sizeof result);
        }

        """
    }
  }
}

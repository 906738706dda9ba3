/// What a kernel takes, from its text.
struct KernelSignature {
  /// What a parameter is bound to, by its attribute.
  enum Parameter: Equatable {
    case texture(Int, isWritten: Bool)
    case buffer(Int)
    case place
  }

  let name: String
  let parameters: [Parameter]
  /// Each argument, in C++.
  private let arguments: [String]

  /// What the function is called that runs it over a grid.
  var symbol: String { "netconv_run_\(name)" }

  /// Every kernel of a text.
  static func all(in source: String) throws -> [KernelSignature] {
    let kernel = #/\bkernel void (\w+)\s*\(([^{]*)\)\s*\{/#
    return try source.matches(of: kernel).map {
      try KernelSignature(name: String($0.output.1), parameters: $0.output.2)
    }
  }

  private init(name: String, parameters: Substring) throws {
    self.name = name
    var found: [Parameter] = []
    var arguments: [String] = []
    for parameter in Self.list(parameters) {
      guard
        let match = parameter.firstMatch(of: #/^\s*(.*?)\s*(\w+)\s*\[\[(\w+)(?:\((\d+)\))?\]\]/#)
      else {
        throw StandInLibrary.Failure(description: "\(name): no attribute in \(parameter)")
      }
      let type = match.output.1
      switch (match.output.3, match.output.4.flatMap { Int($0) }) {
      case ("texture", let index?):
        let isWritten = type == "Result" || type.contains("access::write")
        found.append(.texture(index, isWritten: isWritten))
        arguments.append("\(type){&textures[\(index)]}")
      case ("buffer", let index?):
        found.append(.buffer(index))
        let pointer = type.replacing("&", with: "*")
        arguments.append(
          (type.hasSuffix("&") ? "*" : "") + "static_cast<\(pointer)>(buffers[\(index)])")
      case ("thread_position_in_grid", nil):
        found.append(.place)
        arguments.append("uint2(x, y)")
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

  /// The function that runs the kernel over a grid, in C++.
  var function: String {
    """

    extern "C" void \(symbol)(
      const texture_memory *textures, void *const *buffers, uint width, uint height
    ) {
      for (uint y = 0; y < height; y++)
        for (uint x = 0; x < width; x++) ::\(name)(\(arguments.joined(separator: ", ")));
    }

    """
  }
}

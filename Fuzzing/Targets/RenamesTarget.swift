import Readers

/// New names of variables for `--rename`.
enum RenamesTarget: FuzzTarget {
  static let name = "renames"

  static func parse(_ bytes: [UInt8]) throws {
    try withFile(bytes) { path in
      let renames = try VariableRenames(path: path)
      let variables = renames.variables
      try hold(renames.isEmpty == variables.isEmpty, "there are none, and some")
      try hold(Set(variables).count == variables.count, "a variable has two names")
      try hold(renames.ifThere.variables == variables, "others are renamed where some may lack")
    }
  }
}

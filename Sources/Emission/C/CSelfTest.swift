/// The program that replays goldens.
struct CSelfTest {
  let name: CName
  let network: CNetwork
  let form: LibraryWeights

  /// Returns the goldens as arrays, and the program.
  func files(_ goldens: LibraryGoldens) -> [EmittedFile] {
    [
      EmittedFile(path: "\(name)_goldens.h", text: arrays(goldens)),
      EmittedFile(path: "\(name)_selftest.c", text: program(goldens)),
    ]
  }

  private func arrays(_ goldens: LibraryGoldens) -> String {
    var texts: [String] = []
    for input in network.inputs {
      texts.append(
        array(
          "float", "input_" + input.identifier,
          goldens.inputs[input.name, default: []].lazy.map(CText.literal)))
    }
    var rows: [String] = []
    for (index, statement) in network.statements.enumerated() {
      let label = CText.string(statement.value.replacing("\0", with: " "))
      guard let layer = goldens.layers[statement.value], let first = layer.samples.first,
        !first.isEmpty
      else {
        rows.append("    {\(label), 0, NULL, NULL, 0.0f},")
        continue
      }
      if let positions = layer.positions {
        texts.append(array("int", "positions_\(index)", positions.lazy.map { "\($0)" }))
      }
      texts.append(
        array("float", "values_\(index)", layer.samples.joined().lazy.map(CText.literal)))
      let positions = layer.positions == nil ? "NULL" : "positions_\(index)"
      let tolerance = CText.literal(layer.tolerance)
      rows.append("    {\(label), \(first.count), \(positions), values_\(index), \(tolerance)},")
    }
    return """
      /* Inputs of the network, and what its layers compute of them in double precision. */
      #define SAMPLES \(goldens.samples)

      \(form == .array ? hashes : "")

      \(texts.joined(separator: "\n"))
      /* A layer: how many values of a sample are stored, their positions unless these are all, the values, and the
         distance that float32 may have from them. */
      typedef struct {
          const char *layer;
          int stored;
          const int *positions;
          const float *values;
          float tolerance;
      } golden;

      static const golden goldens[\(max(1, rows.count))] = {
      \(rows.isEmpty ? "    {\"\", 0, NULL, NULL, 0.0f}," : rows.joined(separator: "\n"))
      };

      """
  }

  /// A table of the weights' arrays with the hash of each; those of a file are checked when it is opened.
  private var hashes: String {
    let rows = network.arrays.map { array in
      let hash = array.values.reduce(UInt32(2_166_136_261)) { hash, value in
        value.isNaN ? hash : (hash ^ value.bitPattern) &* 16_777_619
      }
      return "    {\(CText.string(array.name)), \(array.name), \(array.values.count), \(hash)UL},"
    }
    return """
      /* The arrays of weights, and the hash of the bits of each. */
      typedef struct {
          const char *name;
          const float *values;
          int count;
          unsigned long hash;
      } weights_array;

      static const weights_array weights_arrays[\(max(1, rows.count))] = {
      \(rows.isEmpty ? "    {\"\", NULL, 0, 2166136261UL}," : rows.joined(separator: "\n"))
      };

      """
  }

  private func array(_ type: String, _ name: String, _ literals: some Sequence<String>) -> String {
    let lines = CText.lines(literals, indentation: "    ").joined(separator: "\n")
    return "static const \(type) \(name)[] = {\n\(lines)\n};\n"
  }

  private func program(_ goldens: LibraryGoldens) -> String {
    let inputs = network.inputs.map { "input_\($0.identifier) + sample * \($0.count)" }
    let outputs = network.outputs.map { "output_\($0.identifier)" }
    let arguments =
      ((form == .file ? ["&weights"] : []) + inputs + outputs + ["arena"]).joined(separator: ", ")
    let memory = network.outputs.map { "static float output_\($0.identifier)[\($0.count)];\n" }
      .joined()
    return CTemplate.selfTest.filled([
      "NAME": name.description, "MACRO": name.macro, "MEMORY": memory, "ARGUMENTS": arguments,
      "MAIN": form == .file ? "int argc, char **argv" : "void",
      "INCLUDE": form == .file
        ? "#include <stdlib.h>\n" : "#include <stdint.h>\n#include <string.h>\n",
      "LOADER": form == .file
        ? CTemplate.loader.filled(["NAME": name.description, "MACRO": name.macro]) + "\n\n"
        : CTemplate.weightsCheck.filled(["NAME": name.description]) + "\n\n",
      "OPEN": form == .file
        ? """
            \(name)_weights weights;

            if (!load(argc > 1 ? argv[1] : "\(name).weights", &weights)) return 2;

        """ : "    if (!check_weights()) return 1;\n\n",
    ])
  }
}

import ModelIR

/// The header, the source and the weights of a network in C.
struct CNetworkSource {
  private let network: CNetwork
  private let name: CName
  private let form: LibraryWeights
  private let title: String
  private let remarks: [String: String]
  /// A hash of the source and the weights, which their files have in common.
  private let identity: String

  init(
    _ network: CNetwork, _ name: CName, model: String, source: String, form: LibraryWeights,
    remarks: [String: String]
  ) {
    self.network = network
    self.name = name
    self.form = form
    self.remarks = remarks
    title =
      "The network \(CText.comment(quoted(model))), as netconv has read it from \(CText.comment(quoted(source)))."
    var hash = FNVHash()
    for statement in network.statements { hash.add(statement.lines.joined().utf8) }
    for array in network.arrays {
      for value in array.values { hash.add(word: value.bitPattern) }
    }
    let digits = String(hash.value & 0xffff_ffff, radix: 16)
    identity = "0x" + String(repeating: "0", count: 8 - digits.count) + digits + "UL"
  }

  /// All files.
  var files: [EmittedFile] {
    [
      EmittedFile(path: "\(name).h", text: header), EmittedFile(path: "\(name).c", text: source),
    ] + (form == .array ? [EmittedFile(path: "\(name)_weights.h", text: weights)] : [])
  }

  // MARK: - The header

  private var header: String {
    let ends = (network.inputs.map { ("input", $0) } + network.outputs.map { ("output", $0) })
    let counts = ends.map { kind, end in
      "#define \(macro(end)) \(end.count) /* \(kind) \(CText.comment(quoted(end.name))): \(CText.sizes(end.shape)) */"
    }
    let notes = (network.inputs + network.outputs).compactMap { end in
      remarks[end.name].map { "   \(end.identifier): \(CText.comment($0)).\n" }
    }.joined()
    return """
      /* \(title)
         Written by netconv emit; changes are lost when it is written again.

         cc -std=c99 -O2 -ffp-contract=off \(name)_selftest.c -o \(name)_selftest -lm && ./\(name)_selftest
         cc -std=c99 -O2 -ffp-contract=off -c \(name).c */
      #ifndef \(name.macro)_H
      #define \(name.macro)_H
      \(form == .file ? "\n#include <stddef.h>\n" : "")
      /* The state of the files: a header of one network and the source of another do not compile. */
      #define \(name.macro)_ID \(identity)

      /* The numbers of values; all are float32, row-major in the order of these sizes. */
      \(counts.joined(separator: "\n"))

      /* The number of floats that a run needs as working memory. */
      #define \(name.macro)_ARENA_COUNT \(network.arenaCount)

      \(errors)

      #ifdef __cplusplus
      extern "C" {
      #endif

      \(opening)/* Runs the network on one sample and returns \(name.macro)_OK.
      \(notes)   The arena has \(name.macro)_ARENA_COUNT floats, whose values do not matter and are not kept. Arrays do not
         overlap. There is no other state: several threads may run the network, each with its own arena. */
      int \(name)_run(\(parameters));

      #ifdef __cplusplus
      }
      #endif

      #endif

      """
  }

  private var errors: String {
    var errors = [
      ("OK", "success"), ("BAD_INDEX", "an input has an index that a table does not have"),
    ]
    if form == .file { errors += CWeightsFile.errors }
    let lines = errors.enumerated().map { "    \(name.macro)_\($1.0) = \($0), /* \($1.1) */" }
    return
      "enum {\n\(lines.joined(separator: "\n"))\n    \(name.macro)_ERRORS = \(errors.count)\n};"
  }

  private var opening: String {
    guard form == .file else { return "" }
    return """
      /* Weights in memory that stays as it is while they are used. */
      typedef struct {
          const float *values;
      } \(name)_weights;

      /* Checks the bytes of \(name).weights: their number, alignment, byte order, origin and hash. The bytes can be
         mapped or read; they are not copied. Returns \(name.macro)_OK or what is wrong. */
      int \(name)_open(\(name)_weights *weights, const void *bytes, size_t count);


      """
  }

  private func macro(_ end: CNetwork.End) -> String {
    "\(name.macro)_\(end.identifier.uppercased())_COUNT"
  }

  private var parameters: String {
    let weights = form == .file ? ["const \(name)_weights *weights"] : []
    let inputs = network.inputs.map { "const float *\($0.identifier)" }
    let outputs = network.outputs.map { "float *\($0.identifier)" }
    return (weights + inputs + outputs + ["float *arena"]).joined(separator: ", ")
  }

  // MARK: - The source

  private var source: String {
    let definitions = network.functions.definitions.map(\.text).joined(separator: "\n\n")
    let largest = max(
      network.arenaCount, network.parameterCount,
      (network.inputs + network.outputs).map(\.count).max() ?? 0)
    return """
      /* \(title)
         Written by netconv emit; changes are lost when it is written again. */
      #include "\(name).h"

      #include <float.h>
      #include <limits.h>
      #include <math.h>
      #include <stddef.h>

      #if \(name.macro)_ID != \(identity)
      #error "\(name).h is of another network than \(name).c"
      #endif
      #if FLT_RADIX != 2 || FLT_MANT_DIG != 24 || FLT_MAX_EXP != 128
      #error "float is not the float32 of IEEE 754"
      #endif
      #if INT_MAX < \(largest)
      #error "int is too small for this network"
      #endif
      #if defined(__FAST_MATH__)
      #error "-ffast-math changes what is computed of infinity and NaN; -O2 or -O3 alone are fine"
      #endif
      \(form == .array ? "\n#include \"\(name)_weights.h\"\n" : "")
      /* A self-test defines this to see the values of each layer. */
      #ifndef \(name.macro)_TRACE
      #define \(name.macro)_TRACE(layer, values, count) ((void)0)
      #endif

      \(definitions)

      \(form == .file ? CWeightsFile(network).opening(name) + "\n\n" : "")int \(name)_run(\(parameters))
      {
      \(plan)\(arrays)\(unused)\(body)    return \(name.macro)_OK;
      }

      """
  }

  /// The arena's plan: the address of each value, and how many there are.
  private var plan: String {
    guard !network.places.isEmpty else { return "" }
    let places = network.places.sorted { ($0.offset, $0.identifier) < ($1.offset, $1.identifier) }
    let lines = places.map { place in
      "    float *const \(place.identifier) = arena + \(place.offset); /* \(CText.sizes(place.shape)), up to \(place.offset + place.count) */\n"
    }
    return
      "    /* The plan of the arena: values that are not needed at the same time share memory. */\n"
      + lines.joined() + "\n"
  }

  /// The addresses of parameters in a file.
  private var arrays: String {
    guard form == .file else { return "" }
    var offset = 0
    let lines = network.arrays.map { array in
      defer { offset += array.values.count }
      return "    const float *const \(array.name) = weights->values + \(offset);\n"
    }
    return """
          if (weights == NULL || weights->values == NULL) return \(name.macro)_NO_WEIGHTS;

      """ + lines.joined() + "\n"
  }

  /// Uses of parameters that no statement reads.
  private var unused: String {
    let read = Set(network.statements.flatMap(\.lines).flatMap(\.cWords))
    let names =
      network.inputs.map(\.identifier).filter { !read.contains($0) }
      + (network.places.isEmpty ? ["arena"] : [])
      + (form == .file && network.arrays.isEmpty ? ["weights"] : [])
    return names.map { "    (void)\($0);\n" }.joined()
  }

  private var body: String {
    network.statements.enumerated().map { index, statement in
      let lines = statement.lines.map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
      return "    /* \(CText.comment(statement.comment)) */\n" + lines
        + "    \(name.macro)_TRACE(\(index), \(statement.address), \(statement.count));\n\n"
    }.joined()
  }

  // MARK: - The weights

  private var weights: String {
    let arrays = network.arrays.map { array in
      let lines = CText.lines(array.values.lazy.map(CText.literal), indentation: "    ")
      return
        "static const float \(name.macro)_WEIGHTS \(array.name)[\(array.values.count)] = {\n\(lines.joined(separator: "\n"))\n};\n"
    }
    return """
      /* \(title)
         The weights; \(name).c includes them. */
      #if \(name.macro)_ID != \(identity)
      #error "\(name)_weights.h is of another network than \(name).h"
      #endif

      /* What stands in front of each array's name, such as a section: -D'\(name.macro)_WEIGHTS=__attribute__((section(".flash")))' */
      #ifndef \(name.macro)_WEIGHTS
      #define \(name.macro)_WEIGHTS
      #endif

      \(arrays.joined(separator: "\n"))
      """
  }
}

extension String {
  /// The identifiers in a statement.
  var cWords: [String] {
    split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
  }
}

extension FixedWidthInteger {
  /// The bytes, the least significant first.
  var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}

/// The hash FNV-1a of 64 bits, which a few lines of C compute too.
struct FNVHash {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Adds a word at once, which is no longer FNV-1a but as good to tell networks apart.
  mutating func add(word: UInt32) { value = (value ^ UInt64(word)) &* 0x100_0000_01b3 }

  /// Adds bytes.
  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }
}

/// The files that compile a network in C, and a program that classifies with it.
struct CBuildFiles {
  let files: [EmittedFile]

  init(
    _ network: CNetwork, _ name: CName, _ form: LibraryWeights,
    _ pixels: (scale: Double, offset: Double)?
  ) {
    let hasMain = network.inputs.count == 1 && network.outputs.count == 1
    let names = [
      "NAME": name.description, "MACRO": name.macro,
      "DATA": form == .array ? "\(name)_weights.h" : "",
      "MAIN": hasMain ? " \(name)_main" : "",
    ]
    let main = hasMain ? Self.main(network, name, form, pixels) : []
    files =
      [
        EmittedFile(
          path: "Makefile",
          text: Self.makefile.filled(names) + (hasMain ? Self.mainRule.filled(names) : "")),
        EmittedFile(
          path: "CMakeLists.txt",
          text: Self.cmake.filled(names) + (hasMain ? Self.cmakeMain.filled(names) : "")),
      ] + main
  }

  private static func main(
    _ network: CNetwork, _ name: CName, _ form: LibraryWeights,
    _ pixels: (scale: Double, offset: Double)?
  ) -> [EmittedFile] {
    let values = [
      "NAME": name.description, "MACRO": name.macro, "COUNT": "\(network.inputs[0].count)",
      "CLASSES": "\(network.outputs[0].count)",
      "WEIGHTS": form == .file ? "&weights, " : "",
      "USAGE": form == .file ? " [WEIGHTS]" : "",
      "LOADER": form == .file
        ? CTemplate.loader.filled(["NAME": name.description, "MACRO": name.macro]) + "\n\n" : "",
      "OPEN": form == .file
        ? """
            \(name)_weights weights;
            if (!load(argc > 3 ? argv[3] : "\(name).weights", &weights)) return 2;

        """ : "",
      "PIXELS": pixels == nil ? "0" : "1", "SCALE": CText.literal(pixels?.scale ?? 1),
      "OFFSET": CText.literal(pixels?.offset ?? 0),
      "LIMIT": form == .file ? "4" : "3",
    ]
    return [EmittedFile(path: "\(name)_main.c", text: CTemplate.main.filled(values))]
  }

  private static let makefile = CTemplate(
    text: """
      # make test replays stored inputs; CFLAGS are yours, such as -O3 -march=native.
      # Without -ffp-contract=off a compiler may round products and sums once instead of twice.
      CFLAGS ?= -O2
      FLAGS = -std=c99 -Wall -Wextra -ffp-contract=off

      all: @NAME@.o @NAME@_selftest@MAIN@

      @NAME@.o: @NAME@.c @NAME@.h @DATA@
      \t$(CC) $(FLAGS) $(CFLAGS) -c @NAME@.c -o @NAME@.o

      @NAME@_selftest: @NAME@_selftest.c @NAME@_goldens.h @NAME@.c @NAME@.h @DATA@
      \t$(CC) $(FLAGS) $(CFLAGS) @NAME@_selftest.c -o @NAME@_selftest -lm

      test: @NAME@_selftest
      \t./@NAME@_selftest

      .PHONY: all test

      """)

  private static let mainRule = CTemplate(
    text: """

      @NAME@_main: @NAME@_main.c @NAME@.o
      \t$(CC) $(FLAGS) $(CFLAGS) @NAME@_main.c @NAME@.o -o @NAME@_main -lm

      """)

  private static let cmake = CTemplate(
    text: """
      cmake_minimum_required(VERSION 3.10)
      project(@NAME@ C)
      set(CMAKE_C_STANDARD 99)
      if(NOT MSVC)
        add_compile_options(-ffp-contract=off)
      endif()
      find_library(MATH m)

      add_library(@NAME@ STATIC @NAME@.c)
      target_include_directories(@NAME@ PUBLIC ${CMAKE_CURRENT_SOURCE_DIR})
      if(MATH)
        target_link_libraries(@NAME@ ${MATH})
      endif()

      enable_testing()
      add_executable(@NAME@_selftest @NAME@_selftest.c)
      if(MATH)
        target_link_libraries(@NAME@_selftest ${MATH})
      endif()
      add_test(NAME @NAME@ COMMAND @NAME@_selftest WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})

      """)

  private static let cmakeMain = CTemplate(
    text: """

      add_executable(@NAME@_main @NAME@_main.c)
      target_link_libraries(@NAME@_main @NAME@)

      """)
}

import ArgumentParser
import ModelIR
import NetconvKit

/// The command `netconv probe`.
struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract:
      "Writes a model whose weights number their positions, and checks how a loader read it.",
    usage: """
      netconv probe DIR [--target T] [--dtype T] [--force]
      netconv probe --check FILE [--probe DIR]
      """,
    discussion: """
      DIR gets model/, as convert writes it, and in probe.npz and probe.json an
      image and the expected output of each layer. Load model/ with your own code,
      and let it write what it read to FILE: an .npz, or JSON lines such as
      {"tensor": "conv_W", "shape": [5, 3, 4, 2], "values": [0, 1, 2, …]}.

        netconv probe probe/ --target mps
        netconv probe --check probe/seen.npz

      What a check can find depends on FILE's contents:

      - arrays named like the tensors (conv_W), with values in the order in which they
        are in memory. A flat list shows wrong bytes, types and offsets, but a
        loader that mistakes OHWI for HWIO still has the right bytes;
      - the same with the shape in which your code holds them, as numpy.savez
        saves it. That shows the order of the axes too. JSON lines can name
        another order explicitly: "layout": "HWIO";
      - arrays named like the layers (conv), with their outputs for the image, as
        height, width, channels. That shows all of this, and how your code uses
        the weights. Prefer it.

      Exits with 1 if anything is wrong.
      """)

  @Argument(help: "The folder to write.", completion: .directory)
  var dir: String?

  @Option(
    help: ArgumentHelp(
      "The code that reads the weights: \(targetNames). (default: mps)", valueName: "target"),
    completion: .targets)
  var target: String?

  @Option(
    help: ArgumentHelp(
      "The type of kernels: float32, float16 or bfloat16. (default: float32)", valueName: "type"
    ),
    completion: .list(ProbeRequest.elementTypes.map(\.rawValue)))
  var dtype: ElementType?

  @Flag(help: "Replace an earlier probe.")
  var force = false

  @Option(
    help: ArgumentHelp("Check what a loader read: .npz or JSON lines.", valueName: "file"),
    completion: .file())
  var check: String?

  @Option(
    help: ArgumentHelp(
      "The probe that was loaded. (default: the folder of FILE, or the one above)",
      valueName: "dir"),
    completion: .directory)
  var probe: String?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    try checkPaths(("DIR", dir), ("--check", check), ("--probe", probe))
    guard (dir == nil) != (check == nil) else {
      throw ValidationError("probe needs either a DIR to write or --check FILE")
    }
    try NetconvCLI.check([("--probe", probe != nil)], needs: "--check FILE", check != nil)
    try NetconvCLI.check(
      [("--target", target != nil), ("--dtype", dtype != nil), ("--force", force)],
      needs: "a DIR to write; --check reads the probe as it is", check == nil)
  }

  func run() throws {
    if let check {
      let report = try Netconv.checkProbe(check, probe: probe)
      if output.json {
        try Output.print(json: report)
      } else if !output.quiet {
        ProbeRendering.print(report)
      }
      if !report.passed { throw ExitStatus.verdictIsNo }
    } else if let dir {
      var request = ProbeRequest(directory: dir)
      request.target = target ?? request.target
      request.elementType = dtype ?? request.elementType
      request.force = force
      let bar = ProgressBar("writing")
      let document = try Netconv.probe(request, observer: bar.observer(isQuiet: output.quiet))
      if output.json {
        try Output.print(json: document)
      } else if !output.quiet {
        ProbeRendering.print(document, in: dir)
      }
    }
  }
}

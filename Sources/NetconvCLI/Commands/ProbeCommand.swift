import ArgumentParser
import ModelIR
import NetconvKit

/// The command `netconv probe`.
struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe",
    abstract:
      "Writes a model whose weights number their places, and checks what a loader made of it.",
    usage: """
      netconv probe DIR [--target T] [--dtype T] [--force]
      netconv probe --check FILE [--probe DIR]
      """,
    discussion: """
      DIR gets model/, as convert writes it, and in probe.npz and probe.json an
      image and what each layer must give for it. Load model/ with your own code,
      and let it write what it sees to FILE: an .npz, or JSON lines such as
      {"tensor": "conv_W", "shape": [5, 3, 4, 2], "values": [0, 1, 2, …]}.

        netconv probe probe/ --target mps
        netconv probe --check probe/seen.npz

      What a check can tell depends on what FILE holds:

      - arrays called like the tensors (conv_W), values in the order in which they
        lie in memory. A flat list shows wrong bytes, types and offsets, but a
        loader that takes OHWI for HWIO and moves nothing has the right bytes;
      - the same with the shape in which your code holds them, as numpy.savez
        saves it. That shows the order of the axes too. JSON lines can name
        another order on purpose: "layout": "HWIO";
      - arrays called like the layers (conv), with what they give for the image,
        as height, width, channels. That shows all of it, and what your code does
        with the weights. Prefer this.

      Exits with 1 if anything is wrong.
      """)

  @Argument(help: "The folder to write.", completion: .directory)
  var dir: String?

  @Option(
    help: ArgumentHelp(
      "Who will read the weights: \(targetNames). (default: mps)", valueName: "target"),
    completion: .targets)
  var target: String?

  @Option(
    help: ArgumentHelp(
      "How kernels are written: float32, float16 or bfloat16. (default: float32)", valueName: "type"
    ),
    completion: .list(ProbeRequest.elementTypes.map(\.rawValue)))
  var dtype: ElementType?

  @Flag(help: "Replace an earlier probe.")
  var force = false

  @Option(
    help: ArgumentHelp("Check what a loader saw: .npz or JSON lines.", valueName: "file"),
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
      throw ValidationError("probe takes a DIR to write, or --check FILE, one of the two")
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

// How far a converted model is from its goldens, and which layer is the first beyond its tolerance.

const { layers } = report;
const rowOf = new Map(layers.map((row, index) => [row.name, index]));
const firstWrong = layers.find((row) => !row.passed);
const isUnknown = (row) => row.difference === null && row.nonFinite > 0 && row.nonFinite === row.compared * report.samples;
// Without a tolerance nothing is judged, however far it is.
const ratio = (row) => (row.tolerance === undefined ? null : toleranceRatio(row.difference, row.tolerance));
function levelOf(row) {
  if (!row || isUnknown(row) || row.tolerance === undefined) return "s-none";
  return row.difference === null ? "s-4" : toleranceLevel(row.passed ? Math.min(1, ratio(row)) : Math.max(2, ratio(row)));
}
function verdictOf(row) {
  if (isUnknown(row)) return "not compared: nothing is finite";
  if (row.tolerance === undefined) return "not judged: " + report.precision + " cannot hold it";
  return row.passed ? "within its tolerance" : "beyond its tolerance";
}
const colourOf = (row) => (!row.passed ? "bad-text" : isUnknown(row) || row.tolerance === undefined ? "warn-text" : "good-text");
const distance = (value) => (value === null || value === undefined ? "-" : significant(value));

const graph = graphView(data.graph, {
  label: "Graph of the layers",
  levels: toleranceLevels,
  state: (node) => {
    const row = layers[rowOf.get(data.graph.nodes[node].name)];
    return { level: levelOf(row), class: row && !row.passed ? "wrong" : "", word: row && row === firstWrong ? "first wrong layer" : null, say: row ? verdictOf(row) : "not compared" };
  },
  groupState: (nodes) => worstOf(nodes.map((node) => layers[rowOf.get(data.graph.nodes[node].name)]).filter(Boolean), levelOf),
  details: (node) => {
    const { name, type, shape } = data.graph.nodes[node];
    const index = rowOf.get(name);
    const row = index === undefined ? null : layers[index];
    return facts([["type", nameOf(type)], ["output", shape],
      row && ["verdict", el("span", { class: colourOf(row) }, verdictOf(row))],
      row && ["largest distance", num(`/layers/${index}/difference`, distance)],
      row && ["tolerance", num(`/layers/${index}/tolerance`, distance)],
      row && row.nonFinite > 0 && ["not finite in both", num(`/layers/${index}/nonFinite`, grouped)]]);
  },
});

const origins = { random: "random inputs", mnist: "MNIST test images", file: "inputs from a file" };
section("layers", "Layer by layer",
  el("p", null, num("/samples", grouped), " ", origins[report.origin] || nameOf(report.origin), " that were stored when the model was converted; ", report.engine, " engine, ", report.precision, "."),
  distancePlots(layers, ratio, firstWrong),
  el("p", { class: "note" }, "The line is the tolerance of each layer: from its types and sums. At the left edge the distance is zero, or too small to be drawn."),
  table("Each layer and how far it is from its golden values", [
    { title: "layer", wide: true, search: (r) => r.name, value: (r) => r.name, cell: (r) => el("button", { type: "button", onclick: () => { graph.showNode(data.graph.nodes.findIndex((n) => n.name === r.name)); graph.scrollIntoView({ block: "start" }); } }, shortName(r.name)) },
    { title: "type", search: (r) => r.operator, cell: (r) => shortName(r.operator, 32) },
    { title: "values", right: true, value: (r) => r.count, cell: (r, i) => [num(`/layers/${i}/compared`, grouped), " of ", num(`/layers/${i}/count`, grouped)] },
    { title: "distance", right: true, value: (r) => r.difference, cell: (r, i) => num(`/layers/${i}/difference`, distance) },
    { title: "tolerance", right: true, value: (r) => (r.tolerance === undefined ? null : r.tolerance), cell: (r, i) => num(`/layers/${i}/tolerance`, distance) },
    { title: "not finite in both", right: true, value: (r) => r.nonFinite, cell: (r, i) => num(`/layers/${i}/nonFinite`, grouped) },
    { title: "verdict", value: (r) => (r.passed ? 1 : 0), cell: (r) => el("span", { class: colourOf(r) }, r === firstWrong ? "first wrong: " : "", verdictOf(r)) },
  ], layers, { pageSize: 15, searchLabel: "Find a layer", rowClass: (r) => (r.passed ? null : "bad") }));
section("graph", "Graph", graph);
if (report.checkedTensors > 0) {
  section("checked", "What was checked first", el("p", null, num("/checkedTensors", grouped), " tensors in ", report.checkedContainers.join(" and "), " are as the manifest says."));
}
graph.start(firstWrong ? data.graph.nodes.findIndex((node) => node.name === firstWrong.name) : undefined);

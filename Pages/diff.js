// In what two networks differ.

// Layer and role, or the name where nothing tells these apart.
const titleOf = (t) => (t.layer === t.role ? t.layer : t.layer + " " + t.role);
const pairsOf = new Map();
report.tensors.forEach((pair, index) => {
  if (!pairsOf.has(pair.a.layer)) pairsOf.set(pair.a.layer, []);
  pairsOf.get(pair.a.layer).push(index);
});
const levels = [["s-0", "equal"], ["s-1", "at most 1 ULP, or a rounding"], ["s-2", "up to 1,000 ULP"], ["s-3", "up to a million ULP"], ["s-4", "more, or another shape"], ["s-none", "without tensors"]];
function levelOf(pair) {
  if (pair.status === "equal") return 0;
  if (pair.status === "shape") return 4;
  if (pair.status === "rounded") return 1;
  if (!pair.difference || pair.difference.mismatchedNonFinite > 0) return 4;
  const steps = pair.difference.maximumULPs;
  return steps <= 1 ? 1 : steps <= 1000 ? 2 : steps <= 1e6 ? 3 : 4;
}
const words = { equal: "equal", rounded: "equal up to rounding", within: "within the tolerance", changed: "changed", shape: "other axes" };
const ulps = (value) => (value === null || value === undefined ? "-" : value > 9999999 ? Number(value).toExponential(2) : grouped(value));
const differences = new Map();
report.graph.forEach((difference) => {
  if (!differences.has(difference.layer)) differences.set(difference.layer, []);
  differences.get(difference.layer).push(difference);
});

let graph = null;
if (data.graphs) {
  const { nodes } = data.graphs.graph;
  const worst = (name) => (pairsOf.get(name) || []).reduce((most, i) => Math.max(most, levelOf(report.tensors[i])), -1);
  // A layer that only B has is no difference of the layer of A that has its name.
  const isOfB = (difference) => difference.kind === "presence" && !difference.a;
  const differencesOf = (node) => {
    const isB = nodes[node].side === "b";
    return (differences.get((isB && data.graphs.renamed[node]) || nodes[node].name) || []).filter((d) => isOfB(d) === isB);
  };
  const levelOfNode = (node) => (nodes[node].side ? -1 : worst(nodes[node].name));
  graph = alignedGraph(data.graphs, {
    label: "Graph of both networks",
    levels,
    levelOf: levelOfNode,
    isWrong: (node) => differencesOf(node).length > 0 || levelOfNode(node) === 4,
    details: (node) => {
      const { name, side } = nodes[node];
      return [differencesOf(node).map((d) => el("p", { class: "bad-text" }, d.name || d.kind, ": ", d.a || "nothing", " in A, ", d.b || "nothing", " in B")),
        (side ? [] : pairsOf.get(name) || []).map((i) => el("p", null, el("button", { type: "button", onclick: () => choose(i, true) }, report.tensors[i].a.role), " ", el("span", { class: report.tensors[i].status === "changed" || report.tensors[i].status === "shape" ? "bad-text" : "quiet" }, words[report.tensors[i].status])))];
    },
  });
  section("graph", "Graph", el("p", null, "Both networks as one graph: layers are the same where their tensors or what they compute say so. Colours are the largest distance of a layer's tensors, in steps from one number to the next (ULP)."), sidesNote(), graph);
}

const chosen = el("div");
let pairTable = null;
const stored = (value) => (typeof value === "string" ? value : String(value));

// Where a tensor differs: a cell is some of its values, and its colour the farthest of them.
function heatMap(map) {
  const scale = Math.max(1, Math.min(24, Math.floor(640 / map.columns), Math.max(4, Math.floor(320 / map.rows))));
  const image = { width: map.columns, height: map.rows, channels: 1, pixels: map.levels };
  const stops = [[255, 255, 255], [233, 242, 214], [245, 217, 168], [235, 168, 120], [179, 38, 30]];
  const color = (byte) => {
    if (byte === 0) return [240, 241, 243];
    if (byte === 255) return [90, 0, 120];
    const t = Math.min(1, byte / 8 / 24) * (stops.length - 1);
    const i = Math.min(stops.length - 2, Math.floor(t));
    return stops[i].map((c, k) => Math.round(c + (stops[i + 1][k] - c) * (t - i)));
  };
  return el("div", { class: "heat" },
    el("p", { class: "note" }, map.rowAxis ? [`Down: ${map.rowAxis}, ${grouped(map.rowCount)} places. `] : "", `To the right: ${map.columnAxes.split("").join(", ")}, ${grouped(map.columnCount)} places`, map.rows < map.rowCount || map.columns < map.columnCount ? "; a cell stands for several values." : "."),
    picture(image, scale, "Where the values differ", color),
    el("p", { class: "note" }, "Gray is equal; from pale over orange to red, a distance from 1 ULP to 16 million and more; violet, only one of two is finite."));
}

function choose(index, scroll) {
  const pair = report.tensors[index];
  const from = `/tensors/${index}`;
  const title = el("h3", { tabindex: "-1" }, nameOf(titleOf(pair.a)), ": ", words[pair.status]);
  const d = pair.difference;
  const sideCard = (name, tensor) => el("div", { class: "card" }, el("h4", null, name), facts([["layer", nameOf(titleOf(tensor))], ["path", codeOf(tensor.path)], ["type", tensor.dtype], ["layout", codeOf(tensor.layout)], ["shape", codeOf(shapeText(tensor.shape))]]));
  chosen.replaceChildren();
  append(chosen, [title, el("div", { class: "two" }, sideCard("In A", pair.a), sideCard("In B", pair.b)),
    d ? facts([["changed", num(from + "/difference/changed", grouped), " of ", num(from + "/difference/count", grouped)],
      ["largest distance", num(from + "/difference/maximumAbsolute"), ", ", num(from + "/difference/maximumULPs", ulps), " ULP"], ["mean distance", num(from + "/difference/meanAbsolute")],
      d.cosine !== undefined && d.cosine !== null && ["cosine", num(from + "/difference/cosine", fixed(9))],
      d.nonFinite > 0 && ["not finite", num(from + "/difference/nonFinite", grouped), ", ", num(from + "/difference/mismatchedNonFinite", grouped), " of them unlike"],
      d.worst && ["farthest", "at ", d.worst.indices.map((i, k) => [k ? ", " : "", i.axis, " ", num(`${from}/difference/worst/indices/${k}/index`, grouped)]), ": ", num(from + "/difference/worst/a/value", stored), " in A, ", num(from + "/difference/worst/b/value", stored), " in B"]]) : null,
    data.maps[index] ? [el("h4", null, "Where values differ"), heatMap(data.maps[index])]
      : d && d.changed > 0 ? el("p", { class: "note" }, "It has no map: these are made for the first tensors that differ.") : null]);
  if (scroll) {
    if (pairTable) pairTable.showRow(index);
    chosen.scrollIntoView({ block: "start" });
    title.focus({ preventScroll: true });
  }
}

if (report.tensors.length) {
  const order = { shape: 3, changed: 2, rounded: 1, equal: 0 };
  section("tensors", "Tensors that both have", pairTable = table("In the order of A; choose one to see where it differs", [
    { title: "A", wide: true, search: (p) => titleOf(p.a), value: (p) => titleOf(p.a), cell: (p, i) => el("button", { type: "button", onclick: () => choose(i, true) }, shortName(titleOf(p.a))) },
    { title: "B", wide: true, search: (p) => titleOf(p.b), value: (p) => titleOf(p.b), cell: (p) => shortName(titleOf(p.b)) },
    { title: "layouts", cell: (p) => [codeOf(p.a.layout), p.a.layout === p.b.layout ? "" : [" and ", codeOf(p.b.layout)]] },
    { title: "status", value: (p) => order[p.status], cell: (p) => el("span", { class: order[p.status] > 1 ? "bad-text" : order[p.status] ? "warn-text" : "good-text" }, words[p.status]) },
    { title: "changed", right: true, value: (p) => (p.difference ? p.difference.changed : 0), cell: (p, i) => (p.difference ? [num(`/tensors/${i}/difference/changed`, grouped), " of ", num(`/tensors/${i}/difference/count`, grouped)] : "-") },
    { title: "max abs", right: true, value: (p) => (p.difference ? p.difference.maximumAbsolute : 0), cell: (p, i) => (p.difference ? num(`/tensors/${i}/difference/maximumAbsolute`) : "-") },
    { title: "ULPs", right: true, value: (p) => (p.difference ? p.difference.maximumULPs : 0), cell: (p, i) => (p.difference ? num(`/tensors/${i}/difference/maximumULPs`, ulps) : "-") },
  ], report.tensors, { pageSize: 15, searchLabel: "Find a tensor", rowClass: (p) => (order[p.status] > 1 ? "bad" : null) }), chosen);
  const worst = report.tensors.reduce((best, p, i) => (levelOf(p) > levelOf(report.tensors[best]) ? i : best), 0);
  choose(worst);
}
for (const [side, name] of [["onlyInA", "A"], ["onlyInB", "B"]]) {
  if (report[side].length) section("only-" + name.toLowerCase(), "Only in " + name, table("Tensors that only " + name + " has", [
    { title: "tensor", wide: true, search: (t) => titleOf(t), value: (t) => t.layer, cell: (t) => nameOf(titleOf(t)) },
    { title: "type", cell: (t) => t.dtype }, { title: "layout", cell: (t) => codeOf(t.layout) }, { title: "shape", cell: (t) => codeOf(shapeText(t.shape)) }, { title: "path", cell: (t) => codeOf(t.path) },
  ], report[side]));
}
if (report.graph.length) {
  section("graphs", "Differences of the graphs", table("What differs, layer by layer", [
    { title: "layer", wide: true, search: (d) => d.layer || "", value: (d) => d.layer || "", cell: (d) => (d.layer ? shortName(d.layer) : "the model") },
    { title: "what", search: (d) => d.kind, value: (d) => d.kind, cell: (d) => nameOf(d.name || { presence: "layer", operator: "operator", inputs: "what it reads", modelInputs: "inputs", modelOutputs: "outputs" }[d.kind] || d.kind) },
    { title: "in A", wide: true, cell: (d) => shortName(d.a || "nothing", 90) }, { title: "in B", wide: true, cell: (d) => shortName(d.b || "nothing", 90) },
  ], report.graph));
}
section("sides", "What was compared", el("div", { class: "two" }, ["a", "b"].map((side) =>
  el("div", { class: "card" }, el("h3", null, side.toUpperCase()), facts([["path", codeOf(report[side].path)], ["format", report[side].format], report[side].framework && ["made by", nameOf(report[side].framework)], ["tensors", num(`/${side}/tensorCount`, grouped)], leftOut(side), report[side].folding && ["folded", report[side].folding === "now" ? "for this comparison" : "when it was converted"]])))),
  el("p", { class: "note" }, report.exact ? "Values that are equal up to rounding count as different." : "Values that are equal up to rounding to the type they are stored in count as equal."));
if (graph) {
  const first = data.graphs.graph.nodes.findIndex((node) => (pairsOf.get(node.name) || []).some((i) => levelOf(report.tensors[i]) > 1));
  graph.start(first);
}

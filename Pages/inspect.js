// What is in a model.

const layerPlace = new Map(report.layers.map((layer, index) => [layer.name, index]));
const tensorsOf = new Map();
report.tensors.forEach((tensor, index) => {
  if (!tensorsOf.has(tensor.layer)) tensorsOf.set(tensor.layer, []);
  tensorsOf.get(tensor.layer).push(index);
});
const sizeOf = (index) => `/tensors/${index}`;
const more = (index, path) => `page:/tensors/${index}${path}`;

function layerDetails(name, type) {
  const index = layerPlace.get(name);
  const layer = index === undefined ? null : report.layers[index];
  const port = report.inputs.find((input) => input.name === name);
  return [
    facts([
      ["type", nameOf(type)],
      layer && layer.className && layer.className !== type && ["class", nameOf(layer.className)],
      layer ? ["output", shapeText(layer.outputShape && [null, ...layer.outputShape])] : port && ["shape", shapeText([null, ...port.shape])],
      layer && ["parameters", num(`/layers/${index}/parameterCount`, grouped)],
      layer && layer.inputs.length > 0 && ["reads", layer.inputs.slice(0, 12).map((input, i) => [i ? ", " : "", nameOf(input)]), layer.inputs.length > 12 ? " and " + (layer.inputs.length - 12) + " more" : ""],
      report.outputs.some((output) => output.name === name) && ["output of", "the model"],
    ]),
    (tensorsOf.get(name) || []).slice(0, 12).map((place) => {
      const tensor = report.tensors[place];
      return el("p", null, el("button", { type: "button", onclick: () => chooseTensor(place, true) }, tensor.role), " ",
        el("span", { class: "quiet" }, tensor.layout, " ", shapeText(tensor.shape)));
    }),
    (tensorsOf.get(name) || []).length > 12 ? el("p", { class: "quiet" }, "And more, which the table of tensors has.") : null,
  ];
}

let graph = null;
if (data.graph) {
  graph = graphView(data.graph, {
    label: "Graph of the layers",
    details: (node) => layerDetails(data.graph.nodes[node].name, data.graph.nodes[node].type),
  });
}

// What is chosen among the tensors.
const chosenTensor = el("div", { id: "chosen-tensor" });
let tensorTable = null;
let current = 0;

function chooseTensor(index, scroll) {
  current = index;
  const tensor = report.tensors[index];
  const details = data.tensors[index];
  const stats = tensor.statistics || {};
  const name = tensor.layer + " " + tensor.role;
  const title = el("h3", { tabindex: "-1" }, nameOf(name));
  chosenTensor.replaceChildren();
  append(chosenTensor, [title, el("div", { class: "two" },
    el("div", null,
      details.histogram
        ? [histogram(details.histogram, "How the values of " + name + " are distributed, from " + significant(stats.min) + " to " + significant(stats.max)),
          details.histogram.counts.length === 1 ? el("p", { class: "note" }, "All finite values are the same.") : el("p", { class: "note" }, "A bar is ", made((details.histogram.high - details.histogram.low) / details.histogram.counts.length), " wide; the highest has ", made(Math.max(...details.histogram.counts), grouped), " values.")]
        : el("p", { class: "bad-text" }, details.count ? "No value is finite." : "There are no values.")),
    el("div", null, facts([
      ["path", codeOf(tensor.path)],
      ["type", tensor.dtype], ["layout", codeOf(tensor.layout + " " + shapeText(tensor.shape))],
      ["values", num(more(index, "/count"), grouped), ", ", num(sizeOf(index) + "/bytes", bytes)],
      ["range", num(sizeOf(index) + "/statistics/min"), " to ", num(sizeOf(index) + "/statistics/max")],
      ["mean", num(sizeOf(index) + "/statistics/mean"), ", standard deviation ", num(sizeOf(index) + "/statistics/std")],
      ["zeros", num(more(index, "/zeros"), grouped), details.zeros ? " (" + ((100 * details.zeros) / details.count).toFixed(1) + " %)" : ""],
      ["not finite", el("span", { class: stats.nonFinite ? "bad-text" : null }, num(sizeOf(index) + "/statistics/nonFinite", grouped)), stats.nonFinite ? [", the first at ", num(sizeOf(index) + "/statistics/firstNonFinite", grouped)] : ""],
    ]))),
    details.types.length ? [
      el("h4", null, "What a smaller type would do"),
      tabulated("Errors of " + name + " in smaller types", [["type"], ["become infinite", true], ["become subnormal", true], ["become zero", true], ["largest relative error", true], ["relative RMS error", true], ["verdict"]],
        details.types.map((type, k) => [type.dtype, ...["overflowed", "subnormal", "zeroed"].map((key) => num(more(index, `/types/${k}/${key}`), grouped)), ...["worstRelativeError", "rmsRelativeError"].map((key) => num(more(index, `/types/${k}/${key}`))),
          type.isMoreThanUsual ? el("span", { class: "warn-text" }, type.overflowed ? "cannot hold it" : "more than usual") : "as usual"]))] : null,
    el("h4", null, "Layouts"), placements(tensor, details)]);
  if (scroll) {
    if (tensorTable) tensorTable.showRow(index);
    chosenTensor.scrollIntoView({ block: "start" });
    title.focus({ preventScroll: true });
  }
}

// The source's layout and the target's, side by side.
function placements(tensor, details) {
  const parts = [];
  const origin = details.origin;
  if (origin) {
    parts.push(el("div", { class: "card" }, el("h4", null, "In the source"), facts([["path", codeOf(origin.path)], ["layout", codeOf(origin.layout)], ["shape", codeOf(shapeText(origin.shape))]])),
      el("div", { class: "card" }, el("h4", null, "As it was written", data.target ? " for " + data.target : ""), facts([["path", codeOf(tensor.path)], ["layout", codeOf(tensor.layout)], ["shape", codeOf(shapeText(tensor.shape))]])));
    return [el("div", { class: "two" }, parts), rearrangement(origin, origin.shape, gateOrder(origin.layout, tensor.layout))];
  }
  if (!details.targets.length) return el("p", { class: "quiet" }, "No target has a layout of its own for it; it keeps that of the source, ", codeOf(tensor.layout), ".");
  const select = el("select", { id: unique("target") }, details.targets.map((placement, i) =>
    el("option", { value: String(i) }, placement.targets.join(", "))));
  const result = el("div");
  const show = () => {
    const placement = details.targets[Number(select.value)];
    result.replaceChildren(
      el("div", { class: "two" },
        el("div", { class: "card" }, el("h4", null, "In the source"), facts([["layout", codeOf(tensor.layout)], ["shape", codeOf(shapeText(tensor.shape))]])),
        el("div", { class: "card" }, el("h4", null, "For " + placement.targets.join(", ")), facts([["layout", codeOf(placement.layout)], ["shape", codeOf(shapeText(placement.shape))]]))),
      rearrangement(placement, tensor.shape, gateOrder(tensor.layout, placement.layout)));
  };
  select.addEventListener("change", show);
  show();
  return [el("div", { class: "tools" }, el("label", { for: select.id }, "Target"), select), result];
}

if (graph) section("graph", "Graph", graph);

section("tensors", "Tensors",
  report.tensors.length ? [
    tensorTable = table("Tensors in the order of the layers; choose one to see more of it", [
      { title: "tensor", wide: true, value: (t) => t.layer + " " + t.role, search: (t) => t.layer + " " + t.role + " " + t.path,
        cell: (t, i) => el("button", { type: "button", onclick: () => chooseTensor(i, true) }, shortName(t.layer + " " + t.role)) },
      { title: "layout", value: (t) => t.layout, search: (t) => t.layout, cell: (t) => [codeOf(t.layout), " ", el("span", { class: "num" }, shapeText(t.shape))] },
      { title: "type", value: (t) => t.dtype, search: (t) => t.dtype, cell: (t) => t.dtype },
      { title: "size", right: true, value: (t) => t.bytes, cell: (t, i) => num(sizeOf(i) + "/bytes", bytes) },
      { title: "values", cell: (t, i) => (data.tensors[i].histogram ? spark(data.tensors[i].histogram) : "-") },
      { title: "min", right: true, value: (t) => t.statistics.min, cell: (t, i) => num(sizeOf(i) + "/statistics/min") },
      { title: "max", right: true, value: (t) => t.statistics.max, cell: (t, i) => num(sizeOf(i) + "/statistics/max") },
      { title: "zeros", right: true, value: (t, i) => data.tensors[i].zeros, cell: (t, i) => num(more(i, "/zeros"), grouped) },
      { title: "not finite", right: true, value: (t) => t.statistics.nonFinite, cell: (t, i) => el("span", { class: t.statistics.nonFinite ? "bad-text" : null }, num(sizeOf(i) + "/statistics/nonFinite", grouped)) },
    ], report.tensors, { pageSize: 15, searchLabel: "Find a tensor", rowClass: (t) => (t.statistics.nonFinite ? "bad" : null) }),
    chosenTensor] : el("p", { class: "quiet" }, "It has none."));
if (report.tensors.length) chooseTensor(Math.max(0, report.tensors.findIndex((t) => t.statistics.nonFinite)));

if (data.kernels) {
  const { kernels } = data;
  const side = Math.max(kernels.pictures[0].width, kernels.pictures[0].height);
  const scale = Math.max(2, Math.floor(48 / side));
  const tensor = report.tensors[kernels.tensor];
  section("kernels", "Kernels of the first layer",
    el("p", null, nameOf(tensor.layer + " " + tensor.role), ": ", kernels.count > kernels.pictures.length ? `the first ${kernels.pictures.length} of ${grouped(kernels.count)} output channels` : plural(kernels.count, "output channel"),
      kernels.inputChannels === 3 ? ", with their three input channels as red, green and blue." : kernels.inputChannels > 1 ? `; of ${grouped(kernels.inputChannels)} input channels the first.` : ".",
      " ", kernels.inputChannels === 3 ? "Gray is zero; " : "White is zero, orange is positive, blue is negative; ", "the strongest colour stands for ", num("page:/kernels/largest"), "."),
    el("ul", { class: "pictures kernels" }, kernels.pictures.map((image, i) =>
      el("li", null, picture(image, scale, "Kernel of output channel " + i, kernels.inputChannels === 3 ? null : diverging)))));
}

if (report.layers.length) {
  const showLayer = graph ? (name) => {
    graph.showNode(data.graph.nodes.findIndex((node) => node.name === name));
    graph.scrollIntoView({ block: "start" });
  } : null;
  section("layers", "Layers", table("Each layer after those that it reads", [
    { title: "layer", wide: true, search: (l) => l.name, value: (l) => l.name, cell: (l) => (showLayer ? el("button", { type: "button", onclick: () => showLayer(l.name) }, shortName(l.name)) : shortName(l.name)) },
    { title: "type", search: (l) => (l.operator || "") + " " + (l.className || ""), value: (l) => l.className || l.operator || "", cell: (l) => shortName(l.className || l.operator || "-", 32) },
    { title: "output shape", cell: (l) => el("span", { class: "num" }, shapeText(l.outputShape && [null, ...l.outputShape])) },
    { title: "parameters", right: true, value: (l) => l.parameterCount, cell: (l, i) => num(`/layers/${i}/parameterCount`, grouped) },
    { title: "reads", search: (l) => l.inputs.join(" "), cell: (l) => (l.inputs.length ? shortName(l.inputs.join(", "), 56) : "-") },
  ], report.layers, { pageSize: 15, searchLabel: "Find a layer" }));
}

section("model", "The file", facts([
  ["path", codeOf(report.path)], ["format", report.format], report.framework && ["made by", nameOf(report.framework)],
  report.name && ["model", nameOf(report.name)], ["size", num("/bytes", bytes)],
  ["parameters", num("/parameterCount", grouped), report.trainingOnlyCount ? [", ", num("/trainingOnlyCount", grouped), " of them for training only"] : ""],
  report.hasGraph && ["inputs", report.inputs.map((p, i) => [i ? ", " : "", nameOf(p.name), " ", shapeText([null, ...p.shape])])],
  report.hasGraph && ["outputs", report.outputs.map((p, i) => [i ? ", " : "", nameOf(p.name), " ", shapeText([null, ...p.shape])])],
]), report.pickle ? [el("h3", null, "What Python would run to load it"),
  el("p", null, num("/pickle/calls", grouped), " calls. ", report.pickle.outside.length ? el("span", { class: "bad-text" }, report.pickle.outside.length + " names are none of the usual constructors.") : "All are usual constructors."),
  table("Names that the pickles use; netconv has called none of them", [
    { title: "name", wide: true, search: (n) => n.name, value: (n) => n.name, cell: (n) => el("span", { class: n.isOutside ? "bad-text" : null }, codeOf(n.name)) },
    { title: "kind", cell: (n) => n.kind }, { title: "times", right: true, value: (n) => n.count, cell: (n, i) => num(`/pickle/names/${i}/count`, grouped) },
    { title: "pickle", cell: (n) => codeOf(n.pickle) },
  ], report.pickle.names)] : null);

if (graph) graph.start();

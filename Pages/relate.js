// Which tensor of one set of weights is which of another.

const words = { related: "related", undetermined: "cannot be told", nearly: "a few different values", unrelated: "no relative" };
const changed = new Set(report.changed);
const notJudged = new Set(report.consumer ? report.consumer.notJudged : []);
const exchanged = new Set(report.exchanged && report.exchanged.isMistake ? report.exchanged.cycles.flat().map((tensor) => tensor.b) : []);
const misordered = new Set((report.misordered || []).flatMap((tensor) => (tensor.side === "b" ? [tensor.name] : tensor.parts)));
const isWrong = (entry) => Boolean(entry.mistake) || exchanged.has(entry.tensor.name) || misordered.has(entry.tensor.name) || entry.status === "unrelated" || entry.status === "nearly" || changed.has(entry.tensor.name);
const why = { constant: "all of its values are the same", tied: "several tensors of A have these values", symmetric: "its values are the same in several orders", orders: "other orders of indices have the same values" };
const mistakes = { notMoved: "it was not transposed", movedTwice: "it was transposed twice", movedNeedlessly: "it was transposed needlessly", gateOrder: "its gates stayed in their order", flattenOrder: "the axes that a flatten merged stayed in their order", otherOrder: "it was transposed to another order", notSummed: "it is one of two biases, and the target has only one, their sum" };
const tensorText = (tensor) => [codeOf(tensor.dtype), " ", codeOf(shapeText(tensor.shape))];

if (report.consumer) {
  section("consumer", "Target of B", facts([["target", codeOf(report.consumer.name), { asked: ", as was asked for", layouts: ", as its layouts say", format: ", as its format says" }[report.consumer.basis]],
    ["in its layout", num("/consumer/rightCount", grouped)], ["not in its layout", el("span", { class: report.consumer.mistakeCount ? "bad-text" : null }, num("/consumer/mistakeCount", grouped))],
    notJudged.size > 0 && ["not judged", el("span", { class: "warn-text" }, made(notJudged.size, grouped))]]),
  notJudged.size > 0 ? el("p", { class: "warn-text" }, "Not judged, as their axes are unknown, or since they consist of several: ", nameOf(report.consumer.notJudged.slice(0, 40).join(", ")), notJudged.size > 40 ? " and more." : ".") : null);
}

// What became of a tensor, or of the tensors of a layer: the last in this list that holds.
const levels = [["s-open", "cannot be told by its values"], ["s-0", "as it is"], ["s-1", "moved, cut or joined"], ["s-2", "with other values: rounded, scaled, folded"], ["s-4", "no relative, another sign or factor, or in a wrong order"], ["s-none", "without tensors"]];
function levelOf(entry) {
  if (isWrong(entry)) return 4;
  if (entry.status === "undetermined") return 0;
  if (entry.parts.some((part) => !part.exact || part.change || part.addend)) return 3;
  return entry.parts.length === 1 && entry.parts[0].summary === "as it is" && !entry.parts[0].to.length && !entry.parts[0].from.length ? 1 : 2;
}
const verdictOf = (entry) => (entry.mistake ? (entry.mistake.kind === "notSummed" ? "not added up" : "wrong order") : exchanged.has(entry.tensor.name) ? "another's name" : misordered.has(entry.tensor.name) ? "parts in another order" : changed.has(entry.tensor.name) ? "another sign or factor" : words[entry.status] + (notJudged.has(entry.tensor.name) ? ", not judged" : ""));
const colourOf = (entry) => (isWrong(entry) ? "bad-text" : entry.status === "undetermined" || notJudged.has(entry.tensor.name) ? "warn-text" : "good-text");

let graph = null;
if (data.graphs) {
  const places = (nodes) => {
    const found = new Map();
    nodes.forEach((node, index) => {
      if (!found.has(node)) found.set(node, []);
      found.get(node).push(index);
    });
    return (node) => found.get(node) || [];
  };
  const [entriesOf, unusedOf] = [places(data.nodes), places(data.unusedNodes)];
  const levelOfNode = (node) => Math.max(-1, ...entriesOf(node).map((i) => levelOf(report.tensors[i])), ...unusedOf(node).map(() => 4));
  graph = alignedGraph(data.graphs, {
    label: "Graph of both networks",
    levels,
    levelOf: levelOfNode,
    isWrong: (node) => levelOfNode(node) === 4,
    details: (node) => [
      entriesOf(node).map((i) => el("p", null, el("button", { type: "button", onclick: () => choose(i, true) }, shortName(report.tensors[i].tensor.name, 30)), " ", el("span", { class: colourOf(report.tensors[i]) }, verdictOf(report.tensors[i])))),
      unusedOf(node).map((i) => el("p", null, nameOf(report.unused[i].tensor.name), " ", el("span", { class: "bad-text" }, "of A, not in B")))],
  });
  section("graph", "Graph", el("p", null, "Both networks as one graph: layers are the same where their tensors or what they compute say so. Colours are what became of a layer's tensors."), sidesNote(), graph);
}

const chosen = el("div");
let entryTable = null;
function choose(index, scroll) {
  const entry = report.tensors[index];
  const title = el("h3", { tabindex: "-1" }, nameOf(entry.tensor.name), ": ", verdictOf(entry));
  const section = (list, shape) => list.length ? list.map((s, i) => [i ? ", " : "", `places ${s.start} to ${s.end - 1} of axis ${s.axis}`]) : "all of it";
  chosen.replaceChildren();
  const node = graph ? data.nodes[index] : null;
  append(chosen, [title,
    node !== null && node !== undefined ? el("p", null, el("button", { type: "button", onclick: () => { graph.showNode(node); graph.scrollIntoView({ block: "start" }); } }, "Show its layer in the graph")) : null,
    entry.ambiguity ? el("p", { class: "warn-text" }, "Values do not tell what it is: ", why[entry.ambiguity] || entry.ambiguity, ".") : null,
    changed.has(entry.tensor.name) ? el("p", { class: "bad-text" }, "Its values differ from A's: ", nameOf(entry.parts.map((p) => p.change).filter(Boolean).join("; ")), ".") : null,
    entry.others ? el("p", { class: "bad-text" }, num(`/tensors/${index}/others/count`, grouped), entry.others.count === 1 ? " value differs, at " : " values differ, the first at ", codeOf(shapeText(entry.others.place)), ": ", num(`/tensors/${index}/others/value`), ", expected ", num(`/tensors/${index}/others/expected`), ".") : null,
    entry.mistake ? el("div", { class: "card" }, el("p", { class: "bad-text" }, "It does not have the layout that its target expects: ", mistakes[entry.mistake.kind], "."),
      el("p", null, "The target expects ", codeOf(entry.mistake.layout), " ", codeOf(shapeText(entry.mistake.shape)), "; in A the layout is ", codeOf(entry.mistake.sourceLayout), ". The right rearrangement of A's tensor:"),
      entry.parts[0] && entry.parts[0].source ? rearrangement(entry.mistake, entry.parts[0].source.shape, gateOrder(entry.mistake.sourceLayout, entry.mistake.layout)) : el("p", null, codeOf(entry.mistake.pattern))) : null,
    entry.parts.slice(0, 8).map((part, i) => el("div", null,
      entry.parts.length > 1 ? el("h4", null, (entry.status === "undetermined" ? "May be " : "Part ") + (i + 1)) : null,
      el("div", { class: "two" },
        el("div", { class: "card" }, el("h4", null, "In A"), part.source ? facts([["tensor", nameOf(part.source.name)], ["stored", tensorText(part.source)], ["of it", section(part.from)], part.addend && ["plus", nameOf(part.addend.name)]]) : el("p", null, "Nothing: zeros were put there.")),
        el("div", { class: "card" }, el("h4", null, "In B"), facts([["tensor", nameOf(entry.tensor.name)], ["stored", tensorText(entry.tensor)], ["of it", section(part.to)], ["moved", nameOf(part.summary)], ["values", entry.others ? "the same but for a few" : part.exact ? "the same bits, but for the sign" : "the same up to what was done"], part.change && ["done", nameOf(part.change)]]))),
      part.pattern && part.source && part.from.length === 0 ? rearrangement(part, part.source.shape, part.orders) : part.pattern ? el("p", null, codeOf(part.pattern)) : null)),
    entry.parts.length > 8 ? el("p", { class: "note" }, "And ", grouped(entry.parts.length - 8), " more parts, which the data of this page lists.") : null,
    entry.nearest ? el("p", null, "The most similar tensor of A: ", nameOf(entry.nearest.tensor.name), ", at a distance of ", num(`/tensors/${index}/nearest/distance`), " of its standard deviation.") : null]);
  if (scroll) {
    if (entryTable) entryTable.showRow(index);
    chosen.scrollIntoView({ block: "start" });
    title.focus({ preventScroll: true });
  }
}

if (report.tensors.length) {
  const order = { unrelated: 3, nearly: 2, undetermined: 1, related: 0 };
  const from = (entry) => entry.parts.map((p) => (p.source ? p.source.name : "zeros"));
  section("tensors", "Tensors, aligned by their values", entryTable = table("Each tensor of B beside what it was made of; choose one to see how", [
    { title: "in A", wide: true, search: (e) => from(e).join(" "), value: (e) => from(e).join(" "), cell: (e) => (e.parts.length ? [shortName(from(e).slice(0, 3).join(", "), 60), e.parts.length > 3 ? " and " + (e.parts.length - 3) + " more" : "", e.parts.length === 1 && e.parts[0].source ? [" ", codeOf(shapeText(e.parts[0].source.shape))] : ""] : el("span", { class: "quiet" }, "-")) },
    { title: "in B", wide: true, head: true, search: (e) => e.tensor.name, value: (e) => e.tensor.name, cell: (e, i) => [el("button", { type: "button", onclick: () => choose(i, true) }, shortName(e.tensor.name)), " ", codeOf(shapeText(e.tensor.shape))] },
    { title: "how", search: (e) => e.parts.map((p) => p.summary).join(" "), cell: (e) => (e.parts.length ? codeOf(clipped(e.parts[0].summary, 60)) : "-") },
    { title: "values", cell: (e) => (e.parts.length ? (e.others ? "a few others" : e.parts.every((p) => p.exact && !p.change) ? "exact" : nameOf(clipped(e.parts[0].change || "", 50))) : "-") },
    { title: "status", value: (e) => order[e.status] + (e.mistake ? 4 : changed.has(e.tensor.name) ? 3 : 0), cell: (e) => el("span", { class: colourOf(e) }, verdictOf(e)) },
  ].map((c, i) => (i === 0 ? { ...c, head: false } : c)), report.tensors, { pageSize: 15, searchLabel: "Find a tensor", rowClass: (e) => (isWrong(e) ? "bad" : null) }), chosen);
  const first = report.tensors.findIndex(isWrong);
  const moved = report.tensors.findIndex((e) => e.parts.some((p) => p.pattern && p.summary !== "as it is"));
  choose(Math.max(0, first >= 0 ? first : moved));
}
if (report.unused.length) {
  section("unused", "In A alone", table("Tensors of A that no tensor of B came from", [
    { title: "tensor", wide: true, search: (u) => u.tensor.name, value: (u) => u.tensor.name, cell: (u) => nameOf(u.tensor.name) }, { title: "stored", cell: (u) => tensorText(u.tensor) },
    { title: "most similar", cell: (u) => (u.nearest ? nameOf(u.nearest.tensor.name) : "-") }, { title: "distance", right: true, value: (u) => (u.nearest ? u.nearest.distance : null), cell: (u, i) => (u.nearest ? num(`/unused/${i}/nearest/distance`) : "-") },
  ], report.unused));
}
section("sides", "What was related", el("div", { class: "two" }, ["a", "b"].map((side) =>
  el("div", { class: "card" }, el("h3", null, side.toUpperCase()), facts([["path", codeOf(report[side].path)], ["format", report[side].format], report[side].framework && ["made by", nameOf(report[side].framework)], ["tensors", num(`/${side}/tensorCount`, grouped)], leftOut(side)])))),
  report.map ? facts([["map", codeOf(report.map.path)], ["makes", num("/map/made", grouped), " tensors"], ["by name", num("/map/named", grouped)]]) : null,
  !report.consumer && report.fittingTargets.length ? el("p", null, "B has the layouts of the targets: ", report.fittingTargets.join(", "), ".") : null);
if (graph) {
  const first = report.tensors.findIndex((entry) => levelOf(entry) === 4);
  graph.start(first < 0 ? data.unusedNodes[0] : data.nodes[first]);
}

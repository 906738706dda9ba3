// How well a model does, and which layer is the first that is wrong.

const comparison = report.comparison;
const rowOf = new Map((comparison ? comparison.layers : []).map((row, index) => [row.name, index]));
const ratio = (row) => toleranceRatio(row.difference.maximumAbsolute, row.tolerance);
const firstWrong = comparison && comparison.layers.find((row) => !row.passed);

function levelOf(row) {
  if (!row) return "s-none";
  const r = ratio(row);
  if (r === null || row.difference.mismatchedNonFinite > 0) return row.passed ? "s-none" : "s-4";
  // Whatever the plot can show, a verdict is the report's.
  return row.passed ? toleranceLevel(Math.min(1, r)) : toleranceLevel(Math.max(2, r));
}

// A class: its number, and what its folder or a list calls it.
const hasNames = data.classes.length > 0;
const wordOf = (label) => (data.classes[label] === undefined ? "" : " " + data.classes[label]);
const classOf = (label) => [String(label), data.classes[label] === undefined ? "" : [" ", shortName(data.classes[label], 28)]];
// Rows of a table are no images.
const many = data.noun;
const one = many.slice(0, -1);
const Many = many[0].toUpperCase() + many.slice(1);
const verdictOf = (row) => (row.passed ? "within its tolerance" : "differs from the reference");

const graph = graphView(data.graph, {
  label: "Graph of the layers",
  levels: comparison ? toleranceLevels : null,
  state: (node) => {
    if (!comparison) return {};
    const row = comparison.layers[rowOf.get(data.graph.nodes[node].name)];
    return { level: levelOf(row), class: row && !row.passed ? "wrong" : "", word: row && firstWrong === row ? "first wrong layer" : null, say: row ? verdictOf(row) : "not compared" };
  },
  groupState: (nodes) => {
    if (!comparison) return {};
    return worstOf(nodes.map((node) => comparison.layers[rowOf.get(data.graph.nodes[node].name)]).filter(Boolean), levelOf);
  },
  details: (node) => {
    const { name, type, shape } = data.graph.nodes[node];
    const index = rowOf.get(name);
    const row = index === undefined ? null : comparison.layers[index];
    const from = `/comparison/layers/${index}`;
    return [facts([["type", nameOf(type)], ["output", shape],
      row && ["verdict", el("span", { class: row.passed ? "good-text" : "bad-text" }, verdictOf(row))],
      row && ["largest distance", num(from + "/difference/maximumAbsolute")], row && ["tolerance", num(from + "/tolerance")],
      row && ["ULPs", num(from + "/difference/maximumULPs", ulps)], row && row.difference.cosine !== undefined && ["cosine", num(from + "/difference/cosine", fixed(7))],
      row && row.counterpart && ["compared with", nameOf(row.counterpart)]]),
    row && row.diagnosis ? [el("p", { class: "bad-text" }, row.diagnosis.finding), el("p", null, row.diagnosis.advice)] : null];
  },
});

function ulps(value) {
  if (value === null || value === undefined) return "-";
  return value > 9999999 ? "many" : grouped(value);
}

if (comparison) {
  section("layers", "Layer by layer",
    el("p", null, "Compared with ", codeOf(comparison.reference), " on ", comparison.inputs, ". Each layer is fed with the reference's inputs, so no mistake is counted twice."),
    distancePlots(comparison.layers, ratio, firstWrong),
    el("p", { class: "note" }, "The line is the tolerance of each layer: from its types and sums, or as given. At the left edge the distance is zero, or too small to be drawn."),
    comparison.layers.some((row) => row.diagnosis) ? el("ul", null, comparison.layers.filter((row) => row.diagnosis).slice(0, 20).map((row) =>
      el("li", null, nameOf(row.name), ": ", row.diagnosis.finding, "; ", row.diagnosis.advice, ".")),
    comparison.layers.filter((row) => row.diagnosis).length > 20 ? el("li", null, "And more, which the graph tells of each layer.") : null) : null,
    table("Each layer and what it should give", [
      { title: "layer", wide: true, search: (r) => r.name, value: (r) => r.name, cell: (r) => el("button", { type: "button", onclick: () => { graph.showNode(data.graph.nodes.findIndex((n) => n.name === r.name)); graph.scrollIntoView({ block: "start" }); } }, shortName(r.name)) },
      { title: "type", search: (r) => r.operator, cell: (r) => shortName(r.operator, 32) },
      { title: "max abs", right: true, value: (r) => r.difference.maximumAbsolute, cell: (r, i) => num(`/comparison/layers/${i}/difference/maximumAbsolute`) },
      { title: "mean abs", right: true, value: (r) => r.difference.meanAbsolute, cell: (r, i) => num(`/comparison/layers/${i}/difference/meanAbsolute`) },
      { title: "ULPs", right: true, value: (r) => r.difference.maximumULPs, cell: (r, i) => num(`/comparison/layers/${i}/difference/maximumULPs`, ulps) },
      { title: "cosine", right: true, value: (r) => r.difference.cosine, cell: (r, i) => num(`/comparison/layers/${i}/difference/cosine`, fixed(7)) },
      { title: "tolerance", right: true, value: (r) => r.tolerance, cell: (r, i) => num(`/comparison/layers/${i}/tolerance`) },
      { title: "verdict", value: (r) => (r.passed ? 1 : 0), cell: (r) => el("span", { class: r.passed ? "good-text" : "bad-text" }, r.passed ? "within" : r === firstWrong ? "first wrong" : "beyond") },
    ], comparison.layers, { pageSize: 15, searchLabel: "Find a layer", rowClass: (r) => (r.passed ? null : "bad") }),
    comparison.unmatched.length ? el("p", { class: "note" }, "Not compared: ", nameOf(comparison.unmatched.slice(0, 40).join(", ")), comparison.unmatched.length > 40 ? " and more." : ".") : null,
    comparison.outputs.length ? el("p", null, "From the inputs to the end: ", comparison.outputs.map((row, i) => [i ? "; " : "", nameOf(row.name), ", max abs ", num(`/comparison/outputs/${i}/difference/maximumAbsolute`), ", cosine ", num(`/comparison/outputs/${i}/difference/cosine`, fixed(7))]), ".") : null);
}

if (report.testVectors) {
  section("test-vectors", "Samples that a file holds",
    el("p", null, "Run from zeros on, and compared with what the file states beside its network. No other layer was compared with it."),
    table("Each file and its samples", [
      { title: "file", wide: true, cell: (r) => codeOf(r.reference) },
      { title: "output", cell: (r) => shortName(r.output) },
      { title: "samples", right: true, cell: (r, i) => num(`/testVectors/${i}/steps`, grouped) },
      { title: "max abs", right: true, cell: (r, i) => num(`/testVectors/${i}/difference/maximumAbsolute`) },
      { title: "mean abs", right: true, cell: (r, i) => num(`/testVectors/${i}/difference/meanAbsolute`) },
      { title: "tolerance", right: true, cell: (r, i) => num(`/testVectors/${i}/tolerance`) },
      { title: "verdict", cell: (r) => el("span", { class: r.passed ? "good-text" : "bad-text" }, r.passed ? "within" : "beyond") },
    ], report.testVectors, {}));
}

section("graph", "Graph", graph);

// The interval of an accuracy as a bar from 0 to 1.
function intervalBar(from) {
  const [low, high] = at(from + "/interval");
  const value = at(from + "/accuracy");
  const begin = Math.max(0, Math.min(0.9, Math.floor((low - 0.02) * 20) / 20));
  const end = Math.min(1, Math.max(begin + 0.05, Math.ceil((high + 0.01) * 20) / 20));
  const [left, right] = [20, 380];
  const x = (v) => left + ((v - begin) / (end - begin)) * (right - left);
  const scale = ticks(begin, end, 5);
  return svg("svg", { class: "plot", viewBox: "0 0 400 62", role: "img", "aria-label": `Accuracy ${fixed(4)(value)}, 95 % interval ${fixed(4)(low)} to ${fixed(4)(high)}` },
    svg("line", { class: "axis", x1: left, x2: right, y1: 36, y2: 36 }),
    scale.values.map((v) => [svg("line", { class: "axis", x1: x(v), x2: x(v), y1: 36, y2: 40 }), svg("text", { class: "small", x: x(v), y: 54, "text-anchor": "middle" }, tickText(v, scale.step))]),
    svg("rect", { class: "band", x: x(low), width: Math.max(1, x(high) - x(low)), y: 10, height: 18 }),
    svg("line", { class: "curve", x1: x(value), x2: x(value), y1: 6, y2: 32 }),
    at("/minimumAccuracy") !== undefined && at("/minimumAccuracy") >= begin ? svg("line", { class: "limit", x1: x(at("/minimumAccuracy")), x2: x(at("/minimumAccuracy")), y1: 2, y2: 36 }) : null);
}

// Which output was judged, and which were not; above which value a single output means class 1.
function judgedFacts() {
  const reasons = { options: "", sigmoid: ", as the network ends in a sigmoid", logit: ", as of a logit, since no activation ends the network" };
  return [report.output !== undefined && ["output", nameOf(report.output)],
    report.output !== undefined && report.notJudged.length > 0 && ["not judged", el("span", { class: "warn-text" }, nameOf(report.notJudged.join(", ")))],
    report.threshold && ["class 1", "above ", num("/threshold/value", String), reasons[report.threshold.reason]]];
}

if (report.accuracy !== undefined) {
  const recall = report.recall;
  section("accuracy", "Accuracy", el("div", { class: "two" },
    el("div", null, facts([
      ["data", nameOf(report.dataset), ", ", num("/count", grouped)],
      ...judgedFacts(),
      ["accuracy", num("/accuracy", fixed(4)), " (", num("/correct", grouped), " right)"],
      ["95 % interval", num("/interval/0", fixed(4)), " to ", num("/interval/1", fixed(4))],
      report.minimumAccuracy !== undefined && ["asked for", num("/minimumAccuracy", String)],
      ["not finite", num("/nonFinite", grouped)],
      report.checkedTensors > 0 && ["hashes", num("/checkedTensors", grouped), " tensors in ", report.checkedContainers.join(" and "), " are as the manifest says"],
      ["speed", num("/imagesPerSecond", (v) => grouped(Math.floor(v))), " a second, ", report.engine, " engine, ", report.precision],
    ])),
    el("div", null, intervalBar(""), el("p", { class: "note" }, `The band is the interval in which the accuracy on all such ${many} lies, 95 times in 100.`))),
  recall ? table("How many of each class are recognised", [
    { title: "class", right: !hasNames, value: (r, i) => i, search: (r, i) => i + wordOf(i), cell: (r, i) => classOf(i) },
    { title: many, right: true, value: (r, i) => (report.confusion ? report.confusion[i].reduce((a, b) => a + b, 0) : null), cell: (r, i) => (report.confusion ? made(report.confusion[i].reduce((a, b) => a + b, 0), grouped) : "-") },
    { title: "recall", right: true, value: (r) => r, cell: (r, i) => num(`/recall/${i}`, fixed(4)) },
    { title: "taken for", cell: (r, i) => takenFor(i) },
  ], recall, { pageSize: 20 }) : null);
}

// The classes that a class is most often taken for.
function takenFor(label) {
  if (!report.confusion) return "-";
  const others = report.confusion[label].map((count, other) => [count, other]).filter(([count, other]) => count > 0 && other !== label).sort((a, b) => b[0] - a[0]).slice(0, 3);
  return others.length ? others.map(([count, other], i) => [i ? ", " : "", classOf(other), " (", num(`/confusion/${label}/${other}`, grouped), ")"]) : el("span", { class: "quiet" }, "none");
}

if (report.confusion) {
  const { confusion } = report;
  const most = Math.max(1, ...confusion.flatMap((row, i) => row.filter((_, j) => i !== j)));
  const heat = (count) => (count === 0 ? "h-0" : "h-" + Math.max(1, Math.min(4, Math.ceil((4 * Math.log(1 + count)) / Math.log(1 + most)))));
  const few = confusion.length <= 20;
  const mistakes = few ? [] : confusion.flatMap((row, i) => row.map((count, j) => ({ i, j, count })).filter(({ j, count }) => j !== i && count > 0)).sort((a, b) => b.count - a.count);
  section("confusion", "Confusion matrix",
    el("p", { class: "note" }, "Rows are the true class, columns what was seen. The diagonal is right; the darker another cell, the more mistakes."),
    few ? el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The matrix, true classes down" },
      el("table", { class: "confusion" }, el("caption", { class: "visually-hidden" }, "Confusion matrix"),
        el("thead", null, el("tr", null, el("th", { scope: "col" }, "true \\ seen"), confusion.map((_, j) => el("th", { scope: "col", class: "right", title: wordOf(j).trim() || null }, String(j))))),
        el("tbody", null, confusion.map((row, i) => el("tr", null, el("th", { scope: "row" }, classOf(i)), row.map((count, j) =>
          el("td", { class: i === j ? "hit" : heat(count), "data-from": `/confusion/${i}/${j}` }, count === 0 ? "0" : grouped(count)))))))) : [
      matrixPicture(confusion), table("The most frequent mistakes", [
        { title: "true class", right: !hasNames, value: (m) => m.i, search: (m) => m.i + wordOf(m.i), cell: (m) => classOf(m.i) },
        { title: "seen", right: !hasNames, value: (m) => m.j, search: (m) => m.j + wordOf(m.j), cell: (m) => classOf(m.j) },
        { title: many, right: true, value: (m) => m.count, cell: (m) => num(`/confusion/${m.i}/${m.j}`, grouped) }], mistakes)]);
}

function matrixPicture(confusion) {
  const n = confusion.length;
  const canvas = el("canvas", { width: n, height: n, role: "img", "aria-label": `Confusion matrix of ${n} classes; the table has its largest numbers` });
  const most = Math.max(1, ...confusion.map((row) => Math.max(...row)));
  const image = new ImageData(n, n);
  confusion.forEach((row, i) => row.forEach((count, j) => {
    const t = Math.log(1 + count) / Math.log(1 + most);
    const end = i === j ? [26, 107, 58] : [179, 38, 30];
    image.data.set([...end.map((c) => Math.round(255 + (c - 255) * t)), 255], 4 * (i * n + j));
  }));
  canvas.getContext("2d").putImageData(image, 0, 0);
  canvas.style.width = Math.max(300, Math.min(n, 700)) + "px";
  return el("div", { class: "heat" }, canvas);
}

// Images with what is seen in them, a few at a time.
function gallery(examples, root, caption, describe) {
  const size = 12;
  let page = 0;
  const list = el("ul", { class: "pictures" });
  const position = el("span", { class: "quiet", role: "status" });
  const [previous, next] = [-1, 1].map((step) => el("button", { type: "button", onclick: () => { page += step; show(); } }, step < 0 ? "Previous" : "Next"));
  function show() {
    const shown = examples.slice(page * size, (page + 1) * size);
    list.replaceChildren(...shown.map((example, k) => el("li", null, el("figure", null,
      example.picture ? picture(example.picture, Math.max(1, Math.floor(112 / Math.max(example.picture.width, example.picture.height))), `Image ${example.index}, class ${example.label}${wordOf(example.label)}`) : null,
      el("figcaption", null, example.name ? nameOf(example.name) : [one + " ", num(`${root}/${page * size + k}/index`, grouped)], el("br"), describe(example, `${root}/${page * size + k}`))))));
    position.textContent = `${page * size + 1} to ${page * size + shown.length} of ${examples.length}`;
    previous.disabled = page === 0;
    next.disabled = (page + 1) * size >= examples.length;
  }
  show();
  return [el("p", { class: "note" }, caption), examples.length > size ? el("div", { class: "tools" }, previous, next, position) : null, list];
}
const seen = (label) => (label === null || label === undefined ? "nothing finite" : classOf(label));
const finite = (value) => (value === null || value === undefined ? "not finite" : significant(value));
const outputsOf = (outputs, root) => outputs.map((output, i) => [i ? el("br") : "", el("span", { class: "quiet" }, "class ", classOf(output.label)), " ", num(`${root}/${i}/value`, finite)]);

if (data.wrong.length) {
  section("mistakes", Many + " that were not recognised", gallery(data.wrong, "page:/wrong",
    (data.wrongCount > data.wrong.length ? `${data.wrong.length} of ${grouped(data.wrongCount)}` : grouped(data.wrongCount)) + ", those first that the model is surest of. The margin is how far the largest output is from the second.",
    (example, root) => ["is ", el("strong", null, classOf(example.label)), ", seen as ", el("strong", null, seen(example.found)), el("br"), "margin ", num(root + "/margin", finite), el("br"), outputsOf(example.outputs, root + "/outputs")]));
}
if (report.agreement) {
  const { agreement } = report;
  section("agreement", "Agreement with the other model",
    facts([["the same class", num("/agreement/agreeing", grouped), " (", num("/agreement/fraction", fixed(4)), ")"], ["flipped", num("/agreement/flipCount", grouped)],
      agreement.smallestMargin !== undefined && ["smallest margin of the others", num("/agreement/smallestMargin")], agreement.nonFinite > 0 && ["not finite", num("/agreement/nonFinite", grouped)]]),
    data.flips.length ? gallery(data.flips, "page:/flips", (agreement.flipCount > data.flips.length ? `The first ${data.flips.length} of ${grouped(agreement.flipCount)} ${many}` : Many) + " that the two see differently, in their order.",
      (example, root) => ["is ", el("strong", null, classOf(example.label)), el("br"), "was ", seen(example.expected), ", margin ", num(root + "/expectedMargin", finite), el("br"), outputsOf(example.expectedOutputs, root + "/expectedOutputs"), el("br"), "now ", el("strong", null, seen(example.found)), ", margin ", num(root + "/margin", finite), el("br"), outputsOf(example.outputs, root + "/outputs")])
      : el("p", { class: "good-text" }, "None flipped."));
}

if (report.regression) {
  const { regression } = report;
  section("error", "Error", facts([["data", nameOf(report.dataset), ", ", num("/count", grouped)], ...judgedFacts(), [regression.metric, num("/regression/value")],
    regression.interval && ["95 % interval", num("/regression/interval/0"), " to ", num("/regression/interval/1")],
    regression.standardError !== undefined && ["standard error", num("/regression/standardError")],
    regression.isNoBetterThanMean && ["", el("span", { class: "bad-text" }, "no better than always predicting the mean of the targets")]]),
  table("The predictions that are farthest off", [
    { title: "sample", right: true, value: (m) => m.sample, cell: (m, i) => num(`/regression/worst/${i}/sample`, grouped) },
    { title: "value", right: true, cell: (m, i) => num(`/regression/worst/${i}/place`, grouped) },
    { title: "target", right: true, value: (m) => m.target, cell: (m, i) => num(`/regression/worst/${i}/target`) },
    { title: "output", right: true, value: (m) => m.output, cell: (m, i) => num(`/regression/worst/${i}/output`) },
    { title: "error", right: true, value: (m) => m.error, cell: (m, i) => num(`/regression/worst/${i}/error`) },
  ], regression.worst));
}

if (report.sweep) {
  const { sweep } = report;
  section("sweep", "Sweep", el("p", null, "How much of the accuracy is left when images go through ", codeOf(sweep.filter), " first."),
    el("div", { class: "plot-scroll" }, curve(sweep.rows.map((row) => ({ x: row.value, y: row.accuracy, low: row.interval[0], high: row.interval[1] })), { title: "Accuracy by " + sweep.filter + ", with its 95 % interval; the table has the numbers", x: sweep.filter, y: "accuracy" })),
    table("Accuracy for each parameter", [
      { title: sweep.filter, right: true, value: (r) => r.value, cell: (r, i) => num(`/sweep/rows/${i}/value`, String) },
      { title: "accuracy", right: true, value: (r) => r.accuracy, cell: (r, i) => num(`/sweep/rows/${i}/accuracy`, fixed(4)) },
      { title: "from", right: true, cell: (r, i) => num(`/sweep/rows/${i}/interval/0`, fixed(4)) },
      { title: "to", right: true, cell: (r, i) => num(`/sweep/rows/${i}/interval/1`, fixed(4)) },
      { title: "right", right: true, value: (r) => r.correct, cell: (r, i) => [num(`/sweep/rows/${i}/correct`, grouped), " of ", num(`/sweep/rows/${i}/count`, grouped)] },
    ], sweep.rows));
}

if (report.pixels) {
  section("pixels", many === "images" ? "What was done to pixels" : "What was done to values",
    report.pictures ? table("What was done to the pictures", [
      { title: "what was done", wide: true, cell: (g) => g.text }, { title: "pictures", right: true, value: (g) => g.count, cell: (g, i) => num(`/pictures/${i}/count`, grouped) }, { title: "the first", cell: (g) => nameOf(g.first) }], report.pictures) : el("p", null, report.pixels.text, "."),
    (report.pixels.warnings || []).map((warning) => el("p", { class: "warn-text" }, warning)),
    report.preparation ? [el("h3", null, "Preparations that were tried"), table(`Each on ${report.preparation.images} images, the best first`, [
      { title: "preparation", wide: true, cell: (r) => r.text }, { title: "accuracy", right: true, value: (r) => r.accuracy, cell: (r, i) => num(`/preparation/tried/${i}/accuracy`, fixed(4)) },
      { title: "right", right: true, value: (r) => r.correct, cell: (r, i) => num(`/preparation/tried/${i}/correct`, grouped) }], report.preparation.tried)] : null);
}

graph.start(firstWrong ? data.graph.nodes.findIndex((node) => node.name === firstWrong.name) : undefined);

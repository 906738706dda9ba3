// Graphs of layers. Only what is in sight is in the document: near by a box for each layer, far away one shape for all
// layers of a kind, so that a graph of any size is a few hundred elements.

const nearLimit = 250;
const farScale = 0.34;

const kinds = [
  ["input", "input", /^Input$/],
  ["conv", "convolution", /Conv|LocallyConnected/i],
  ["dense", "dense, embedding", /Dense|Embedding|Linear|MatMul|Einsum/i],
  ["sequence", "recurrent, attention", /LSTM|GRU|RNN|Recurrent|Bidirectional|Attention/i],
  ["norm", "normalisation, scale", /Norm|Scale|Rescaling/i],
  ["pool", "pooling, padding, shape", /Pool|Pad|Crop|Upsampl|Reshape|Flatten|Permute|Repeat|Resiz/i],
  ["activation", "activation", /Activation|ReLU|Softmax|Sigmoid|Tanh|ELU|Swish|GELU/i],
];
const kindOf = (type) => (kinds.find(([, , pattern]) => pattern.test(type)) || ["other"])[0];

// `options`: {label, state(node) -> {level, word, class}, details(node) -> elements, levels: [[class, words]]}.
function graphView(graph, options) {
  const { nodes, views } = graph;
  const state = options.state || (() => ({}));
  let view = 0;
  let place = { x: 0, y: 0, scale: 1 };
  let chosen = null;
  let found = new Set();
  let pending = false;

  const scene = svg("svg", { "aria-hidden": "true", focusable: "false" });
  const helpId = unique("graph-help");
  const frame = el("div", { class: "graph", tabindex: "0", role: "application", "aria-label": options.label, "aria-describedby": helpId }, scene);
  const side = el("div", { class: "graph-side", tabindex: "0", role: "region", "aria-label": "The chosen layer" });
  const crumbs = el("span", null);
  const search = el("input", { type: "search", id: unique("find-layer") });
  const count = el("span", { class: "quiet", role: "status" });
  const button = (text, label, action) => el("button", { type: "button", "aria-label": label, onclick: action }, text);
  const last = views.length - 1;
  const fold = views.length > 1 ? el("button", { type: "button", onclick: () => open(view === last ? 0 : last) }) : null;
  const tools = el("div", { class: "tools" },
    el("label", { for: search.id }, "Find a layer"), search, count, el("span", { class: "grow" }), crumbs, fold,
    button("+", "Zoom in", () => zoom(1.3)), button("\u2212", "Zoom out", () => zoom(1 / 1.3)), button("Fit", "Fit the graph", fit));
  const help = el("p", { class: "note", id: helpId },
    "Drag or use Ctrl and the wheel to move and zoom. With the keyboard: arrows go from layer to layer, Enter opens a nested model, Escape goes back, + and - zoom, 0 fits.");

  const size = () => ({ width: frame.clientWidth || 600, height: frame.clientHeight || 400 });
  const items = () => views[view].items;

  function draw() {
    if (pending) return;
    pending = true;
    requestAnimationFrame(() => { pending = false; render(); });
  }

  function render() {
    const { width, height } = size();
    const [left, top] = [-place.x / place.scale, -place.y / place.scale];
    const [right, bottom] = [left + width / place.scale, top + height / place.scale];
    const current = views[view];
    const seen = [];
    current.items.forEach((item, index) => {
      const [x, y, w, h] = item.box;
      if (x < right && x + w > left && y < bottom && y + h > top) seen.push(index);
    });
    const isFar = place.scale < farScale || seen.length > nearLimit;
    const root = svg("g", { transform: `translate(${place.x.toFixed(1)} ${place.y.toFixed(1)}) scale(${place.scale.toFixed(4)})` });
    root.append(...lines(current, left, top, right, bottom, isFar));
    if (isFar) root.append(...shapes(current, seen));
    else for (const index of seen) root.append(box(current.items[index], index));
    scene.replaceChildren(root);
  }

  function lines(current, left, top, right, bottom, isFar) {
    const paths = { "": ["", ""], a: ["", ""], b: ["", ""] };
    current.lines.forEach((line, index) => {
      let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
      for (let i = 0; i < line.length; i += 2) {
        x0 = Math.min(x0, line[i]); x1 = Math.max(x1, line[i]);
        y0 = Math.min(y0, line[i + 1]); y1 = Math.max(y1, line[i + 1]);
      }
      if (x0 > right || x1 < left || y0 > bottom || y1 < top) return;
      const side = options.edgeSide ? options.edgeSide(current, index) : "";
      let path = `M${line[0]} ${line[1]}`;
      for (let i = 2; i < line.length; i += 2) {
        const [px, py, x, y] = line.slice(i - 2, i + 2);
        // What is not upright lies between two layers, and leaves and enters them upright.
        path += px === x ? `V${y}` : py === y ? `H${x}` : `C${px} ${(py + y) / 2} ${x} ${(py + y) / 2} ${x} ${y}`;
      }
      paths[side][0] += path;
      const [ex, ey] = line.slice(-2);
      if (!isFar) paths[side][1] += `M${ex} ${ey}l-4.5 -8h9z`;
    });
    return Object.entries(paths).filter(([, [path]]) => path).flatMap(([side, [path, heads]]) => [
      svg("path", { class: "edge " + side, d: path, "vector-effect": "non-scaling-stroke" }),
      heads ? svg("path", { class: "arrow", d: heads }) : null].filter(Boolean));
  }

  const look = (item) => item.node === null || item.node === undefined
    ? (options.groupState ? options.groupState(members(item.view)) : {})
    : item.isOutside ? {} : state(item.node) || {};
  const fillOf = (item) => look(item).level || "k-" + (item.view !== null && item.view !== undefined ? "group" : kindOf(nodes[item.node].type));

  function shapes(current, seen) {
    const paths = {};
    for (const index of seen) {
      const item = current.items[index];
      const [x, y, w, h] = item.box;
      const key = fillOf(item);
      paths[key] = (paths[key] || "") + `M${x} ${y}h${w}v${h}h${-w}z`;
      const marks = [look(item).class === "wrong" ? "wrong" : "", index === chosen ? "chosen" : "", found.has(index) ? "found" : ""].filter(Boolean);
      for (const mark of marks) paths["mark " + mark] = (paths["mark " + mark] || "") + `M${x - 8} ${y - 8}h${w + 16}v${h + 16}h${-w - 16}z`;
    }
    return Object.entries(paths).map(([key, path]) => key.startsWith("mark ")
      ? svg("g", { class: key.slice(5) }, svg("path", { class: "box", d: path, fill: "none", "vector-effect": "non-scaling-stroke" }))
      : svg("path", { class: key, d: path }));
  }

  function box(item, index) {
    const [x, y, w, h] = item.box;
    const marks = look(item);
    const isGroup = item.view !== null && item.view !== undefined;
    const names = [isGroup ? "group" : "", item.isOutside ? "outside" : "", index === chosen ? "chosen" : "", found.has(index) ? "found" : "", marks.class || ""];
    const letters = Math.floor((w - 26) / 7.7);
    const node = isGroup ? null : nodes[item.node];
    const room = Math.floor((w - 24) / 6.2);
    const both = isGroup ? plural(item.count, "layer") + ", folded" : node.type + " " + (marks.word || node.shape);
    // What is said of a layer goes before its type, where there is no room for both.
    const second = marks.word && !isGroup && both.length > room ? marks.word : both;
    return svg("g", { class: names.filter(Boolean).join(" "), "data-item": index, transform: `translate(${x} ${y})` },
      svg("rect", { class: "box", width: w, height: h, rx: 6 }),
      item.isOutside ? null : svg("rect", { class: "tag " + fillOf(item), width: 5, height: h - 12, x: 5, y: 6, rx: 2 }),
      svg("text", { class: item.isOutside ? "small" : "title", x: 17, y: item.isOutside ? 19 : h / 2 - 4 }, clipped(isGroup ? item.name + "/" : item.name, letters)),
      item.isOutside ? null : svg("text", { class: "small", x: 17, y: h / 2 + 12 }, clipped(second, room)));
  }

  const members = (index) => views[index].items.flatMap((item) =>
    item.isOutside ? [] : item.view !== null && item.view !== undefined ? members(item.view) : [item.node]);

  function fit() {
    const { width, height } = size();
    const current = views[view];
    const whole = Math.min((width - 16) / current.width, (height - 16) / current.height, 1.15);
    place = { scale: whole, x: (width - current.width * whole) / 2, y: Math.max(8, (height - current.height * whole) / 2) };
    draw();
  }
  // Where a graph is too large to be read as a whole, it begins at its beginning.
  function begin() {
    fit();
    if (place.scale >= 0.72) return;
    const { width } = size();
    const first = items().reduce((best, item) => (item.box[1] < best.box[1] ? item : best), items()[0]);
    if (!first) return;
    place = { scale: 0.85, x: width / 2 - (first.box[0] + first.box[2] / 2) * 0.85, y: 16 - first.box[1] * 0.85 };
    draw();
  }
  function zoom(factor, center) {
    const { width, height } = size();
    const at = center || { x: width / 2, y: height / 2 };
    const scale = Math.min(3, Math.max(0.02, place.scale * factor));
    place = { scale, x: at.x - ((at.x - place.x) * scale) / place.scale, y: at.y - ((at.y - place.y) * scale) / place.scale };
    draw();
  }
  function reveal(index) {
    const { width, height } = size();
    const [x, y, w, h] = items()[index].box;
    const scale = Math.max(place.scale, 0.7);
    const [sx, sy] = [place.x + x * scale, place.y + y * scale];
    if (scale !== place.scale || sx < 8 || sy < 8 || sx + w * scale > width - 8 || sy + h * scale > height - 8) {
      place = { scale, x: width / 2 - (x + w / 2) * scale, y: height / 2 - (y + h / 2) * scale };
    }
    draw();
  }

  function choose(index, quietly) {
    chosen = index;
    const item = index === null ? null : items()[index];
    side.replaceChildren();
    if (!item) {
      append(side, [el("h3", null, "No layer is chosen"), el("p", { class: "quiet" }, "Choose one in the graph to see what is in it.")]);
      draw();
      return;
    }
    const isGroup = item.view !== null && item.view !== undefined;
    if (isGroup) {
      append(side, [el("h3", null, nameOf(item.name)), facts([["layers", made(item.count, grouped)]]),
        el("button", { type: "button", onclick: () => open(item.view) }, "Open it")]);
    } else {
      const node = nodes[item.node];
      append(side, [el("h3", null, nameOf(node.name)), options.details ? options.details(item.node) : facts([["type", nameOf(node.type)], ["output", node.shape]])]);
    }
    if (!quietly) announce(item.name + ", " + (isGroup ? plural(item.count, "layer") : nodes[item.node].type + ", " + nodes[item.node].shape + (look(item).say ? ", " + look(item).say : "")));
    reveal(index);
  }

  function open(index) {
    view = index;
    chosen = null;
    found = new Set();
    crumbs.replaceChildren();
    const trail = [];
    for (let at = views[view].parent; at !== null && at !== undefined; at = views[at].parent) trail.unshift(at);
    trail.forEach((at) => crumbs.append(el("button", { type: "button", onclick: () => open(at) }, "Back to ", views[at].title ? nameOf(views[at].title) : "the whole")));
    if (views[view].title) append(crumbs, [" ", nameOf(views[view].title)]);
    if (fold) fold.textContent = view === last ? "Fold nested models" : "Show all layers";
    choose(null, true);
    begin();
    find();
  }

  function find() {
    const text = search.value.trim().toLowerCase();
    found = new Set();
    if (text) {
      items().forEach((item, index) => {
        const inside = item.view !== null && item.view !== undefined ? members(item.view) : [item.node];
        if (!item.isOutside && inside.some((node) => (nodes[node].name + " " + nodes[node].type).toLowerCase().includes(text))) found.add(index);
      });
    }
    count.textContent = text ? (found.size ? found.size + " found, Enter shows the next" : "none found") : "";
    draw();
  }
  search.addEventListener("input", find);
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !found.size) return;
    event.preventDefault();
    const list = [...found];
    choose(list[(list.indexOf(chosen) + 1) % list.length]);
  });

  function neighbour(key) {
    if (chosen === null) return items().length ? 0 : null;
    const ends = views[view].edges;
    if (key === "ArrowDown") { const edge = ends.find(([from]) => from === chosen); return edge ? edge[1] : null; }
    if (key === "ArrowUp") { const edge = ends.find(([, to]) => to === chosen); return edge ? edge[0] : null; }
    const [x, y, w, h] = items()[chosen].box;
    let best = null;
    let least = Infinity;
    items().forEach((item, index) => {
      const dx = item.box[0] + item.box[2] / 2 - (x + w / 2);
      const dy = Math.abs(item.box[1] + item.box[3] / 2 - (y + h / 2));
      if (index === chosen || dy > 60 || (key === "ArrowRight" ? dx <= 0 : dx >= 0)) return;
      if (Math.abs(dx) + 3 * dy < least) { least = Math.abs(dx) + 3 * dy; best = index; }
    });
    return best;
  }
  frame.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key.startsWith("Arrow")) {
      const next = neighbour(key);
      if (next !== null && next !== undefined) choose(next);
    } else if (key === "+" || key === "=") zoom(1.3);
    else if (key === "-") zoom(1 / 1.3);
    else if (key === "0") fit();
    else if (key === "Enter" && chosen !== null && items()[chosen].view !== null && items()[chosen].view !== undefined) open(items()[chosen].view);
    else if (key === "Escape" && views[view].parent !== null && views[view].parent !== undefined) open(views[view].parent);
    else return;
    event.preventDefault();
  });

  const pointers = new Map();
  let moved = 0;
  const at = (event) => { const rect = frame.getBoundingClientRect(); return { x: event.clientX - rect.left, y: event.clientY - rect.top }; };
  frame.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, at(event));
    moved = 0;
  });
  frame.addEventListener("pointermove", (event) => {
    if (!pointers.has(event.pointerId)) return;
    const [before, now] = [pointers.get(event.pointerId), at(event)];
    moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    if (moved > 4 && !frame.hasPointerCapture(event.pointerId)) { frame.setPointerCapture(event.pointerId); frame.classList.add("moving"); }
    if (pointers.size === 2) {
      const other = [...pointers.entries()].find(([id]) => id !== event.pointerId)[1];
      const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y) || 1;
      zoom(distance(now, other) / distance(before, other), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
    } else if (moved > 4) {
      place = { ...place, x: place.x + now.x - before.x, y: place.y + now.y - before.y };
      draw();
    }
    pointers.set(event.pointerId, now);
  });
  const release = (event) => { pointers.delete(event.pointerId); frame.classList.remove("moving"); };
  frame.addEventListener("pointercancel", release);
  frame.addEventListener("pointerup", (event) => {
    release(event);
    if (moved > 4) return;
    const point = at(event);
    const [x, y] = [(point.x - place.x) / place.scale, (point.y - place.y) / place.scale];
    const hit = items().findIndex(({ box: [left, top, w, h] }) => x >= left && x <= left + w && y >= top && y <= top + h);
    if (hit >= 0) choose(hit);
  });
  frame.addEventListener("dblclick", () => {
    const item = chosen === null ? null : items()[chosen];
    if (item && item.view !== null && item.view !== undefined) open(item.view);
  });
  frame.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 300), at(event));
  }, { passive: false });
  new ResizeObserver(() => draw()).observe(frame);

  const used = new Set(nodes.map((node) => kindOf(node.type)));
  const legend = el("ul", { class: "legend" }, (options.levels || kinds.concat([["other", "other"]]).filter(([kind]) => used.has(kind)).map(([kind, words]) => ["k-" + kind, words])).map(([name, words]) =>
    el("li", null, svg("svg", { viewBox: "0 0 12 12", "aria-hidden": "true" }, svg("rect", { class: name, width: 12, height: 12, rx: 2 })), words)));
  const element = el("div", null, tools, el("div", { class: "graph-frame" }, frame, side), legend, help);
  // Shows a node, in the view that has all if this one has it not.
  element.showNode = (node) => {
    let index = items().findIndex((item) => item.node === node && !item.isOutside);
    if (index < 0) {
      open(last);
      index = items().findIndex((item) => item.node === node);
    }
    if (index >= 0) choose(index);
  };
  element.start = (node) => {
    open(0);
    if (node !== undefined && node !== null && node >= 0) element.showNode(node);
  };
  return element;
}

// Two networks as one graph. `options`: {label, levels: [[class, words]] of which the last is for nodes without tensors,
// levelOf(node) -> place in levels or -1, isWrong(node), details(node) -> elements}.
function alignedGraph(graphs, options) {
  const { graph, renamed } = graphs;
  const key = ([from, to]) => from + "," + to;
  const [inA, inB] = [new Set(graphs.onlyInA.map(key)), new Set(graphs.onlyInB.map(key))];
  const classOf = (level) => (level < 0 ? "s-none" : options.levels[level][0]);
  const state = (node) => {
    const { side } = graph.nodes[node];
    const level = options.levelOf(node);
    const tensors = level < 0 ? "without tensors" : options.levels[level][1];
    return {
      level: classOf(level),
      class: side === "a" ? "only-a" : side === "b" ? "only-b" : options.isWrong(node) ? "wrong" : "",
      word: side ? "only in " + side.toUpperCase() : renamed[node] ? "B: " + renamed[node] : null,
      say: side ? "only in " + side.toUpperCase() + (level < 0 ? "" : ", " + tensors) : tensors,
    };
  };
  return graphView(graph, {
    label: options.label,
    levels: options.levels,
    state,
    groupState: (members) => ({
      level: classOf(Math.max(...members.map(options.levelOf))),
      class: members.some((node) => state(node).class) ? "wrong" : "",
    }),
    edgeSide: (view, index) => {
      const [from, to] = view.edges[index].map((i) => view.items[i].node);
      const name = key([from, to]);
      return inA.has(name) ? "a" : inB.has(name) ? "b" : "";
    },
    details: (node) => {
      const { type, shape, side } = graph.nodes[node];
      return [facts([["type", nameOf(type)], ["output", shape], side && ["where", "only in " + side.toUpperCase()], renamed[node] && ["in B", nameOf(renamed[node])]]), options.details(node)];
    },
  });
}
const sidesNote = () => el("p", { class: "note" }, "Dashed boxes and lines are in one of the two only: red in A, green in B.");

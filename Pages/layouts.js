// How a tensor lies before and after a rearrangement, on a block that is small enough to be seen whole.

// `(h w i) o -> o h w i` as two lists of groups of axes.
function parsedPattern(pattern) {
  const side = (text) => {
    const groups = [];
    let open = null;
    for (const token of text.match(/[()]|[A-Za-z0-9_]+/g) || []) {
      if (token === "(") open = [];
      else if (token === ")") { groups.push(open || []); open = null; }
      else if (open) { if (token !== "1") open.push(token); }
      else groups.push(token === "1" ? [] : [token]);
    }
    return groups;
  };
  const parts = pattern.split("->");
  return parts.length === 2 ? { from: side(parts[0]), to: side(parts[1]) } : null;
}

// The size of each axis: given for those in groups but one, and by the shape.
function axisSizes(groups, shape, given) {
  const sizes = { ...given };
  groups.forEach((group, i) => {
    const open = group.filter((axis) => sizes[axis] === undefined);
    const known = group.filter((axis) => sizes[axis] !== undefined).reduce((p, a) => p * sizes[a], 1);
    if (open.length === 1) sizes[open[0]] = (shape[i] || 1) / known;
  });
  return sizes;
}

const axisWords = { o: "output channels", i: "input channels", h: "height", w: "width", d: "depth", m: "multiplier", c: "channels", g: "gates", n: "units", l: "places" };

// Which place each gate comes from, where two layouts have them in different orders: `I(G[zrh]N)` to `(G[rzh]N)I`.
function gateOrder(from, to) {
  const [before, after] = [from, to].map((layout) => (/G\[([^\]]*)\]/.exec(layout) || [])[1]);
  if (!before || !after || before === after) return {};
  return { g: Array.from(after).map((gate) => before.indexOf(gate)) };
}

// Two blocks of numbered cells: the same number is the same value. `orders` says which place each place of an axis comes
// from, of axes whose places have another order.
function rearrangement(move, shape, orders = {}) {
  const parsed = parsedPattern(move.pattern);
  if (!parsed) return el("p", { class: "code" }, move.pattern);
  const sizes = axisSizes(parsed.from, shape, move.sizes || {});
  const axes = parsed.from.flat();
  // Sizes differ as far as they can, so that an exchange is seen.
  const least = {};
  let budget = 24;
  axes.forEach((axis, i) => { least[axis] = Math.min(sizes[axis] || 1, orders[axis] ? 4 : i % 2 ? 3 : 2); });
  for (const axis of axes) {
    if (axes.reduce((p, a) => p * least[a], 1) > budget) least[axis] = Math.min(sizes[axis] || 1, 2);
  }
  for (const axis of [...axes].reverse()) {
    if (axes.reduce((p, a) => p * least[a], 1) > budget) least[axis] = 1;
  }
  const reversed = new Set((move.reversed || []).map((axis) => String(axis).toLowerCase()));
  // Of an axis in another order, the block has the places that the first ones come from.
  const ranks = {};
  for (const axis of axes.filter((name) => orders[name])) {
    const first = orders[axis].slice(0, least[axis]);
    const sorted = [...first].sort((a, b) => a - b);
    ranks[axis] = first.map((place) => sorted.indexOf(place));
  }
  const cells = (groups) => {
    const order = groups.flat();
    const total = order.reduce((p, a) => p * least[a], 1);
    const list = [];
    for (let index = 0; index < total; index += 1) {
      let rest = index;
      const at = {};
      for (const axis of [...order].reverse()) {
        at[axis] = rest % least[axis];
        rest = Math.floor(rest / least[axis]);
      }
      list.push(at);
    }
    return list;
  };
  const number = (at) => axes.reduce((n, axis) => n * least[axis] + at[axis], 0);
  const color = axes.reduce((best, axis) => (least[axis] > 1 && (best === null || axis === "o") ? axis : best), null);
  const block = (groups, isTarget) => {
    const widths = groups.map((group) => group.reduce((p, a) => p * least[a], 1)).filter((width) => width > 1);
    const columns = widths.length ? widths[widths.length - 1] : 1;
    const list = cells(groups).map((at) => {
      if (!isTarget) return at;
      const source = { ...at };
      for (const axis of reversed) if (source[axis] !== undefined) source[axis] = least[axis] - 1 - source[axis];
      for (const axis of Object.keys(ranks)) source[axis] = ranks[axis][source[axis]];
      return source;
    });
    const rows = [];
    for (let i = 0; i < list.length; i += columns) rows.push(list.slice(i, i + columns));
    const names = groups.map((g) => (g.length > 1 ? "(" + g.join(" ") + ")" : g[0] || "1")).join(" ");
    return el("div", null,
      el("p", { class: "note" }, isTarget ? "after: " : "before: ", codeOf(names)),
      el("table", { class: "cells" }, el("caption", { class: "visually-hidden" }, (isTarget ? "After: " : "Before: ") + names),
        el("tbody", null, rows.map((row) => el("tr", null, row.map((at) =>
          el("td", { class: "c-" + (color ? at[color] % 6 : 0) }, String(number(at)))))))));
  };
  const words = axes.map((axis) => axis + " " + (axisWords[axis] ? axisWords[axis] + " " : "") + sizes[axis] + (least[axis] < sizes[axis] ? " (here " + least[axis] + ")" : ""));
  return el("div", null,
    el("p", null, codeOf(move.pattern + Object.entries(move.sizes || {}).map(([k, v]) => ", " + k + "=" + v).join(""))),
    el("div", { class: "side-by-side" }, block(parsed.from, false), el("span", { class: "arrow-word" }, "becomes"), block(parsed.to, true)),
    el("p", { class: "note" }, "A row is the last dimension of more than one place; the same number is the same value" + (color ? ", and a colour is a place along " + color : "") + ". Axes: " + words.join(", ") + ".",
      reversed.size ? " Reversed along " + [...reversed].join(", ") + "." : "",
      Object.keys(ranks).map((axis) => " In another order along " + axis + ": places " + orders[axis].slice(0, 8).join(", ") + (orders[axis].length > 8 ? " and so on" : "") + ".")));
}

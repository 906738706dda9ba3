// Plots: axes with few, round numbers, and what they show also in a table or a sentence beside them.

// On a phone a plot is drawn for its width, not made smaller: its texts are to be read.
const isNarrow = matchMedia("(max-width: 760px)").matches;

function ticks(low, high, wanted) {
  const span = high - low || 1;
  const rough = span / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough);
  const result = [];
  for (let i = Math.ceil(low / step); i * step <= high + step * 1e-9; i += 1) result.push(i * step);
  return { values: result, step };
}
function tickText(value, step) {
  if (value === 0) return "0";
  const size = Math.max(Math.abs(value), step);
  if (size >= 1e6 || step < 1e-4) return value.toExponential(Math.max(0, Math.floor(Math.log10(Math.abs(value))) - Math.floor(Math.log10(step))));
  return value.toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
}

// How values are distributed. A bar with a value is at least a pixel high: few are not none.
function histogram(found, label) {
  const [width, height, left, bottom, top] = [isNarrow ? 350 : 560, 200, 58, 34, 22];
  const most = Math.max(...found.counts);
  const count = found.counts.length;
  const plotWidth = width - left - 14;
  const plotHeight = height - bottom - top;
  const bars = found.counts.map((value, i) => {
    if (value === 0) return null;
    const h = Math.max(1, (value / most) * plotHeight);
    return svg("rect", { class: "bar", x: (left + (i * plotWidth) / count + 0.4).toFixed(1), y: (top + plotHeight - h).toFixed(1), width: Math.max(1, plotWidth / count - 0.8).toFixed(1), height: h.toFixed(1) });
  });
  const x = (v) => left + (found.high === found.low ? plotWidth / 2 : ((v - found.low) / (found.high - found.low)) * plotWidth);
  const scale = found.high === found.low ? { values: [found.low], step: Math.abs(found.low) || 1 } : ticks(found.low, found.high, isNarrow ? 4 : 6);
  const counts = ticks(0, most, 3);
  return svg("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    counts.values.map((v) => {
      const y = top + plotHeight - (v / most) * plotHeight;
      return [svg("line", { class: "grid", x1: left, x2: width - 14, y1: y, y2: y }),
        svg("text", { class: "small", x: left - 8, y: y + 4, "text-anchor": "end" }, shortCount(v))];
    }),
    bars,
    svg("line", { class: "axis", x1: left, x2: width - 14, y1: top + plotHeight, y2: top + plotHeight }),
    scale.values.map((v) => [
      svg("line", { class: "axis", x1: x(v), x2: x(v), y1: top + plotHeight, y2: top + plotHeight + 4 }),
      svg("text", { class: "small", x: x(v), y: height - 14, "text-anchor": "middle" }, found.high === found.low ? significant(v) : tickText(v, scale.step)),
    ]),
    svg("text", { class: "small", x: width - 14, y: height - 1, "text-anchor": "end" }, "value"),
    svg("text", { class: "small", x: 2, y: 10 }, "values"));
}
function shortCount(value) {
  if (value >= 1e6) return Number((value / 1e6).toPrecision(3)) + "M";
  if (value >= 1e3) return Number((value / 1e3).toPrecision(3)) + "k";
  return String(value);
}

// The same in a line of a table; the numbers beside it say it all.
function spark(found) {
  const most = Math.max(...found.counts);
  const path = found.counts.map((value, i) => {
    const h = value === 0 ? 0 : Math.max(1, (value / most) * 22);
    return h ? `M${i * 2} 24v-${h.toFixed(1)}h1.6v${h.toFixed(1)}z` : "";
  }).join("");
  return svg("svg", { class: "spark", viewBox: "0 0 96 24", "aria-hidden": "true" }, svg("path", { class: "bar", d: path }));
}

// A curve of y over x, with a band from y's lower to its upper end.
function curve(points, labels) {
  const [width, height, left, bottom, top] = [isNarrow ? 350 : 600, 270, 56, 44, 28];
  const xs = points.map((p) => p.x);
  const [lowX, highX] = [Math.min(...xs), Math.max(...xs)];
  const lowY = Math.max(0, Math.min(...points.map((p) => p.low)) - 0.02);
  const highY = Math.min(1, Math.max(...points.map((p) => p.high)) + 0.02);
  const px = (v) => left + (highX === lowX ? 0.5 : (v - lowX) / (highX - lowX)) * (width - left - 16);
  const py = (v) => top + (1 - (v - lowY) / (highY - lowY || 1)) * (height - top - bottom);
  const line = (key, list) => list.map((p, i) => (i ? "L" : "M") + px(p.x).toFixed(1) + " " + py(p[key]).toFixed(1)).join("");
  const band = line("high", points) + line("low", [...points].reverse()).replace("M", "L") + "z";
  const [tx, ty] = [ticks(lowX, highX, isNarrow ? 4 : 8), ticks(lowY, highY, 5)];
  return svg("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": labels.title },
    ty.values.map((v) => [svg("line", { class: "grid", x1: left, x2: width - 16, y1: py(v), y2: py(v) }),
      svg("text", { class: "small", x: left - 8, y: py(v) + 4, "text-anchor": "end" }, tickText(v, ty.step))]),
    svg("path", { class: "band", d: band }), svg("path", { class: "curve", d: line("y", points) }),
    points.length <= 200 ? points.map((p) => svg("circle", { class: "dot", cx: px(p.x).toFixed(1), cy: py(p.y).toFixed(1), r: 3 })) : null,
    svg("line", { class: "axis", x1: left, x2: width - 16, y1: height - bottom, y2: height - bottom }),
    tx.values.map((v) => svg("text", { class: "small", x: px(v), y: height - bottom + 16, "text-anchor": "middle" }, tickText(v, tx.step))),
    svg("text", { class: "small", x: width - 16, y: height - 6, "text-anchor": "end" }, labels.x),
    svg("text", { class: "small", x: 2, y: 10 }, labels.y));
}

// How far a layer is from what it should be, as a part of its tolerance: a few steps of a colour.
const toleranceLevels = [["s-0", "at most a tenth of the tolerance"], ["s-1", "within the tolerance"], ["s-3", "beyond it"], ["s-4", "beyond ten times"], ["s-none", "not compared"]];

// What several layers show as one shape: the worst of their rows.
function worstOf(rows, levelOf) {
  const order = toleranceLevels.map(([level]) => level).slice(0, 4);
  const worst = rows.reduce((most, row) => Math.max(most, order.indexOf(levelOf(row))), -1);
  return { level: worst < 0 ? "s-none" : order[worst], class: rows.some((row) => !row.passed) ? "wrong" : "" };
}
const toleranceLevel = (r) => (r <= 0.1 ? "s-0" : r <= 1 ? "s-1" : r <= 10 ? "s-3" : "s-4");
const toleranceRatio = (distance, tolerance) => (distance === null || distance === undefined ? null : distance / (tolerance || Number.MIN_VALUE));

// Each layer's largest distance over its tolerance, on a logarithmic axis: right of the line is beyond it.
function distancePlot(rows, ratio, first) {
  const left = isNarrow ? 126 : 210;
  const [width, rowHeight, top] = [isNarrow ? 350 : 640, 22, 34];
  const bottom = top + rows.length * rowHeight;
  const known = rows.map(ratio).filter((r) => r !== null && r > 0);
  const low = Math.min(-2, Math.max(-9, Math.floor(Math.log10(Math.min(1, ...known)))));
  const high = Math.max(1, Math.min(12, Math.ceil(Math.log10(Math.max(1, ...known)))));
  const x = (r) => left + ((Math.min(high, Math.max(low, Math.log10(r))) - low) / (high - low)) * (width - left - 24);
  const marks = [];
  const step = Math.max(1, Math.ceil((high - low) / (isNarrow ? 4 : 7)));
  for (let p = low; p <= high; p += 1) if (p % step === 0) marks.push(p);
  return svg("svg", { class: "plot", viewBox: `0 0 ${width} ${bottom + 8}`, role: "img", "aria-label": "The largest distance of each layer as a part of its tolerance; the table below has the numbers" },
    marks.map((p) => [svg("line", { class: "grid", x1: x(10 ** p), x2: x(10 ** p), y1: top - 4, y2: bottom }),
      svg("text", { class: "small", x: x(10 ** p), y: 26, "text-anchor": "middle" }, p === 0 ? "1" : Math.abs(p) < 4 ? String(Number((10 ** p).toPrecision(1))) : "1e" + p)]),
    svg("text", { class: "small", x: width - 24, y: 11, "text-anchor": "end" }, "distance / tolerance"),
    svg("line", { class: "limit", x1: x(1), x2: x(1), y1: top - 4, y2: bottom }),
    rows.map((row, i) => {
      const y = top + i * rowHeight + rowHeight / 2;
      const r = ratio(row);
      const over = row.passed ? "" : " over";
      return [svg("text", { x: left - 12, y: y + 4, "text-anchor": "end", class: row === first ? "title" : null }, clipped(row.name, isNarrow ? 14 : 25)),
        r === null ? svg("text", { class: "small", x: left + 4, y: y + 4 }, "not finite")
          : r === 0 ? svg("circle", { class: "dot" + over, cx: left, cy: y, r: 4 })
            : [svg("line", { class: "stem" + over, x1: left, x2: x(r), y1: y, y2: y }), svg("circle", { class: "dot" + over, cx: x(r), cy: y, r: 4.5 })]];
    }));
}

// The same of many layers, some at a time: those around the first that is wrong at first.
function distancePlots(layers, ratio, first) {
  const shown = 30;
  const last = layers.length - shown;
  let start = Math.max(0, Math.min((first ? layers.indexOf(first) : 0) - 8, last));
  const plot = el("div", { class: "plot-scroll" });
  const range = el("span", { class: "quiet", role: "status" });
  const turn = (step) => {
    start = Math.max(0, Math.min(start + step, last));
    const rows = layers.slice(start, start + shown);
    plot.replaceChildren(distancePlot(rows, ratio, first));
    range.textContent = `layers ${start + 1} to ${start + rows.length} of ${grouped(layers.length)}`;
  };
  turn(0);
  return [layers.length > shown ? el("div", { class: "tools" }, el("button", { type: "button", onclick: () => turn(-shown) }, "Earlier"), el("button", { type: "button", onclick: () => turn(shown) }, "Later"), range) : null, plot];
}

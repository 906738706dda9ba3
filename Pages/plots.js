// Plots: axes with few, round numbers, and what they show also in a table or a sentence beside them.

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
  const [width, height, left, bottom, top] = [560, 190, 58, 34, 12];
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
  const scale = found.high === found.low ? { values: [found.low], step: Math.abs(found.low) || 1 } : ticks(found.low, found.high, 6);
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
  const [width, height, left, bottom, top] = [600, 270, 56, 44, 28];
  const xs = points.map((p) => p.x);
  const [lowX, highX] = [Math.min(...xs), Math.max(...xs)];
  const lowY = Math.max(0, Math.min(...points.map((p) => p.low)) - 0.02);
  const highY = Math.min(1, Math.max(...points.map((p) => p.high)) + 0.02);
  const px = (v) => left + (highX === lowX ? 0.5 : (v - lowX) / (highX - lowX)) * (width - left - 16);
  const py = (v) => top + (1 - (v - lowY) / (highY - lowY || 1)) * (height - top - bottom);
  const line = (key, list) => list.map((p, i) => (i ? "L" : "M") + px(p.x).toFixed(1) + " " + py(p[key]).toFixed(1)).join("");
  const band = line("high", points) + line("low", [...points].reverse()).replace("M", "L") + "z";
  const [tx, ty] = [ticks(lowX, highX, 8), ticks(lowY, highY, 5)];
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

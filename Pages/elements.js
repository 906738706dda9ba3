// What a page is made of. Texts get into the document as text nodes and attributes alone: nothing that a model says is
// ever read as markup.

const report = JSON.parse(document.getElementById("report").textContent);
const data = JSON.parse(document.getElementById("page-data").textContent);

// Characters that show nothing, or turn the text around them, are shown by their numbers.
const invisible = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const visible = (text) =>
  String(text).replace(invisible, (c) => "\\u{" + c.codePointAt(0).toString(16) + "}");

function append(parent, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    parent.append(child instanceof Node ? child : document.createTextNode(visible(child)));
  }
  return parent;
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : visible(value));
  }
  return append(element, children);
}

const el = (tag, attributes, ...children) =>
  fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

// A name that comes from a model.
const nameOf = (text) => el("span", { class: "name" }, text);
// The same where there is little room; all of it is the title.
const shortName = (text, length = 44) =>
  el("span", { class: "name", title: Array.from(text).length > length ? text : null }, clipped(text, length));
const codeOf = (text) => el("span", { class: "name code" }, text);
const clipped = (text, length) => {
  const letters = Array.from(visible(text));
  if (letters.length <= length) return letters.join("");
  const end = Math.floor((length - 1) / 2);
  return letters.slice(0, length - 1 - end).join("") + "…" + letters.slice(letters.length - end).join("");
};

// Numbers, written as netconv's tables write them.
const grouped = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ",");
function significant(value) {
  if (value === null || value === undefined) return "-";
  if (typeof value === "string") return value;
  if (value === 0) return "0";
  const exponent = Number(Math.abs(value).toExponential(3).split("e")[1]);
  if (exponent >= -4 && exponent < 6) return value.toFixed(Math.max(0, 3 - exponent));
  const [mantissa, power] = value.toExponential(3).split("e");
  return mantissa + "e" + Number(power);
}
const fixed = (digits) => (value) =>
  value === null || value === undefined ? "-" : value.toFixed(digits);
function bytes(value) {
  let unit = "B";
  let amount = value;
  for (const next of ["kB", "MB", "GB", "TB"]) {
    if (amount < 1000) break;
    amount /= 1000;
    unit = next;
  }
  return unit === "B" ? value + " B" : amount.toFixed(1) + " " + unit;
}
const shapeText = (shape, unknown = "None") =>
  shape ? "(" + shape.map((n) => (n === null ? unknown : n)).join(", ") + ")" : "-";
const plural = (count, one, many = one + "s") => grouped(count) + " " + (count === 1 ? one : many);

// A number of the report, or with `page:` in front of what the page has besides: `data-from` is its place there, as a JSON
// pointer, so that anybody can compare the two.
function num(pointer, format = significant) {
  const value = at(pointer);
  return el("span", { class: "num", "data-from": pointer, title: value === null || value === undefined ? null : String(value) }, format(value));
}
function at(pointer) {
  let value = pointer.startsWith("page:") ? data : report;
  for (const part of pointer.split("/").slice(1)) {
    if (value === null || value === undefined) return undefined;
    value = value[part];
  }
  return value;
}
// A number that is computed of others.
const made = (value, format = significant) =>
  el("span", { class: "made", title: value === null || value === undefined ? null : String(value) }, format(value));

// A section with its heading, and a link to it.
const sections = el("ul");
document.getElementById("sections").append(sections);
function section(id, title, ...children) {
  const heading = el("h2", { id: id + "-title" }, title);
  const element = el("section", { id, "aria-labelledby": id + "-title" }, heading, ...children);
  sections.append(el("li", null, el("a", { href: "#" + id }, title)));
  document.getElementById("content").append(element);
  return element;
}

function facts(pairs) {
  return el("dl", { class: "facts" }, pairs.filter(Boolean).map(([name, ...value]) =>
    [el("dt", null, name), el("dd", null, ...value)]));
}

// How many arrays of A or B are no weights, and so in no table.
const leftOut = (side) => report[side].leftOut > 0 && ["left out (not weights)", num(`/${side}/leftOut`, grouped)];

// What is said to a screen reader when something changes.
const announcer = el("p", { class: "visually-hidden", role: "status" });
document.body.append(announcer);
const announce = (text) => { announcer.textContent = visible(text); };

// Bytes of the page's data.
function decoded(text) {
  const binary = atob(text);
  const result = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i += 1) result[i] = binary.charCodeAt(i);
  return result;
}

// Blue below zero, white, orange above; bytes from 0 to 255, and zero at 127.5.
function diverging(byte) {
  const t = (byte - 127.5) / 127.5;
  const s = Math.min(1, Math.abs(t));
  const end = t < 0 ? [33, 88, 168] : [196, 78, 12];
  return end.map((c) => Math.round(255 + (c - 255) * s));
}

// A picture on a canvas, each pixel `scale` wide; `color` says what a gray byte looks like.
function picture(image, scale, label, color) {
  const canvas = el("canvas", { width: image.width * scale, height: image.height * scale, role: "img", "aria-label": label });
  const context = canvas.getContext("2d");
  const small = new ImageData(image.width, image.height);
  const source = decoded(image.pixels);
  for (let i = 0; i < image.width * image.height; i += 1) {
    const rgb = image.channels === 3
      ? [source[3 * i], source[3 * i + 1], source[3 * i + 2]]
      : color ? color(source[i]) : [source[i], source[i], source[i]];
    small.data.set([...rgb, 255], 4 * i);
  }
  if (scale === 1) {
    context.putImageData(small, 0, 0);
    return canvas;
  }
  const sheet = document.createElement("canvas");
  sheet.width = image.width;
  sheet.height = image.height;
  sheet.getContext("2d").putImageData(small, 0, 0);
  context.imageSmoothingEnabled = false;
  context.drawImage(sheet, 0, 0, canvas.width, canvas.height);
  return canvas;
}

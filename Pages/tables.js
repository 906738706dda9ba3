// Tables that are read a page at a time, so that thousands of rows are a few elements.

const tablePageSize = 25;

// `columns`: {title, right, head, cell(row, index) -> node or text, value(row) -> what is sorted by, search(row) -> text}.
function table(caption, columns, rows, options = {}) {
  const size = options.pageSize || tablePageSize;
  let order = rows.map((_, index) => index);
  let page = 0;
  let sorted = null;
  let wanted = "";
  const body = el("tbody");
  const heads = columns.map((column, place) => {
    const sortable = rows.length > 1 && column.value;
    return el("th", { scope: "col", class: column.right ? "right" : null },
      sortable ? el("button", { type: "button", onclick: () => sort(place) }, column.title) : column.title);
  });
  const element = el("table", null, el("caption", null, caption), el("thead", null, el("tr", null, heads)), body);
  const position = el("span", { class: "quiet", role: "status" });
  const previous = el("button", { type: "button", onclick: () => turn(-1) }, "Previous");
  const next = el("button", { type: "button", onclick: () => turn(1) }, "Next");
  const search = el("input", { type: "search", id: unique("find"), oninput: () => { wanted = search.value.toLowerCase(); page = 0; filter(); } });
  const tools = el("div", { class: "tools" },
    el("label", { for: search.id }, options.searchLabel || "Find in the table"), search, el("span", { class: "grow" }), position, previous, next);

  function filter() {
    order = rows.map((_, index) => index).filter((index) =>
      !wanted || columns.some((c) => c.search && String(c.search(rows[index], index)).toLowerCase().includes(wanted)));
    if (sorted) {
      const { value } = columns[sorted.place];
      const rank = (index) => { const v = value(rows[index], index); return v === null || v === undefined ? -Infinity : v; };
      order.sort((a, b) => {
        const [x, y] = [rank(a), rank(b)];
        return (x < y ? -1 : x > y ? 1 : a - b) * (sorted.down ? -1 : 1);
      });
    }
    show();
  }
  function sort(place) {
    sorted = sorted && sorted.place === place ? (sorted.down === Boolean(columns[place].right) ? { place, down: !sorted.down } : null) : { place, down: Boolean(columns[place].right) };
    heads.forEach((head, index) => {
      if (sorted && index === sorted.place) head.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    page = 0;
    filter();
  }
  function turn(step) {
    page += step;
    show();
  }
  function show() {
    const pages = Math.max(1, Math.ceil(order.length / size));
    page = Math.min(Math.max(0, page), pages - 1);
    const shown = order.slice(page * size, (page + 1) * size);
    body.replaceChildren(...shown.map((index) => {
      const row = el("tr", { class: options.rowClass ? options.rowClass(rows[index], index) : null });
      columns.forEach((column, place) => {
        const isHead = column.head || (place === 0 && column.head !== false);
        row.append(el(isHead ? "th" : "td", { scope: isHead ? "row" : null, class: column.right ? "right" : column.wide ? "name-cell" : null }, column.cell(rows[index], index)));
      });
      return row;
    }));
    position.textContent = order.length === 0 ? "none" : grouped(page * size + 1) + " to " + grouped(page * size + shown.length) + " of " + grouped(order.length);
    previous.disabled = page === 0;
    next.disabled = page >= pages - 1;
  }
  show();
  const scroll = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, element);
  const wrapper = el("div", { class: "table" }, rows.length > size ? tools : null, scroll);
  // Shows the row of an index, on whichever page it is.
  wrapper.showRow = (index) => {
    wanted = "";
    search.value = "";
    filter();
    page = Math.floor(order.indexOf(index) / size);
    show();
  };
  return wrapper;
}

let uniqueCount = 0;
const unique = (stem) => stem + "-" + (uniqueCount += 1);

const tabulated = (caption, head, rows) =>
  el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el("table", null, el("caption", null, caption),
      el("thead", null, el("tr", null, head.map(([title, right]) => el("th", { scope: "col", class: right ? "right" : null }, title)))),
      el("tbody", null, rows.map((row) => el("tr", null, row.map((cell, i) =>
        el(i === 0 ? "th" : "td", { scope: i === 0 ? "row" : null, class: head[i][1] ? "right" : null }, cell)))))));

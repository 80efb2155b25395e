// Pictures as files, and charts of the tables of chapters.
const SVG = Object.assign(document.createElement("div"), {innerHTML: "<svg></svg>"}).firstChild.namespaceURI;
const SCALE = 3; // pixels of a PNG for each unit of a picture

// A picture as a file of SVG with the page's style; `light` for one that is light on dark screens, too.
function fileOf(picture, light) {
  const {width, height} = picture.viewBox.baseVal, copy = picture.cloneNode(true);
  const style = document.createElementNS(SVG, "style");
  let rules = document.querySelector("style").textContent;
  if (light) rules = rules.replace(/@media \(prefers-color-scheme: dark\) \{[^}]*\} \}/g, "");
  style.textContent = `${rules} svg:root { width: ${SCALE * width}px; height: ${SCALE * height}px; max-width: none; }`;
  copy.prepend(style);
  copy.setAttribute("width", SCALE * width);
  copy.setAttribute("height", SCALE * height);
  return new XMLSerializer().serializeToString(copy);
}
function save(data, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(data);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
async function savePng(picture, name) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(fileOf(picture, true))}`;
  await image.decode();
  const canvas = document.createElement("canvas"), {width, height} = picture.viewBox.baseVal;
  [canvas.width, canvas.height] = [SCALE * width, SCALE * height];
  const drawing = canvas.getContext("2d");
  drawing.fillStyle = "white";
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  drawing.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((data) => save(data, `${name}.png`));
}
// Buttons that save the picture which `shown` returns under the name that `named` returns.
function saving(place, shown, named) {
  const line = put(place, "p", "Save as ", {class: "script-only small"});
  put(line, "button", "SVG", {type: "button"}).addEventListener("click", () =>
    save(new Blob([fileOf(shown(), false)], {type: "image/svg+xml"}), `${named()}.svg`));
  line.append(" ");
  put(line, "button", "PNG", {type: "button"}).addEventListener("click", () => savePng(shown(), named()));
}
const fileName = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 80);
for (const picture of document.querySelectorAll("main svg")) {
  const place = document.createElement("div");
  picture.after(place);
  saving(place, () => picture, () => fileName(picture.getAttribute("aria-label")));
}

// The chart of a column: a row for each of the table, with value, interval and number.
const ROW = 40, LEFT = 8, RIGHT = 250, WIDE = 360, LETTERS = 44;
function chartOf(table, column, title) {
  const drawn = (tag, attributes, text = "") => {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.textContent = text;
    return made;
  };
  const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden).map((row) => {
    const cell = row.cells[column], text = cell.textContent.trim();
    return {label: row.cells[0].textContent.trim(), value: numberOf(cell), text,
            half: Number(text.match(/± ?(?:< )?([\d.]+)/)?.[1] ?? 0), id: cell.querySelector("data")?.dataset.id};
  }).filter((row) => row.value !== undefined);
  const low = Math.min(0, ...rows.map((row) => row.value - row.half));
  const high = Math.max(0, ...rows.map((row) => row.value + row.half));
  const at = (value) => LEFT + (RIGHT - LEFT) * (value - low) / (high - low || 1);
  const picture = drawn("svg", {class: "dots", viewBox: `0 0 ${WIDE} ${ROW * rows.length + 8}`, role: "img",
                                "aria-label": title});
  rows.forEach((row, place) => {
    const middle = ROW * place + 30;
    const label = row.label.length > LETTERS ? `${row.label.slice(0, LETTERS - 1)}…` : row.label;
    const number = drawn("text", {class: "number", x: WIDE - 2, y: middle + 5}, row.text);
    if (row.id) number.dataset.id = row.id;
    picture.append(
      drawn("text", {x: 2, y: middle - 13}, label),
      drawn("path", {class: "fair", d: `M${at(0)} ${middle - 9}V${middle + 9}`}), // not through words
      drawn("path", {class: "interval", d: `M${at(row.value - row.half)} ${middle}H${at(row.value + row.half)}`}),
      drawn("circle", {cx: at(row.value), cy: middle, r: 5}), number);
  });
  return picture;
}
// A chapter's table has a chart of every column with intervals.
for (const table of document.querySelectorAll("article table.sortable")) {
  const rows = [...table.tBodies[0].rows];
  const columns = [...table.tHead.rows[0].cells].filter((head) => head.cellIndex > 0 &&
    rows.filter((row) => /^[^/]*±[^/]*$/.test(row.cells[head.cellIndex].textContent)).length > rows.length / 2);
  if (!columns.length) continue;
  const chart = document.createElement("details");
  chart.className = "script-only";
  (table.closest(".scroll") ?? table).after(chart);
  put(chart, "summary", "Chart, as SVG and PNG");
  const choice = put(put(chart, "label", "Column "), "select");
  for (const head of columns) put(choice, "option", head.textContent, {value: head.cellIndex});
  const place = put(chart, "div");
  const title = () => `${table.closest("article").id}, ${choice.selectedOptions[0].textContent}`;
  const draw = () => { if (chart.open) place.replaceChildren(chartOf(table, Number(choice.value), title())); };
  chart.addEventListener("toggle", draw);
  table.tHead.addEventListener("click", draw); // which sorts
  table.closest("article").addEventListener("input", draw); // of the filter, and of the choice
  saving(chart, () => place.firstChild, () => fileName(title()));
}

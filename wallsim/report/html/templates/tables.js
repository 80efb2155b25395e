"use strict";
document.documentElement.classList.add("scripts");

// The number of a cell, undefined for a text; a dash and nothing are no text.
function numberOf(cell) {
  const given = cell.dataset.value ?? cell.querySelector("data")?.value;
  if (given !== undefined) return Number(given);
  const found = cell.textContent.trim().match(/^[<>≤≥]? ?([+−-]?\d[\d,]*(?:\.\d+)?)(?:[ %].*)?$/);
  return found ? Number(found[1].replace("−", "-").replaceAll(",", "")) : undefined;
}
const isEmpty = (cell) => ["", "–"].includes(cell.textContent.trim());

// An element with a text and attributes, at the end of another.
function put(parent, tag, text = "", attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent.append(made);
  return made;
}

// Tables whose heads sort them, by number where no cell of the column has a text; cells with neither come last.
const FILTERED = 8; // rows: with as many a table has a filter
for (const table of document.querySelectorAll("table.sortable")) {
  table.querySelectorAll("thead th").forEach((head) => {
    if (head.classList.contains("script-only")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.replaceChildren(button);
    let falling = false;
    button.addEventListener("click", () => {
      const body = table.tBodies[0], column = head.cellIndex, cell = (row) => row.cells[column];
      const rows = [...body.rows];
      const numbers = rows.every((row) => isEmpty(cell(row)) || numberOf(cell(row)) !== undefined);
      falling = !falling;
      const sign = falling ? -1 : 1;
      rows.sort((one, other) => isEmpty(cell(one)) - isEmpty(cell(other)) || sign * (numbers
        ? numberOf(cell(one)) - numberOf(cell(other)) || 0
        : cell(one).textContent.trim().localeCompare(cell(other).textContent.trim())));
      body.append(...rows);
      table.querySelectorAll("th").forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", falling ? "descending" : "ascending");
    });
  });
  if (table.tBodies[0].rows.length < FILTERED) continue;
  const line = document.createElement("p");
  line.className = "script-only";
  (table.closest(".scroll") ?? table).before(line);
  const words = put(put(line, "label", "Rows with "), "input", "", {type: "search"});
  words.addEventListener("input", () => {
    const wanted = words.value.trim().toLowerCase();
    for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
}

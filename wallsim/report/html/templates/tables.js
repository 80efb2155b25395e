"use strict";
document.documentElement.classList.add("scripts");

// Tables whose heads sort them: by number where every cell of the column has one.
for (const table of document.querySelectorAll("table.sortable")) {
  table.querySelectorAll("thead th").forEach((head, column) => {
    if (head.classList.contains("script-only")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    let falling = false;
    button.addEventListener("click", () => {
      const body = table.tBodies[0];
      const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
      const rows = [...body.rows];
      const numbers = rows.every((row) => key(row) !== "" && !Number.isNaN(Number(key(row))));
      falling = !falling;
      rows.sort((one, other) =>
        (numbers ? Number(key(one)) - Number(key(other)) : key(one).localeCompare(key(other))) * (falling ? -1 : 1));
      body.append(...rows);
      table.querySelectorAll("th").forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", falling ? "descending" : "ascending");
    });
  });
}

// Draft help: the open counties, the best first.
const counties = document.getElementById("counties");
if (counties) {
  const play = document.getElementById("play");
  const ranking = document.getElementById("ranking");
  const rows = [...counties.tBodies[0].rows];
  const whose = (row) => row.querySelector("select").value;
  const [own, other, region] = ranking.dataset.rules.split(" ").map(Number);
  // As the study's drafter by a table counts: worth, own and others' neighbours, own counties of the region.
  const promise = (row) => {
    let sum = Number(row.dataset.worths.split(" ")[Number(play.value)]);
    for (const code of row.dataset.beside.split(" ").filter(Boolean)) {
      const owner = whose(document.getElementById(code));
      sum += owner === "mine" ? own : owner === "theirs" ? other : 0;
    }
    const same = rows.filter((each) => whose(each) === "mine" && each.dataset.region === row.dataset.region);
    return sum + region * same.length;
  };
  const rank = () => {
    const open = rows.filter((row) => whose(row) === "open").map((row) => [promise(row), row]);
    open.sort((one, two) => two[0] - one[0]);
    const lines = open.map(([sum, row]) => {
      const width = row.cells[2 + Number(play.value)].textContent.split("±")[1] ?? "";
      const shown = `${sum < 0 ? "−" : "+"}${Math.abs(sum).toFixed(2)}`;
      return `${row.dataset.name}: ${shown}${width && ` ±${width}`} VP`;
    });
    if (!lines.length) lines.push("No card is open yet.");
    ranking.replaceChildren(...lines.map((text) => Object.assign(document.createElement("li"), {textContent: text})));
  };
  counties.addEventListener("change", rank);
  play.addEventListener("change", rank);
  document.getElementById("clear").addEventListener("click", () => {
    counties.querySelectorAll("select").forEach((each) => { each.selectedIndex = 0; });
    rank();
  });
  rank();
}

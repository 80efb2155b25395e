// Line-ups: of all tables that the page has, the one that is chosen.
const choices = document.getElementById("lineup-choices");
if (choices) {
  const [players, play, tower] = choices.querySelectorAll("select");
  const cells = [...document.querySelectorAll("details.cell")];
  const show = () => {
    // Some bots play under one tower alone.
    const known = (each) => cells.some((cell) => cell.dataset.cell === `${play.value}/${each.value}`);
    for (const each of tower.options) each.disabled = !known(each);
    if (!known(tower)) tower.value = [...tower.options].find(known).value;
    for (const size of document.querySelectorAll(".size")) size.hidden = size.dataset.players !== players.value;
    for (const cell of cells) {
      cell.hidden = cell.dataset.cell !== `${play.value}/${tower.value}`;
      cell.open = !cell.hidden;
    }
  };
  choices.addEventListener("change", show);
  show();
}

// Line-ups: of all tables that the page has, the one that is chosen.
const choices = document.getElementById("lineup-choices");
if (choices) {
  const show = () => {
    const [players, play, tower] = [...choices.querySelectorAll("select")].map((each) => each.value);
    for (const size of document.querySelectorAll(".size")) size.hidden = size.dataset.players !== players;
    for (const cell of document.querySelectorAll("details.cell")) {
      cell.hidden = cell.dataset.cell !== `${play}/${tower}`;
      cell.open = !cell.hidden;
    }
  };
  choices.addEventListener("change", show);
  show();
}

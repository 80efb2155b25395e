// Draft help: the open cards and the top of the deck, the best first; and what colours the map.
const draftData = document.getElementById("draft-data");
if (draftData) {
  const {ground, layers} = JSON.parse(draftData.textContent);
  const drafter = document.getElementById("drafter");
  const ranking = document.getElementById("ranking");
  const whose = [...document.querySelectorAll("#counties select")];
  const fields = [...document.querySelectorAll("#counties [data-armies]")];
  const named = (owner) => whose.filter((each) => each.value === owner).map((each) => each.dataset.county);
  const points = (value) => `${value < -0.005 ? "−" : value < 0.005 ? "" : "+"}${Math.abs(value).toFixed(2)}`;
  const counted = (each) => [
    each.own && `beside ${each.own} of yours`, each.foreign && `beside ${each.foreign} of others`,
    each.region && `${each.region} of its region yours`,
  ].filter(Boolean).join(", ");

  const armies = () => Object.fromEntries(
    fields.filter((each) => each.value && each.validity.valid).map((each) => [each.dataset.armies, each.valueAsNumber]),
  );

  const lines = (rule, mine, theirs, open) => {
    if (!open.length) return ["No card is open yet."];
    if (mine.length >= ground.groups) return ["You have all your counties."];
    const {shown, deck} = promisesOf(ground, rule, mine, theirs, open, armies());
    const known = shown.map((each) => ({...each, words: each.name, why: counted(each)}));
    if (deck.count) known.push({...deck, words: "Top of the deck", why: `expected of the ${deck.count} counties left`});
    // The sort keeps the order of equal ones, and the deck comes last.
    known.sort((one, other) => other.value - one.value);
    const best = known[0];
    return known.map((each) => {
      const why = each.why && ` (${each.why})`;
      // A bot's estimate only says how much it likes one card more than another.
      if (rule.weights) return `${each.words}: ${each === best ? "first" : `${points(each.value - best.value)} VP`}${why}`;
      const same = each !== best && best.value - best.half <= each.value + each.half;
      const told = same ? "; not known to differ from the first" : "";
      return `${each.words}: ${points(each.value)} ± ${each.half.toFixed(2)} VP${why}${told}`;
    });
  };
  const rank = () => {
    const rule = ground.rules[drafter.value];
    // Armies stand in counties that somebody owns; the table does not count them.
    whose.forEach((each, place) => { fields[place].hidden = !rule.weights || !["mine", "theirs"].includes(each.value); });
    const texts = lines(rule, named("mine"), named("theirs"), named("open"));
    ranking.replaceChildren(...texts.map((text) => Object.assign(document.createElement("li"), {textContent: text})));
  };
  document.getElementById("counties").addEventListener("change", rank);
  drafter.addEventListener("change", rank);
  document.getElementById("clear").addEventListener("click", () => {
    whose.forEach((each) => { each.selectedIndex = 0; });
    fields.forEach((each) => { each.value = ""; });
    rank();
  });
  rank();

  const layer = document.getElementById("layer");
  const colour = () => {
    const {classes, words, ids} = layers[layer.value];
    for (const link of document.querySelectorAll("svg.map a")) {
      const name = link.dataset.county;
      link.setAttribute("class", classes[name]);
      const title = link.querySelector("title");
      title.textContent = `${name}: ${words[name]}`;
      title.dataset.id = ids.replace("COUNTY", name.replace(/[^\p{L}-]+/gu, "-"));
    }
    document.querySelector("svg.map").setAttribute("aria-label", `Map of the counties, coloured by ${layer.value}`);
  };
  layer.addEventListener("change", colour);
  colour();
}

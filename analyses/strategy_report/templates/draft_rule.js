// How good each county is for you now, as the drafter by a table of the study `draft` counts.
// `ground` and `table` are those of the page's data; `mine`, `theirs` and `open` are lists of names.
function promisesOf(ground, table, mine, theirs, open) {
  const names = Object.keys(ground.counties);
  const others = ground.players - 1;
  const regionOf = (name) => ground.counties[name].region;
  const free = names.filter((name) => !mine.includes(name) && !theirs.includes(name));
  // The chances that an open neighbour comes to you, and to another player.
  const toMe = (ground.groups - mine.length - 1) / free.length;
  const toThem = (ground.groups * others - theirs.length) / free.length;
  // A border costs both of its seats, so against the table's mean it costs less.
  const border = table.border.map((each) => each * (others - 1) / others);

  const promise = (name) => {
    const beside = ground.counties[name].beside;
    const own = beside.filter((each) => mine.includes(each)).length;
    const foreign = beside.filter((each) => theirs.includes(each)).length;
    const region = mine.filter((each) => regionOf(each) === regionOf(name)).length;
    const undecided = beside.length - own - foreign;
    // A worth holds with the neighbours that a deal brings on average.
    const dealt = (ground.groups - 1) / (names.length - 2);
    const inRegion = names.filter((each) => each !== name && regionOf(each) === regionOf(name)).length;
    const counts = [
      [own + toMe * undecided - beside.length * dealt, table.own],
      [foreign + toThem * undecided - beside.length * ground.groups * others / (names.length - 2), border],
      [region - inRegion * dealt, table.region],
    ];
    const [worth, half] = table.worths[name];
    return {
      name, own, foreign, region,
      value: counts.reduce((sum, [count, [value]]) => sum + count * value, worth),
      half: counts.reduce((sum, [count, [, width]]) => sum + Math.abs(count) * width, half),
    };
  };

  const shown = open.map(promise);
  const hidden = free.filter((name) => !open.includes(name)).map(promise);
  const mean = (key) => hidden.reduce((sum, each) => sum + each[key], 0) / Math.max(1, hidden.length);
  return {shown, deck: {value: mean("value"), half: mean("half"), count: hidden.length}};
}

// The place in `open` of the card to take, or that of none, `open.length`, for the top of the deck.
function cardToTake(ground, table, mine, theirs, open) {
  const {shown, deck} = promisesOf(ground, table, mine, theirs, open);
  const best = Math.max(...shown.map((each) => each.value));
  return best < deck.value ? open.length : shown.findIndex((each) => each.value === best);
}

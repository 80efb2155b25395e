// How good each county is for you now, by a rule of the page's data: that of a bot's own drafter, or of the table.
// `ground` and `rule` are those of the page's data; `mine`, `theirs` and `open` are lists of names; `armies` are those
// of counties by name, where they are known: elsewhere as many as in the mean group.
function promisesOf(ground, rule, mine, theirs, open, armies = {}) {
  const names = Object.keys(ground.counties);
  const free = names.filter((name) => !mine.includes(name) && !theirs.includes(name));
  // The groups still to come to you, beyond that of the county itself, and to others.
  const left = {mine: ground.groups - mine.length - 1, theirs: ground.groups * (ground.players - 1) - theirs.length};
  const armiesIn = (counties) => counties.reduce((sum, each) => sum + (armies[each] ?? ground.army), 0);
  const around = (name) => {
    const {beside, region} = ground.counties[name];
    const there = names.filter((each) => each !== name && ground.counties[each].region === region);
    const of = (hand) => ({beside: beside.filter((each) => hand.includes(each)),
                           there: there.filter((each) => hand.includes(each))});
    return {own: of(mine), foreign: of(theirs), free: of(free), all: {beside, there}};
  };
  const promise = rule.weights ? byDrafter(rule, left, free.length, armiesIn) : byTable(ground, rule, left, free.length);
  const promised = (name) => {
    const {own, foreign, ...rest} = around(name);
    const counts = {own: own.beside.length, foreign: foreign.beside.length, region: own.there.length};
    return {name, ...counts, ...promise(name, {own, foreign, ...rest})};
  };

  const shown = open.map(promised);
  const hidden = free.filter((name) => !open.includes(name)).map(promised);
  const mean = (key) => hidden.reduce((sum, each) => sum + each[key], 0) / Math.max(1, hidden.length);
  const deck = {value: mean("value") + (rule.weights?.deck ?? 0), half: mean("half"), count: hidden.length};
  return {shown, deck};
}

// As the engine's drafter of a bot counts, by its weights; the sum has the engine's order, so that equal cards tie.
function byDrafter({worths, weights}, left, free, armiesIn) {
  return (name, {own, foreign, free: {beside, there}}) => {
    let value = worths[name] + weights.own * own.beside.length;
    value += weights.armies * armiesIn(foreign.beside) + weights.ownArmies * armiesIn(own.beside);
    let around = weights.rivals * foreign.beside.length + weights.free * beside.length;
    around += weights.region * own.there.length + weights.rivalsInRegion * foreign.there.length;
    const mine = weights.own * beside.length + weights.region * there.length;
    const theirs = weights.rivals * beside.length + weights.rivalsInRegion * there.length;
    around += weights.later * (Math.max(0, left.mine) * mine + left.theirs * theirs) / Math.max(1, free - 1);
    return {value: value + around, half: 0};
  };
}

// As the drafter by a table of the study `draft` counts, with half-widths.
function byTable(ground, table, left, free) {
  const others = ground.players - 1;
  const counties = Object.keys(ground.counties).length;
  // A worth holds with the neighbours that a deal brings on average.
  const dealt = (ground.groups - 1) / (counties - 2);
  const dealtToOthers = ground.groups * others / (counties - 2);
  // A border costs both of its seats, so against the table's mean it costs less.
  const border = table.border.map((each) => each * (others - 1) / others);
  return (name, {own, foreign, free: open, all}) => {
    const near = all.beside.length;
    const counts = [
      [own.beside.length + left.mine / free * open.beside.length - near * dealt, table.own],
      [foreign.beside.length + left.theirs / free * open.beside.length - near * dealtToOthers, border],
      [own.there.length - all.there.length * dealt, table.region],
    ];
    const [worth, half] = table.worths[name];
    return {
      value: counts.reduce((sum, [count, [value]]) => sum + count * value, worth),
      half: counts.reduce((sum, [count, [, width]]) => sum + Math.abs(count) * width, half),
    };
  };
}

// The place in `open` of the card to take, or that of none, `open.length`, for the top of the deck.
function cardToTake(ground, rule, mine, theirs, open, armies) {
  const {shown, deck} = promisesOf(ground, rule, mine, theirs, open, armies);
  const best = Math.max(...shown.map((each) => each.value));
  return best < deck.value ? open.length : shown.findIndex((each) => each.value === best);
}

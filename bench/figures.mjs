// From rounds to figures.

export function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

/** How far numbers lie apart, in percent of the middle one. */
export function spread(numbers) {
  return ((Math.max(...numbers) - Math.min(...numbers)) / median(numbers)) * 100;
}

export function summarise(rounds) {
  const middle = (what) => median(rounds.map((round) => round[what]));
  return {
    rate: middle('rate'),
    spread: spread(rounds.map(({ rate }) => rate)),
    p50Ms: middle('p50Ms'),
    p99Ms: middle('p99Ms'),
    processorMicroseconds: middle('processorMicroseconds'),
  };
}

/** How many times the other's a figure is. Round by round, since a round of both saw the same machine. */
export function compare(rounds, others) {
  const ratios = rounds.map(({ rate }, number) => rate / others[number].rate);
  return { ratio: median(ratios), ratioSpread: spread(ratios) };
}

/** A bar that is to be reached, or with `most` not to be passed. Not judged: `held` is undefined, and `why` says why. */
export function bar(name, measured, unit, { least, most, why }) {
  const held = why ? undefined : least === undefined ? measured <= most : measured >= least;
  return { name, measured, unit, least, most, held, why };
}

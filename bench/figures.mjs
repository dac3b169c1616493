export function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

/** Returns the range of the numbers as a percentage of their median. */
export function spread(numbers) {
  return ((Math.max(...numbers) - Math.min(...numbers)) / median(numbers)) * 100;
}

export function summarise(rounds) {
  const medianOf = (figure) => median(rounds.map((round) => round[figure]));
  return {
    rate: medianOf('rate'),
    spread: spread(rounds.map(({ rate }) => rate)),
    p50Ms: medianOf('p50Ms'),
    p99Ms: medianOf('p99Ms'),
    processorMicroseconds: medianOf('processorMicroseconds'),
  };
}

/**
 * Compares the rates round by round, because both sides of a round ran under the same conditions.
 */
export function compare(rounds, baseline) {
  const ratios = rounds.map(({ rate }, round) => rate / baseline[round].rate);
  return { ratio: median(ratios), ratioSpread: spread(ratios) };
}

/**
 * Checks a measurement against a lower bound (`least`) or an upper bound (`most`). If `why` gives a
 * reason to skip the check, `held` is undefined.
 */
export function bar(name, measured, unit, { least, most, why }) {
  const held = why ? undefined : least === undefined ? measured <= most : measured >= least;
  return { name, measured, unit, least, most, held, why };
}

// Statistics over rounds.

export function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}

/** The range in percent of the median. */
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

/** The ratio of the rates, per round, because both sides of a round ran under the same conditions. */
export function compare(rounds, baseline) {
  const ratios = rounds.map(({ rate }, round) => rate / baseline[round].rate);
  return { ratio: median(ratios), ratioSpread: spread(ratios) };
}

/** A lower bound (`least`) or an upper bound (`most`). `why` is the reason not to check it; `held` is then undefined. */
export function bar(name, measured, unit, { least, most, why }) {
  const held = why ? undefined : least === undefined ? measured <= most : measured >= least;
  return { name, measured, unit, least, most, held, why };
}

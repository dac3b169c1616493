/**
 * Returns the path of a roof with upturned eaves. The arguments are half widths and heights of the tips, eaves and
 * ridge around a centre line.
 */
export function roof(
  centre: number,
  tip: number,
  eave: number,
  ridge: number,
  tipY: number,
  eaveY: number,
  ridgeY: number,
): string {
  const left = (half: number) => centre - half;
  const right = (half: number) => centre + half;
  return [
    `M${left(tip)} ${tipY}`,
    `Q${left(tip - 92)} ${tipY + 10} ${left(eave)} ${eaveY}`,
    `H${right(eave)}`,
    `Q${right(tip - 92)} ${tipY + 10} ${right(tip)} ${tipY}`,
    `Q${right(ridge + 40)} ${tipY - 6} ${right(ridge)} ${ridgeY}`,
    `H${left(ridge)}`,
    `Q${left(ridge + 40)} ${tipY - 6} ${left(tip)} ${tipY}Z`,
  ].join('');
}

/** Returns the path of a wall's battlements. */
export function battlements(
  from: number,
  to: number,
  y: number,
  tooth: number,
  height: number,
): string {
  let path = `M${from} ${y + height}`;
  for (let x = from; x < to; x += tooth * 2)
    path += `V${y}H${Math.min(x + tooth, to)}V${y + height}H${Math.min(x + tooth * 2, to)}`;
  return `${path}V${y + height + 4}H${from}Z`;
}

export const portcullisBars = [
  ...[884, 922, 960, 998, 1036, 1074, 1112].map((x) => `M${x} 640V938l4 14 4-14V640`),
  ...[700, 748, 796, 844, 892].map((y) => `M862 ${y}H1138`),
].join('');

/** The positions are deterministic, so that the sky looks the same on every visit. */
export const stars = Array.from({ length: 110 }, (_, index) => ({
  x: ((index * 523 + 97) % 2800) - 400,
  y: ((index * 197) % 680) - 250,
  r: 0.8 + ((index * 7) % 5) / 4,
  light: 0.2 + ((index * 11) % 7) / 12,
}));

// Plots requests per second by number of rows as a log-log SVG, with one line per path.
const [WIDTH, HEIGHT] = [860, 520];
const AREA = { left: 70, right: 610, top: 50, bottom: 460 };
const LABEL_GAP = 17;
// These colours are readable on white and on black.
const INK = '#7d8590';
const COLOURS = ['#e5534b', '#bf8700', '#2da44e', '#139eb3', '#3b8bff', '#a371f7', '#d1519c'];

export function plot(lines) {
  const points = lines.flatMap((line) => line.points);
  const x = axis(
    points.map(({ rows }) => rows),
    AREA.left,
    AREA.right,
  );
  const y = axis(
    points.map(({ service }) => service.rate),
    AREA.bottom,
    AREA.top,
  );
  const drawn = lines.map((line, place) => ({
    ...line,
    colour: COLOURS[place % COLOURS.length],
    dashed: place >= COLOURS.length,
    corners: line.points.map(({ rows, service }) => [x.at(rows), y.at(service.rate)]),
  }));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="13" fill="${INK}">
<title>Requests per second by rows in the path's table</title>
${[...grid(x, y), ...drawn.map(drawLine), ...drawLabels(drawn)].join('\n')}
</svg>
`;
}

/** Returns a logarithmic axis between powers of ten. */
function axis(values, from, to) {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))));
  const at = (value) => from + ((Math.log10(value) - first) / (last - first)) * (to - from);
  const ticks = Array.from({ length: last - first + 1 }, (_, place) => 10 ** (first + place));
  return { at, ticks };
}

function grid(x, y) {
  const { left, right, top, bottom } = AREA;
  const rule = (...ends) =>
    `<path d="${path(ends)}" stroke="${INK}" stroke-opacity="0.3" fill="none"/>`;
  const text = (at, level, anchor, words) =>
    `<text x="${at}" y="${level}" text-anchor="${anchor}">${words}</text>`;
  return [
    ...x.ticks.flatMap((tick) => [
      rule([x.at(tick), top], [x.at(tick), bottom]),
      text(x.at(tick), bottom + 20, 'middle', short(tick)),
    ]),
    ...y.ticks.flatMap((tick) => [
      rule([left, y.at(tick)], [right, y.at(tick)]),
      text(left - 8, y.at(tick) + 4, 'end', short(tick)),
    ]),
    text((left + right) / 2, bottom + 44, 'middle', 'rows in the table'),
    text(left - 40, top - 20, 'start', 'requests per second (chat: records)'),
    text(right + 30, top - 20, 'start', 'path · largest vs smallest'),
  ];
}

function drawLine({ corners, colour, dashed }) {
  const dots = corners.map(([at, level]) => `<circle cx="${at}" cy="${level}" r="3.5"/>`).join('');
  const dash = dashed ? ' stroke-dasharray="6 4"' : '';
  const line = `<path d="${path(corners)}" fill="none" stroke="${colour}" stroke-width="2"${dash}/>`;
  return `<g fill="${colour}">${line}${dots}</g>`;
}

/**
 * Places labels beside the line ends, with a leader from each label to its line. Labels that would
 * overlap are moved apart.
 */
function drawLabels(lines) {
  let lowest = -Infinity;
  const labels = lines
    .map((line) => ({ ...line, end: line.corners.at(-1) }))
    .toSorted((one, other) => one.end[1] - other.end[1])
    .map((line) => ({ ...line, level: (lowest = Math.max(line.end[1], lowest + LABEL_GAP)) }));
  const overhang = Math.max(0, lowest - AREA.bottom);
  return labels.map(({ name, kept, colour, end, level }) => {
    const leader = path([
      end,
      [AREA.right + 8, level - overhang],
      [AREA.right + 24, level - overhang],
    ]);
    return (
      `<path d="${leader}" fill="none" stroke="${colour}" stroke-opacity="0.5" stroke-dasharray="1 3"/>` +
      `<text x="${AREA.right + 30}" y="${level - overhang + 4}" fill="${colour}">${name} · ${kept.toFixed(2)} ×</text>`
    );
  });
}

function path(corners) {
  return `M${corners.map(([at, level]) => `${at.toFixed(1)} ${level.toFixed(1)}`).join('L')}`;
}

function short(number) {
  if (number >= 1e6) return `${number / 1e6} M`;
  return number >= 1000 ? `${number / 1000} k` : String(number);
}

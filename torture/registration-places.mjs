// Registrations, and the places that they took under the cap.

/** The cap is that of a day: a run may go over midnight, and so may a stepped clock. */
export function wrongPlaces(registered, days, cap) {
  const taken = days.reduce((sum, day) => sum + day.taken, 0);
  const most = Math.max(0, ...days.map((day) => day.taken));
  const told = `${registered} registered, ${taken} places taken, ${most} on one day, at most ${cap}`;
  return [
    ...(most > cap ? [['more registrations than the cap', told]] : []),
    ...(registered !== taken ? [['places and registrations differ', told]] : []),
  ];
}

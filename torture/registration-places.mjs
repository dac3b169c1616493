// Compares registrations with the daily counters of the registration cap.

/** The cap applies per day, and a run or a stepped clock may pass midnight. */
export function wrongPlaces(registered, days, cap) {
  const taken = days.reduce((sum, day) => sum + day.taken, 0);
  const most = Math.max(0, ...days.map((day) => day.taken));
  const detail = `${registered} registered, ${taken} counted, at most ${most} per day, cap ${cap}`;
  return [
    ...(most > cap ? [['more registrations than the cap', detail]] : []),
    ...(registered !== taken ? [['wrong count of registrations', detail]] : []),
  ];
}

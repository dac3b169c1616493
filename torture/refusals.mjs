/** A command about a withdrawal prints one of these messages if another change came first. */
export const REFUSED =
  /only an unknown one|reopen it first|only a settled one|another open withdrawal|changed by somebody else/;

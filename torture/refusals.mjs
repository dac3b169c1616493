/** What a command about a withdrawal says if another change came first. */
export const REFUSED =
  /only an unknown one|reopen it first|only a settled one|another open withdrawal|changed by somebody else/;

/** The rules of an e-mailed code. The front end reads them from `/api/config`. */
export const CODE_DIGITS = 6;
export const CODE_VALID_SECONDS = 60;
export const CODE_MAX_ATTEMPTS = 5;

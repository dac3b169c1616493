import { SetMetadata } from '@nestjs/common';

export const BODY_LIMIT = 'body-limit';
export const BODY_OR_QUERY = 'body-or-query';
export const IGNORES_BODY = 'ignores-body';

/** Largest body in bytes, for routes other than the usual 64 KiB. */
export const BodyLimit = (bytes: number) => SetMetadata(BODY_LIMIT, bytes);

/** Reads the fields from the query when there is no body. */
export const BodyOrQuery = () => SetMetadata(BODY_OR_QUERY, true);

/** Never reads the body. */
export const IgnoresBody = () => SetMetadata(IGNORES_BODY, true);

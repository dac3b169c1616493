import { SetMetadata } from '@nestjs/common';

export const BODY_LIMIT = 'body-limit';
export const BODY_OR_QUERY = 'body-or-query';
export const IGNORES_BODY = 'ignores-body';

/** The largest body that a route takes, in bytes, where it is not the usual 64 KiB. */
export const BodyLimit = (bytes: number) => SetMetadata(BODY_LIMIT, bytes);

/** For a route that takes its fields from the query where there is no body. */
export const BodyOrQuery = () => SetMetadata(BODY_OR_QUERY, true);

/** For a route that answers the same whatever the body. */
export const IgnoresBody = () => SetMetadata(IGNORES_BODY, true);

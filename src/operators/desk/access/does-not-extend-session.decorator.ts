import { SetMetadata } from '@nestjs/common';

export const DOES_NOT_EXTEND_SESSION = 'does-not-extend-session';

/** For routes that a page calls by itself: an open tab alone must not keep a session alive. */
export const DoesNotExtendSession = () => SetMetadata(DOES_NOT_EXTEND_SESSION, true);

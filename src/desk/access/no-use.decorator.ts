import { SetMetadata } from '@nestjs/common';

export const NO_USE = 'desk-no-use';

/** For what only a page asks, by itself: it keeps no session alive that nobody uses. */
export const NoUse = () => SetMetadata(NO_USE, true);

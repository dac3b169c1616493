import type {
  AuditLine,
  ChatLine,
  Now,
  PlayerLine,
  PlayerLook,
  PlayerPage,
  RequestStory,
  SeenZone,
  TimelinePage,
  WithdrawalLine,
  WithdrawalStory,
  ZoneLine,
  ZoneRow,
} from '../../desk/src/api/answers.js';
import type { KINDS } from '../../desk/src/players/timeline-kinds.js';
import type { SessionAnswer } from '../../desk/src/session/session.js';
import type { TIMELINE_KINDS } from '../../src/accounts/desk/timeline-place.js';
import type { AccessController } from '../../src/desk/access/access.controller.js';
import type { AuditController } from '../../src/desk/audit/audit.controller.js';
import type { DeskChatController } from '../../src/desk/chat/desk-chat.controller.js';
import type { NowController } from '../../src/desk/now/now.controller.js';
import type { PlayersController } from '../../src/desk/players/players.controller.js';
import type { PlayersService } from '../../src/desk/players/players.service.js';
import type { RequestsController } from '../../src/desk/requests/requests.controller.js';
import type { WithdrawalsController } from '../../src/desk/withdrawals/withdrawals.controller.js';
import type { DeskZonesController } from '../../src/desk/zones/desk-zones.controller.js';

/*
 * What the desk answers has to be what its pages believe (desk/src/api/answers.ts). Nothing runs here: the compiler
 * compares them, as a part of `npm run check:static`. A route may answer more than a page reads, never less.
 */

/** As it arrives in the browser. */
type Json<T> = T extends Date
  ? string
  : T extends ReadonlyArray<infer Item>
    ? Array<Json<Item>>
    : T extends object
      ? { [Key in keyof T]: Json<T[Key]> }
      : T;
type Answer<Controller, Route extends keyof Controller> = Controller[Route] extends (
  ...args: never[]
) => infer Result
  ? Json<Awaited<Result>>
  : never;
type Holds<Believed, Answered extends Believed> = Answered;

type List<Name extends string, Line, Cursor> = Record<Name, Line[]> & { next: Cursor | null };

export type Sessions = [
  Holds<SessionAnswer, Answer<AccessController, 'session'>>,
  Holds<SessionAnswer, Answer<AccessController, 'signIn'>>,
];
export type NowPage = Holds<Now, Answer<NowController, 'look'>>;
export type Players = [
  Holds<List<'players', PlayerLine, string>, Answer<PlayersController, 'find'>>,
  Holds<PlayerPage, Answer<PlayersController, 'page'>>,
  Holds<PlayerPage, Answer<PlayersController, 'disable'>>,
  Holds<PlayerPage, Answer<PlayersController, 'unlock'>>,
  Holds<TimelinePage, Answer<PlayersController, 'timeline'>>,
  Holds<PlayerLook, Answer<PlayersService, 'look'>>,
];
/** All of them, in the same order. */
export type Kinds = [
  Holds<typeof KINDS, typeof TIMELINE_KINDS>,
  Holds<typeof TIMELINE_KINDS, typeof KINDS>,
];
export type Requests = Holds<RequestStory, Answer<RequestsController, 'page'>>;
export type Withdrawals = [
  Holds<List<'withdrawals', WithdrawalLine, number>, Answer<WithdrawalsController, 'find'>>,
  Holds<WithdrawalStory, Answer<WithdrawalsController, 'story'>>,
  Holds<WithdrawalStory, Answer<WithdrawalsController, 'reopen'>>,
  Holds<{ settled: boolean }, Answer<WithdrawalsController, 'settle'>>,
];
export type Zones = [
  Holds<{ zones: ZoneLine[] }, Answer<DeskZonesController, 'list'>>,
  Holds<{ problem: string | null; seen: SeenZone | null }, Answer<DeskZonesController, 'preview'>>,
  Holds<{ row: ZoneRow }, Answer<DeskZonesController, 'set'>>,
  Holds<{ open: string[]; problem: string | null }, Answer<DeskZonesController, 'beforeMerge'>>,
  Holds<
    { results: Array<{ id: number; done: boolean; problem: string | null }> },
    Answer<DeskZonesController, 'setStatus'>
  >,
];
export type Chat = [
  Holds<
    List<'lines', ChatLine, number> & { searched_to: string | null },
    Answer<DeskChatController, 'find'>
  >,
  Holds<{ lines: ChatLine[] }, Answer<DeskChatController, 'around'>>,
];
export type Audit = Holds<List<'events', AuditLine, number>, Answer<AuditController, 'find'>>;

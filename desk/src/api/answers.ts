import type { AccessController } from '../../../src/operators/desk/access/access.controller';
import type { AuditController } from '../../../src/operators/desk/audit/audit.controller';
import type { DeskChatController } from '../../../src/operators/desk/chat/desk-chat.controller';
import type { DashboardController } from '../../../src/operators/desk/dashboard/dashboard.controller';
import type { EventsController } from '../../../src/operators/desk/events/events.controller';
import type { OperatorsController } from '../../../src/operators/desk/operators/operators.controller';
import type { PlayersController } from '../../../src/operators/desk/players/players.controller';
import type { RequestsController } from '../../../src/operators/desk/requests/requests.controller';
import type { DeskServersController } from '../../../src/operators/desk/servers/desk-servers.controller';
import type { WithdrawalsController } from '../../../src/operators/desk/withdrawals/withdrawals.controller';

// Imports only types, so that no server code is bundled.

/** JSON turns dates into strings. */
type Json<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? Json<Item>[]
    : T extends object
      ? { [Key in keyof T]: Json<T[Key]> }
      : T;

/** The response of a route has the type that its handler returns. */
type Answer<Controller, Route extends keyof Controller> = Controller[Route] extends (
  ...args: never[]
) => infer Result
  ? Json<Awaited<Result>>
  : never;

type Session = Answer<AccessController, 'session'>;
/** The response to a sign-in has no settings. */
export type SessionAnswer = Pick<Session, 'operator' | 'token'> & Partial<Session>;
export type Enrolment = Extract<
  Answer<AccessController, 'signIn'>,
  { enrolment: object }
>['enrolment'];

export type Dashboard = Answer<DashboardController, 'load'>;
export type Instance = Dashboard['instances'][number];
export type MailFigures = Pick<Instance, 'slowest_mail' | 'mails_last_10_minutes'>;
export type ActionItem = Dashboard['needs'][number];

export type GuessList = Answer<EventsController, 'guesses'>;
export type PromoterList = Answer<EventsController, 'promoters'>;
export type EventList = Answer<EventsController, 'sent'>;
export type EventEndpoint = EventList['endpoints'][number];
export type MailList = Answer<EventsController, 'mails'>;
export type RefusalList = Answer<EventsController, 'refusals'>;

export type OperatorList = Answer<OperatorsController, 'list'>;
export type OneTimePassword = Answer<OperatorsController, 'add'>;

export type PlayerList = Answer<PlayersController, 'find'>;
export type PlayerListItem = PlayerList['players'][number];
export type PlayerPage = Answer<PlayersController, 'page'>;
export type TimelinePage = Answer<PlayersController, 'timeline'>;
export type TimelineEvent = TimelinePage['events'][number];
export type RequestTrace = Answer<RequestsController, 'page'>;

export type WithdrawalList = Answer<WithdrawalsController, 'find'>;
export type WithdrawalTotals = Answer<WithdrawalsController, 'totals'>;
export type WithdrawalListItem = WithdrawalList['withdrawals'][number];
export type WithdrawalStatus = WithdrawalListItem['status'];
export type WithdrawalDetails = Answer<WithdrawalsController, 'details'>;
export type SettleRequest = NonNullable<WithdrawalListItem['settle_request']>;
export type SettleResult = Answer<WithdrawalsController, 'settle'>;

export type SettlePreview = Answer<WithdrawalsController, 'previewTogether'>;
export type SettleTogetherResult = Answer<WithdrawalsController, 'settleTogether'>;

export type ServerList = Answer<DeskServersController, 'list'>;
export type ServerRequest = ServerList['requests'][number];
export type ServerChangeResult = Answer<DeskServersController, 'set'>;
export type ServerListItem = ServerList['servers'][number];
export type ServerRow = ServerListItem['row'];
export type PublicServer = NonNullable<ServerListItem['seen']>;
export type ServerPreview = Answer<DeskServersController, 'preview'>;
export type ServerResult = Answer<DeskServersController, 'setStatus'>['results'][number];
export type MergePreview = Answer<DeskServersController, 'previewMerge'>;

export type ChatList = Answer<DeskChatController, 'find'>;
export type ChatListItem = ChatList['lines'][number];

export type AuditList = Answer<AuditController, 'find'>;
export type AuditListItem = AuditList['events'][number];

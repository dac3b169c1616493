import type { EnrolmentView, SessionView } from '../../../src/operators/desk/access/access.view';
import type * as audit from '../../../src/operators/desk/responses/audit';
import type * as chat from '../../../src/operators/desk/responses/chat';
import type * as dashboard from '../../../src/operators/desk/responses/dashboard';
import type * as operators from '../../../src/operators/desk/responses/operators';
import type * as players from '../../../src/operators/desk/responses/players';
import type * as withdrawals from '../../../src/operators/desk/responses/withdrawals';
import type * as servers from '../../../src/operators/desk/responses/servers';

// Types only, from files that import no library, so nothing of the server is bundled.

/** As it arrives in the browser. */
type Json<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? Json<Item>[]
    : T extends object
      ? { [Key in keyof T]: Json<T[Key]> }
      : T;

/** The answer to a sign-in has no settings. */
export type SessionAnswer = Pick<SessionView, 'operator' | 'token'> & Partial<SessionView>;

export type Enrolment = EnrolmentView['enrolment'];

export type Dashboard = Json<dashboard.Dashboard>;
export type Instance = Json<dashboard.InstanceSummary>;
export type MailFigures = Pick<Instance, 'slowest_mail' | 'mails_last_10_minutes'>;
export type ActionItem = Json<dashboard.ActionItem>;

export type OperatorList = Json<operators.OperatorList>;
export type OneTimePassword = Json<operators.OneTimePassword>;

export type PlayerList = Json<players.PlayerList>;
export type PlayerListItem = Json<players.PlayerListItem>;
export type PlayerPage = Json<players.PlayerPageResponse>;
export type TimelinePage = Json<players.TimelinePage>;
export type TimelineEvent = Json<players.TimelineEventView>;
export type RequestTrace = Json<players.RequestTrace>;

export type WithdrawalList = Json<withdrawals.WithdrawalList>;
export type WithdrawalListItem = Json<withdrawals.WithdrawalListItem>;
export type WithdrawalStatus = WithdrawalListItem['status'];
export type WithdrawalDetails = Json<withdrawals.WithdrawalDetails>;
export type SettleRequest = Json<withdrawals.SettleRequestView>;
export type SettleResult = Json<withdrawals.SettleResult>;

export type ServerList = Json<servers.ServerList>;
export type ServerRequest = Json<servers.ServerRequest>;
export type ServerChangeResult = Json<servers.ServerChangeResult>;
export type ServerListItem = Json<servers.ServerListItem>;
export type ServerRow = Json<servers.ServerRow>;
export type PublicServer = Json<servers.PublicServer>;
export type ServerPreview = Json<servers.ServerPreviewResponse>;
export type ServerResult = Json<servers.ServerResult>;
export type MergePreview = Json<servers.MergePreview>;

export type ChatList = Json<chat.ChatList>;
export type ChatListItem = Json<chat.ChatListItem>;

export type AuditList = Json<audit.AuditList>;
export type AuditListItem = Json<audit.AuditListItem>;

import type { SessionView } from '../../../src/operators/desk/access/access.view';
import type * as audit from '../../../src/operators/desk/answers/audit';
import type * as chat from '../../../src/operators/desk/answers/chat';
import type * as now from '../../../src/operators/desk/answers/now';
import type * as players from '../../../src/operators/desk/answers/players';
import type * as withdrawals from '../../../src/operators/desk/answers/withdrawals';
import type * as servers from '../../../src/operators/desk/answers/servers';

// Types alone, of files that import no library: nothing of the server is bundled.

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

export type Now = Json<now.Now>;
export type Instance = Json<now.SeenInstance>;
export type MailHour = NonNullable<Instance['mails_last_hour']>;
export type Need = Json<now.Need>;

export type PlayerList = Json<players.PlayerList>;
export type PlayerLine = Json<players.PlayerLine>;
export type PlayerPage = Json<players.PlayerPage>;
export type TimelinePage = Json<players.TimelinePage>;
export type TimelineEvent = Json<players.TimelineEvent>;
export type PlayerLook = Json<players.PlayerLook>;
export type RequestStory = Json<players.RequestStory>;

export type WithdrawalList = Json<withdrawals.WithdrawalList>;
export type WithdrawalLine = Json<withdrawals.WithdrawalLine>;
export type WithdrawalStatus = WithdrawalLine['status'];
export type WithdrawalStory = Json<withdrawals.WithdrawalStory>;
export type SettleRequest = Json<withdrawals.SettleRequest>;
export type Settled = Json<withdrawals.Settled>;

export type ServerList = Json<servers.ServerList>;
export type ServerLine = Json<servers.ServerLine>;
export type ServerRow = Json<servers.ServerRow>;
export type SeenServer = Json<servers.SeenServer>;
export type ServerPreview = Json<servers.ServerPreview>;
export type ServerResult = Json<servers.ServerResult>;
export type MergePreview = Json<servers.MergePreview>;

export type ChatList = Json<chat.ChatList>;
export type ChatLine = Json<chat.ChatLine>;

export type AuditList = Json<audit.AuditList>;
export type AuditLine = Json<audit.AuditLine>;

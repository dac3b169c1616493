import type { SessionView } from '../../../src/desk/access/access.view';
import type * as audit from '../../../src/desk/answers/audit';
import type * as chat from '../../../src/desk/answers/chat';
import type * as now from '../../../src/desk/answers/now';
import type * as players from '../../../src/desk/answers/players';
import type * as withdrawals from '../../../src/desk/answers/withdrawals';
import type * as zones from '../../../src/desk/answers/zones';

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

export type ZoneList = Json<zones.ZoneList>;
export type ZoneLine = Json<zones.ZoneLine>;
export type ZoneRow = Json<zones.ZoneRow>;
export type SeenZone = Json<zones.SeenZone>;
export type ZonePreview = Json<zones.ZonePreview>;
export type ZoneResult = Json<zones.ZoneResult>;
export type MergePreview = Json<zones.MergePreview>;

export type ChatList = Json<chat.ChatList>;
export type ChatLine = Json<chat.ChatLine>;

export type AuditList = Json<audit.AuditList>;
export type AuditLine = Json<audit.AuditLine>;

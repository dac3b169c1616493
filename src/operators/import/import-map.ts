import { Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  IsArray,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { isIdHere } from './old-player.js';
import { isKnownCharset } from './old-text.js';

const Name = () => Matches(/^[^\0`]{1,64}$/, { message: 'must be the name of a table or column' });
const Group = (type: () => new () => object) => (target: object, property: string) => {
  ValidateNested({ message: 'must be a group of `name: value`' })(target, property);
  IsObject({ message: 'must be a group of `name: value`' })(target, property);
  Type(type)(target, property);
};
/** An SQL condition that selects the rows. */
const Where = () => (target: object, property: string) => {
  IsOptional()(target, property);
  IsNotEmpty({ message: 'must be an SQL condition' })(target, property);
  IsString({ message: 'must be an SQL condition' })(target, property);
};
/** Old ids and their new ids. */
const Renumber = () =>
  ValidateBy({
    name: 'renumber',
    validator: {
      validate: (value) =>
        typeof value === 'object' &&
        value !== null &&
        Object.values(value).every((id) => isIdHere(id)),
      defaultMessage: () => 'must be a group of `old id: new id`, from 1 to 2147483647',
    },
  });
const REFERS = { message: 'must be account or id: what the column holds' };
const Charset = () =>
  ValidateBy({
    name: 'charset',
    validator: {
      validate: (value) => typeof value === 'string' && isKnownCharset(value),
      defaultMessage: () => 'must be a character set, such as utf8, gbk, gb18030, big5 or latin1',
    },
  });

class PlayerColumns {
  /** Null: there is none, and `account` must be unique. */
  @IsOptional() @Name() id: string | null = null;
  @Name() account: string;
  @Name() password: string;
  @IsOptional() @Name() email: string | null = null;
  @IsOptional() @Name() registered: string | null = null;
  @IsOptional() @Name() last_login: string | null = null;
  @IsOptional() @Name() last_server: string | null = null;
  @IsOptional() @Name() promoter: string | null = null;
  @IsOptional() @Name() ip: string | null = null;
  @IsOptional() @Name() device: string | null = null;
  @IsOptional() @Name() os: string | null = null;
  @IsOptional() @Name() browse: string | null = null;
}

class BannedColumn {
  @Name() column: string;
  /** As text, in the database's format. */
  @IsArray({ message: 'must be a list' })
  @ArrayNotEmpty({ message: 'must name the values that mean banned' })
  values: Array<string | number>;
}

class Players {
  @Name() table: string;
  @Where() where: string | null = null;
  @Group(() => PlayerColumns) columns: PlayerColumns;
  @IsOptional() @Group(() => BannedColumn) banned: BannedColumn | null = null;
}

class Bans {
  @Name() table: string;
  @Where() where: string | null = null;
  @Name() player: string;
  @IsIn(['account', 'id'], REFERS) refers_to: 'account' | 'id' = 'account';
  /** A ban whose end has passed is ignored. */
  @IsOptional() @Name() until: string | null = null;
  @IsOptional() @Name() reason: string | null = null;
}

class Links {
  @Name() table: string;
  @Where() where: string | null = null;
  @Name() player: string;
  @IsIn(['account', 'id'], REFERS) refers_to: 'account' | 'id' = 'account';
  @Name() connect_id: string;
  @Matches(/^[a-z0-9_-]{1,32}$/, { message: 'must be up to 32 of a-z, 0-9, _ and -' })
  provider = 'forum';
}

class Promoters {
  @Name() table: string;
  @Where() where: string | null = null;
  @Renumber() renumber: Record<string, number> = {};
  @Name() id: string;
  @Name() name: string;
}

class ServerColumns {
  @Name() id: string;
  @Name() name: string;
  @Name() address: string;
  @Name() port: string;
}

class Servers {
  @Name() table: string;
  @Where() where: string | null = null;
  @Renumber() renumber: Record<string, number> = {};
  @Group(() => ServerColumns) columns: ServerColumns;
}

/** The names of the old tables, and what to do about each kind of problem. */
export class ImportMap {
  /** Of the bytes, whatever the table claims. */
  @Charset() charset = 'utf8';

  /** For DATETIME and text; TIMESTAMP and unix times need none. */
  @Matches(/^[+-](?:0\d|1[0-4]):[0-5]\d$/, { message: 'must be an offset such as +08:00' })
  timezone = '+00:00';

  @IsNotEmpty({ message: 'must be there' })
  @Group(() => Players)
  players: Players;

  @IsOptional() @Group(() => Bans) bans: Bans | null = null;
  @IsOptional() @Group(() => Links) links: Links | null = null;
  @IsOptional() @Group(() => Promoters) promoters: Promoters | null = null;
  @IsOptional() @Group(() => Servers) servers: Servers | null = null;

  /** Shown to players whose ban has no reason. */
  @IsNotEmpty({ message: 'must be text' })
  @IsString({ message: 'must be text' })
  ban_reason = 'Banned before the move to this service';

  @IsIn(['suffix', 'keep_most_recent_login', 'keep_lowest_id'], {
    message: 'must be suffix, keep_most_recent_login or keep_lowest_id',
  })
  on_name_collision: 'suffix' | 'keep_most_recent_login' | 'keep_lowest_id' = 'suffix';

  @IsIn(['keep_most_recent_login', 'keep_lowest_id'], {
    message: 'must be keep_most_recent_login or keep_lowest_id',
  })
  on_shared_email: 'keep_most_recent_login' | 'keep_lowest_id' = 'keep_most_recent_login';

  @IsIn(['needs_reset', 'leave_behind'], { message: 'must be needs_reset or leave_behind' })
  on_bad_hash: 'needs_reset' | 'leave_behind' = 'needs_reset';

  @IsIn(['guess', 'leave_behind'], { message: 'must be guess or leave_behind' })
  on_bad_bytes: 'guess' | 'leave_behind' = 'guess';

  @IsOptional()
  @IsString({ message: 'must be text' })
  comment?: string;
}

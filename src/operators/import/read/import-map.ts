import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { plainToInstance, Type } from 'class-transformer';
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
  validateSync,
} from 'class-validator';
import { parseDocument } from 'yaml';
import {
  ConfigurationError,
  describeValidationErrors,
} from '../../../platform/config/configuration-error.js';
import { type DateOrder, isKnownCharset } from './old-values.js';

const MAX_INT = 2_147_483_647;

const Name = () => Matches(/^[^\0`]{1,64}$/, { message: 'must be the name of a table or column' });
const Group = (type: () => new () => object) => (target: object, property: string) => {
  ValidateNested({ message: 'must be a group of `name: value`' })(target, property);
  IsObject({ message: 'must be a group of `name: value`' })(target, property);
  Type(type)(target, property);
};
const Where = () => (target: object, property: string) => {
  IsOptional()(target, property);
  IsNotEmpty({ message: 'must be an SQL condition' })(target, property);
  IsString({ message: 'must be an SQL condition' })(target, property);
};
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
      defaultMessage: () =>
        'must be a character set, such as utf8, gbk, gb18030, big5, latin1 or utf8-twice',
    },
  });

class PlayerColumns {
  /** Without an id column, `account` must be unique. */
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

export class ImportMap {
  /** The bytes are decoded with this character set, even if the old table declares another one. */
  @Charset() charset = 'utf8';

  /** Maps a column, as `table.column`, to a character set other than `charset`. */
  @ValidateBy({
    name: 'charsets',
    validator: {
      validate: (value) =>
        typeof value === 'object' &&
        value !== null &&
        Object.values(value).every((each) => typeof each === 'string' && isKnownCharset(each)),
      defaultMessage: () => 'must be a group of `table.column: character set`',
    },
  })
  charsets: Record<string, string> = {};

  /** The time zone applies only to DATETIME and text, because TIMESTAMP and unix times are in UTC. */
  @Matches(/^[+-](?:0\d|1[0-4]):[0-5]\d$/, { message: 'must be an offset such as +08:00' })
  timezone = '+00:00';

  /** Dates that begin with the year are always read. */
  @IsIn(['ymd', 'dmy', 'mdy'], { message: 'must be ymd, dmy or mdy' })
  date_order: DateOrder = 'ymd';

  @IsNotEmpty({ message: 'must be there' })
  @Group(() => Players)
  players: Players;

  @IsOptional() @Group(() => Bans) bans: Bans | null = null;
  @IsOptional() @Group(() => Links) links: Links | null = null;
  @IsOptional() @Group(() => Promoters) promoters: Promoters | null = null;
  @IsOptional() @Group(() => Servers) servers: Servers | null = null;

  /** Players whose ban has no reason see this text. */
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

/** Returns the character set of a column's bytes. */
export function charsetOf({ charset, charsets }: ImportMap, table: string, column: string | null) {
  return charsets[`${table}.${column}`] ?? charset;
}

export function isIdHere(value: unknown, most = MAX_INT): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;
}

export function readImportMap(file: string): ImportMap {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(file, [`${file} cannot be read (${code})`]);
  }
  return parseImportMap(text, file);
}

/** Parses the map. The error lists all problems at once. */
export function parseImportMap(text: string, source: string): ImportMap {
  const document = parseDocument(text);
  const broken = document.errors.map((error) => error.message.split('\n')[0] ?? error.message);
  if (broken.length > 0) throw mapError(source, broken);
  const given: unknown = document.toJS();
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw mapError(source, ['must be a list of `name: value`']);
  const map = plainToInstance(ImportMap, given);
  const errors = validateSync(map, { whitelist: true, forbidNonWhitelisted: true });
  const problems = describeValidationErrors(errors).map((problem) =>
    problem.replace(/ property \S+ should not exist$/, ' is not known in a map'),
  );
  if (problems.length === 0) problems.push(...contradictions(map));
  if (problems.length > 0) throw mapError(source, problems);
  return map;
}

/** Returns each old table with the columns that the map names, some of which may be null. */
export function namedColumns({ players, bans, links, promoters, servers }: ImportMap) {
  const named: Array<[table: string, columns: Array<string | null>]> = [
    [players.table, [...Object.values(players.columns), players.banned?.column ?? null]],
  ];
  if (bans) named.push([bans.table, [bans.player, bans.until, bans.reason]]);
  if (links) named.push([links.table, [links.player, links.connect_id]]);
  if (promoters) named.push([promoters.table, [promoters.id, promoters.name]]);
  if (servers) named.push([servers.table, Object.values(servers.columns)]);
  return named;
}

function contradictions(map: ImportMap): string[] {
  const { players, bans, links, charsets } = map;
  const problems = Object.entries({ bans, links })
    .filter(([, group]) => group?.refers_to === 'id' && players.columns.id === null)
    .map(([name]) => `${name}.refers_to is id, but players.columns.id is not set`);
  const named = namedColumns(map).flatMap(([table, columns]) =>
    columns.map((column) => `${table}.${column}`),
  );
  for (const column of Object.keys(charsets))
    if (!named.includes(column))
      problems.push(`charsets.${column} is not a table.column of this map`);
  return problems;
}

function mapError(source: string, problems: string[]): ConfigurationError {
  return new ConfigurationError(
    source,
    problems.map((problem) => `${source}: ${problem}`),
  );
}

import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { plainToInstance } from 'class-transformer';
import {
  ArrayNotEmpty,
  IsArray,
  IsIn,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  validateSync,
} from 'class-validator';
import { parseDocument } from 'yaml';
import {
  ConfigurationError,
  describeValidationErrors,
} from '../../../platform/config/configuration-error.js';
import { NestedSettings, validateWith } from '../../../platform/config/validators.js';
import { MAX_INT } from '../../../platform/http/validation/field.decorator.js';
import { type DateOrder, isKnownCharset } from './old-values.js';

const Name = () => Matches(/^[^\0`]{1,64}$/, { message: 'must be the name of a table or column' });
const Group = (type: () => new () => object) =>
  NestedSettings(type, 'must be a group of `name: value`');
const Text = (message = 'must be text') =>
  validateWith('text', message, (value) => typeof value === 'string' && value !== '');
const GroupOf = (message: string, isValid: (value: unknown) => boolean) =>
  validateWith(
    'groupOf',
    message,
    (group) => typeof group === 'object' && group !== null && Object.values(group).every(isValid),
  );
const Renumber = () =>
  GroupOf('must be a group of `old id: new id`, from 1 to 2147483647', (id) => isIdHere(id));
const OneOf = (...words: string[]) =>
  IsIn(words, { message: `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}` });
const isCharset = (value: unknown) => typeof value === 'string' && isKnownCharset(value);

export class OldTable {
  @Name() table: string;
  @IsOptional() @Text('must be an SQL condition') where: string | null = null;
}

export class ReferringTable extends OldTable {
  @Name() player: string;
  @IsIn(['account', 'id'], { message: 'must be account or id: what the column holds' })
  refers_to: 'account' | 'id' = 'account';
}

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

class Players extends OldTable {
  @Group(() => PlayerColumns) columns: PlayerColumns;
  @IsOptional() @Group(() => BannedColumn) banned: BannedColumn | null = null;
}

class Bans extends ReferringTable {
  /** A ban whose end has passed is ignored. */
  @IsOptional() @Name() until: string | null = null;
  @IsOptional() @Name() reason: string | null = null;
}

class Links extends ReferringTable {
  @Name() connect_id: string;
  @Matches(/^[a-z0-9_-]{1,32}$/, { message: 'must be up to 32 of a-z, 0-9, _ and -' })
  provider = 'forum';
}

class Promoters extends OldTable {
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

class Servers extends OldTable {
  @Renumber() renumber: Record<string, number> = {};
  @Group(() => ServerColumns) columns: ServerColumns;
}

export class ImportMap {
  /** The bytes are decoded with this character set, even if the old table declares another one. */
  @validateWith(
    'charset',
    'must be a character set, such as utf8, gbk, gb18030, big5, latin1 or utf8-twice',
    isCharset,
  )
  charset = 'utf8';

  /** Maps a column, as `table.column`, to a character set other than `charset`. */
  @GroupOf('must be a group of `table.column: character set`', isCharset)
  charsets: Record<string, string> = {};

  /** The time zone applies only to DATETIME and text, because TIMESTAMP and unix times are in UTC. */
  @Matches(/^[+-](?:0\d|1[0-4]):[0-5]\d$/, { message: 'must be an offset such as +08:00' })
  timezone = '+00:00';

  /** Dates that begin with the year are valid in any case. */
  @OneOf('ymd', 'dmy', 'mdy') date_order: DateOrder = 'ymd';

  @IsNotEmpty({ message: 'must be there' }) @Group(() => Players) players: Players;

  @IsOptional() @Group(() => Bans) bans: Bans | null = null;
  @IsOptional() @Group(() => Links) links: Links | null = null;
  @IsOptional() @Group(() => Promoters) promoters: Promoters | null = null;
  @IsOptional() @Group(() => Servers) servers: Servers | null = null;

  /** Players whose ban has no reason see this text. */
  @Text() ban_reason = 'Banned before the move to this service';

  @OneOf('suffix', 'keep_most_recent_login', 'keep_lowest_id')
  on_name_collision: 'suffix' | 'keep_most_recent_login' | 'keep_lowest_id' = 'suffix';

  @OneOf('keep_most_recent_login', 'keep_lowest_id')
  on_shared_email: 'keep_most_recent_login' | 'keep_lowest_id' = 'keep_most_recent_login';

  @OneOf('needs_reset', 'leave_behind')
  on_bad_hash: 'needs_reset' | 'leave_behind' = 'needs_reset';

  @OneOf('guess', 'leave_behind') on_bad_bytes: 'guess' | 'leave_behind' = 'guess';

  @IsOptional() @IsString({ message: 'must be text' }) comment?: string;
}

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

export function parseImportMap(text: string, source: string): ImportMap {
  const refuse = (problems: string[]) => {
    const all = problems.map((problem) => `${source}: ${problem}`);
    if (all.length > 0) throw new ConfigurationError(source, all);
  };
  const document = parseDocument(text);
  refuse(document.errors.map((error) => error.message.split('\n')[0] ?? error.message));
  const given: unknown = document.toJS();
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    refuse(['must be a list of `name: value`']);
  const map = plainToInstance(ImportMap, given as object);
  const errors = validateSync(map, { whitelist: true, forbidNonWhitelisted: true });
  refuse(
    describeValidationErrors(errors).map((problem) =>
      problem.replace(/ property \S+ should not exist$/, ' is not known in a map'),
    ),
  );
  refuse(contradictions(map));
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

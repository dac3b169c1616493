import { Transform } from 'class-transformer';
import { InvalidRequest } from '../../../platform/http/errors/http.errors.js';
import {
  fieldSchemas,
  FlagField,
  IntegerField,
  MAX_INT,
  oneOf,
  TextField,
  TIME_RULES,
} from '../../../platform/http/validation/field.decorator.js';
import { StrictValidationPipe } from '../../../platform/http/validation/strict-validation.pipe.js';
import {
  GameServer,
  SERVER_STATUSES,
  type ServerStatus,
} from '../../../features/servers/game-server.entity.js';

export type ServerFields = Partial<Omit<GameServer, 'mergedInto'>>;

const DEFAULTS: ServerFields = {
  status: 'maintenance',
  openAt: null,
  gmAddress: null,
  gmPort: 8080,
  gmPath: '/gm',
  dbHost: null,
  dbPort: null,
  group: null,
  recommended: false,
};

/** Returns a server with default values, which follows all others in the list unless `sort` is given. */
export function newServer(fields: ServerFields, others: GameServer[]): GameServer {
  const sort = Math.min(Math.max(0, ...others.map((other) => other.sort)) + 1, MAX_INT);
  return Object.assign(new GameServer(), DEFAULTS, { sort, mergedInto: null }, fields);
}

const NOT_NULL = { optional: true, nullable: false } as const;
const OR_NULL = { optional: true, nullable: true } as const;
/** Rejects characters that hide or reverse other text, because players see these texts. */
const VISIBLE = { pattern: /^\P{C}+$/u, hint: 'must have no control or direction characters' };
const PORT = { min: 1, max: 65_535 };

const Trimmed = () =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** Holds the columns of `server` that operators may set. Merging servers is a separate action. */
export class ServerFieldsDto {
  @IntegerField({ ...NOT_NULL, max: MAX_INT }) id?: number;
  @Trimmed() @TextField({ ...NOT_NULL, ...VISIBLE, max: 64 }) name?: string;
  @Trimmed() @TextField({ ...NOT_NULL, max: 255 }) address?: string;
  @IntegerField({ ...NOT_NULL, ...PORT }) port?: number;
  @TextField({ ...NOT_NULL, ...oneOf(SERVER_STATUSES) }) status?: ServerStatus;
  @IntegerField({ ...NOT_NULL, min: -MAX_INT, max: MAX_INT }) sort?: number;
  @TextField({ ...OR_NULL, ...TIME_RULES }) openAt?: string | null;
  @Trimmed() @TextField({ ...OR_NULL, max: 255 }) gmAddress?: string | null;
  @IntegerField({ ...NOT_NULL, ...PORT }) gmPort?: number;
  @Trimmed() @TextField({ ...NOT_NULL, max: 255 }) gmPath?: string;
  @Trimmed() @TextField({ ...OR_NULL, max: 255 }) dbHost?: string | null;
  @IntegerField({ ...OR_NULL, ...PORT }) dbPort?: number | null;
  @Trimmed() @TextField({ ...OR_NULL, ...VISIBLE, max: 32 }) zoneGroup?: string | null;
  @FlagField('offered to players first', false) recommended?: boolean;
}

export const SERVER_FIELDS = fieldSchemas(ServerFieldsDto);

/** Rejects unknown columns, so that a typo does not look like a success. */
export async function readServerFields(given: unknown): Promise<ServerFields> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new InvalidRequest([{ field: 'fields', message: 'must be an object' }]);
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(SERVER_FIELDS, name));
  if (unknown.length > 0)
    throw new InvalidRequest(
      unknown.map((name) => ({ field: name.slice(0, 64), message: 'is not known' })),
    );
  const dto = await new StrictValidationPipe().transform(given, {
    type: 'body',
    metatype: ServerFieldsDto,
  });
  const { openAt, zoneGroup: group, ...others } = dto as ServerFieldsDto;
  const fields: ServerFields = { ...others, group, openAt: timeOf(openAt) };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function timeOf(text: string | null | undefined): Date | null | undefined {
  return typeof text === 'string' ? new Date(text) : text;
}

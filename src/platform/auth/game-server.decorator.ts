import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension, ApiHeader } from '@nestjs/swagger';
import { Public } from './public.decorator.js';

export const GAME_SERVER = 'game-server';
export const GAME_SERVER_EXTENSION = 'x-game-server';

/** `callback`: signed if a secret is set. `report`: never signed, and open to everybody with `chat.open`. */
export type GameServerRoute = 'callback' | 'report';

const ForGameServers = (kind: GameServerRoute) =>
  applyDecorators(
    Public(),
    SetMetadata(GAME_SERVER, kind),
    ApiExtension(GAME_SERVER_EXTENSION, true),
  );

/** What game servers report: needs an allowed address, unless `chat.open` is set. */
export const GameServerReport = () => ForGameServers('report');

/** A callback for game servers: needs no JWT, but an allowed address and, if a secret is set, a signature. */
export const GameServerCallback = () =>
  applyDecorators(
    ForGameServers('callback'),
    ApiHeader({
      name: 'X-Timestamp',
      required: false,
      description:
        'Unix time in seconds, at most 300 s off; needed where GAME_CALLBACK_SECRET is set',
    }),
    ApiHeader({
      name: 'X-Signature',
      required: false,
      description:
        'hex HMAC-SHA256 with GAME_CALLBACK_SECRET over four lines, joined by line feeds: timestamp, method, path ' +
        'with query, and the hex SHA-256 of the raw body',
    }),
  );

import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiExtension, ApiHeader } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Environment } from '../config/environment.js';
import { Settings } from '../config/settings.js';
import { AddressList } from '../http/request/address.js';
import { bodyLimitOf, readRawBody } from '../http/request/body.guard.js';
import { Public } from './auth.decorators.js';
import { CallerNotAllowed } from './auth.errors.js';
import {
  clockSkewOf,
  explainRefusal,
  freshUntil,
  isSignedWith,
  type SignedCall,
  signedText,
} from './callback-signature.js';

const GAME_SERVER = 'game-server';
export const GAME_SERVER_EXTENSION = 'x-game-server';

/** A callback is signed if a secret is set. A report is never signed. */
type GameServerRoute = 'callback' | 'report';

const ForGameServers = (kind: GameServerRoute) =>
  applyDecorators(
    Public(),
    SetMetadata(GAME_SERVER, kind),
    ApiExtension(GAME_SERVER_EXTENSION, true),
  );

/** Marks a route for game servers' reports, which need an allowed address unless `chat.open` is set. */
export const GameServerReport = () => ForGameServers('report');

/** Marks a route for game servers' callbacks, which need an allowed address and, if a secret is set, a signature. */
export const GameServerCallback = () =>
  applyDecorators(
    ForGameServers('callback'),
    ApiHeader({
      name: 'X-Timestamp',
      required: false,
      description:
        'Unix time in seconds, at most 300 s off; required if GAME_CALLBACK_SECRET is set',
    }),
    ApiHeader({
      name: 'X-Signature',
      required: false,
      description:
        'hex HMAC-SHA256 with GAME_CALLBACK_SECRET over four lines, joined by line feeds: timestamp, method, path ' +
        'with query, and the hex SHA-256 of the raw body',
    }),
  );

@Injectable()
export class GameServerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly environment: Environment,
    private readonly settings: Settings,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const places = [context.getHandler(), context.getClass()];
    const kind = this.reflector.getAllAndOverride<GameServerRoute | undefined>(GAME_SERVER, places);
    if (kind === undefined) return true;
    const { game_server_ips, chat } = this.settings.current;
    const request = context.switchToHttp().getRequest<Request>();
    const { address } = request.context;
    const isListed = AddressList.of(game_server_ips).has(address);
    request.context.gameServer = { isListed };
    if (!isListed && !(kind === 'report' && chat.open)) {
      const reason = `${address} is not in game_server_ips`;
      request.context.gameServer.explain = () => ({ reason, signedText: null });
      throw new CallerNotAllowed();
    }
    return kind === 'report' || this.requireSignature(context);
  }

  private async requireSignature(context: ExecutionContext): Promise<true> {
    const { callbackSecrets: accepted, GM_SECRET, GAME_CALLBACK_SECRET } = this.environment;
    if (accepted.length === 0) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const body = await readRawBody(request, response, bodyLimitOf(this.reflector, context));
    const call = toSignedCall(request, body);
    const expiresAt = freshUntil(call);
    if (!expiresAt || !accepted.some((secret) => isSignedWith(secret, call))) {
      const mistaken = {
        GM_SECRET,
        'the whole list of GAME_CALLBACK_SECRET': GAME_CALLBACK_SECRET,
      };
      request.context.gameServer!.explain = () => ({
        reason: explainRefusal(call, { accepted, mistaken }),
        signedText: signedText(call),
      });
      throw new CallerNotAllowed();
    }
    request.context.signature = { hex: call.signature!.toLowerCase(), expiresAt };
    request.context.gameServer!.clockSkew = Math.round(clockSkewOf(call)!);
    return true;
  }
}

function toSignedCall(request: Request, body: Buffer): SignedCall {
  return {
    timestamp: request.get('X-Timestamp'),
    signature: request.get('X-Signature'),
    method: request.method,
    target: request.originalUrl,
    host: request.get('Host'),
    body,
  };
}

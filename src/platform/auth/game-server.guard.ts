import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { Environment } from '../config/environment.js';
import { Settings } from '../config/settings.js';
import { AddressList } from '../http/request/address.js';
import { bodyLimitOf } from '../http/request/body.guard.js';
import { readRawBody } from '../http/request/raw-body.js';
import { CallerNotAllowed } from './auth.errors.js';
import { GAME_SERVER, type GameServerRoute } from './game-server.decorator.js';

const REPLAY_WINDOW_SECONDS = 300;

/** Lets only game servers through to the routes marked `@GameServer()` or `@GameServerReport()`. */
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
    const { address } = context.switchToHttp().getRequest<Request>().context;
    const isOpen = kind === 'report' && chat.open;
    if (!isOpen && !AddressList.of(game_server_ips).has(address)) throw new CallerNotAllowed();
    return kind === 'report' || this.requireSignature(context);
  }

  private async requireSignature(context: ExecutionContext): Promise<true> {
    const secrets = this.environment.callbackSecrets;
    if (secrets.length === 0) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const body = await readRawBody(request, response, bodyLimitOf(this.reflector, context));
    const expiresAt = freshUntil(request);
    if (!expiresAt || !secrets.some((secret) => isSignedWith(secret, request, body)))
      throw new CallerNotAllowed();
    const hex = request.get('X-Signature')!.toLowerCase();
    request.context.signature = { hex, expiresAt };
    return true;
  }
}

function freshUntil(request: Request): Date | undefined {
  const timestamp = request.get('X-Timestamp') ?? '';
  if (!/^\d{1,12}$/.test(timestamp)) return undefined;
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  return age <= REPLAY_WINDOW_SECONDS
    ? new Date((Number(timestamp) + REPLAY_WINDOW_SECONDS) * 1000)
    : undefined;
}

function isSignedWith(secret: string, request: Request, body: Buffer): boolean {
  const signature = request.get('X-Signature') ?? '';
  // Buffer.from ignores everything after the first character that is not hex.
  const given = Buffer.from(/^[0-9a-f]*$/i.test(signature) ? signature : '', 'hex');
  const expected = createHmac('sha256', secret).update(signedText(request, body)).digest();
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** No part can contain a line break, so it is unambiguous. */
function signedText(request: Request, body: Buffer): string {
  const digest = createHash('sha256').update(body).digest('hex');
  return [request.get('X-Timestamp'), request.method, request.originalUrl, digest].join('\n');
}

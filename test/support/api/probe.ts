import { Body, Controller, Get, HttpCode, Module, Post, Query } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  CurrentPlayer,
  OptionalPlayer,
  Public,
  OptionalAuth,
} from '../../../src/platform/auth/auth.decorators.js';
import { GameServerCallback } from '../../../src/platform/auth/game-server.guard.js';
import type { PlayerIdentity } from '../../../src/platform/auth/identity.service.js';
import { BodyLimit } from '../../../src/platform/http/request/body.guard.js';
import { TextField, IntegerField } from '../../../src/platform/http/validation/field.decorator.js';

class ProbeDto {
  @TextField({ max: 10 }) name: string;
  @IntegerField({ min: 1, max: 9 }) serverId: number;
  @TextField({ max: 5, optional: true }) note?: string;
}

class PlayerDto {
  @TextField({ max: 64 }) account: string;
  @TextField({ max: 64 }) password: string;
}

/** Shows how the request pipeline treats a request. */
@Controller('probe')
class ProbeController {
  constructor(private readonly database: DataSource) {}

  @Public()
  @HttpCode(200)
  @Post('echo')
  echo(@Body() dto: ProbeDto) {
    return dto;
  }

  @Public()
  @HttpCode(200)
  @BodyLimit(512 * 1024)
  @Post('large')
  large(@Body() dto: ProbeDto) {
    return { name: dto.name };
  }

  @Get('me')
  me(@CurrentPlayer() { id, account }: PlayerIdentity) {
    return { id, account };
  }

  @OptionalAuth()
  @Get('anyone')
  anyone(@OptionalPlayer() player: PlayerIdentity | undefined) {
    return { id: player?.id ?? null };
  }

  @HttpCode(200)
  @Post('protected')
  protected(@Body() dto: ProbeDto) {
    return dto;
  }

  @GameServerCallback()
  @HttpCode(200)
  @Post('callback')
  callback(@Body() dto: ProbeDto) {
    return dto;
  }

  @GameServerCallback()
  @Get('callback')
  look() {
    return {};
  }

  @Public()
  @Post('insert')
  insert(@Body() { account, password }: PlayerDto) {
    const statement = 'INSERT INTO player (account, password) VALUES (?, ?)';
    return this.database.query(statement, [account, password]);
  }

  @Public()
  @Get('unreachable')
  unreachable(): never {
    const code = 'ECONNREFUSED';
    throw Object.assign(new Error('connect to something else'), { code, fatal: true });
  }

  @Public()
  @Get('word')
  word(@Query('word') word: string) {
    return { word };
  }

  @Public()
  @Get('crash')
  crash(): never {
    throw new Error("SELECT secret FROM player WHERE id = 1 failed in '/srv/app.js'");
  }
}

@GameServerCallback()
@Controller('probe/callbacks')
class CallbackProbeController {
  @Get()
  look() {
    return {};
  }
}

@Module({ controllers: [ProbeController, CallbackProbeController] })
export class ProbeModule {}

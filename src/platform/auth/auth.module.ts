import { Global, Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Environment } from '../config/environment.js';
import { GameServerGuard } from './game-server.guard.js';
import { IdentityService } from './identity.service.js';
import { JwtAuthGuard } from './jwt-auth.guard.js';
import { JwtStrategy } from './jwt.strategy.js';
import { Player } from './player.entity.js';
import { Session } from './session.entity.js';
import { SignedTokens } from './signed-tokens.js';
import {
  TOKEN_VERIFY_OPTIONS,
  TOKEN_ISSUER,
  TOKEN_LIFETIME_SECONDS,
  tokenKey,
  TokenService,
} from './token.service.js';

@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([Player, Session]),
    PassportModule,
    JwtModule.registerAsync({
      inject: [Environment],
      useFactory: (environment: Environment) => ({
        secret: tokenKey(environment),
        signOptions: {
          algorithm: 'HS256',
          expiresIn: TOKEN_LIFETIME_SECONDS,
          issuer: TOKEN_ISSUER,
        },
        verifyOptions: TOKEN_VERIFY_OPTIONS,
      }),
    }),
  ],
  providers: [
    TokenService,
    SignedTokens,
    IdentityService,
    JwtStrategy,
    JwtAuthGuard,
    GameServerGuard,
  ],
  exports: [TokenService, SignedTokens, IdentityService, JwtAuthGuard, GameServerGuard],
})
export class AuthModule {}

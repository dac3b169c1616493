import { createSecretKey } from 'node:crypto';
import { Global, Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Environment } from '../config/environment.js';
import { GameServerGuard } from './game-server.guard.js';
import { IdentityService } from './identity.service.js';
import { JwtAuthGuard } from './jwt-auth.guard.js';
import { Player } from './player.entity.js';
import { TOKEN_ISSUER, TOKEN_LIFETIME_SECONDS, TokenService } from './token.service.js';

@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([Player]),
    JwtModule.registerAsync({
      inject: [Environment],
      useFactory: (environment: Environment) => ({
        // A key object, not the string: jsonwebtoken tries a string as a private key first, at 50 times the cost.
        secret: createSecretKey(Buffer.from(environment.JWT_SECRET)),
        signOptions: {
          algorithm: 'HS256',
          expiresIn: TOKEN_LIFETIME_SECONDS,
          issuer: TOKEN_ISSUER,
        },
        verifyOptions: { algorithms: ['HS256'], issuer: TOKEN_ISSUER },
      }),
    }),
  ],
  providers: [TokenService, IdentityService, JwtAuthGuard, GameServerGuard],
  exports: [TokenService, IdentityService, JwtAuthGuard, GameServerGuard],
})
export class AuthModule {}

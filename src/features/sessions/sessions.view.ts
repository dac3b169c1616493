import { ApiProperty } from '@nestjs/swagger';
import type { Session } from '../../platform/auth/session.entity.js';
import { TOKEN_LIFETIME_SECONDS } from '../../platform/auth/token.service.js';

class SessionView {
  @ApiProperty({ type: 'integer' }) id: number;
  @ApiProperty({ description: 'whether it is the session of this request' }) current: boolean;
  @ApiProperty({ type: String, nullable: true, example: 'phone' }) device: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'iOS 19' }) os: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'Safari 19' }) browse: string | null;
  @ApiProperty({ type: String, nullable: true, example: '203.0.113.7' }) address: string | null;
  @ApiProperty({ type: String, format: 'date-time' }) created_at: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'last use, accurate to ten minutes',
  })
  seen_at: string;
  @ApiProperty({ description: 'whether the browser stays signed in' }) remembered: boolean;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'until when the browser skips the second step; null if it does not',
  })
  trusted_until: string | null;
}

export class SessionsView {
  @ApiProperty({ type: [SessionView], description: 'newest first' }) sessions: SessionView[];
}

export class EndedSessionsView {
  @ApiProperty({ type: 'integer', description: 'number of sessions that were ended' })
  ended: number;
}

export class EmptyView {}

export function toSessionsView(sessions: Session[], current: number | undefined): SessionsView {
  return {
    sessions: sessions.map((session) => ({
      id: session.id,
      current: session.id === current,
      device: session.device,
      os: session.os,
      browse: session.browse,
      address: session.address,
      created_at: session.createdAt.toISOString(),
      seen_at: session.seenAt.toISOString(),
      remembered: session.cookieHash !== null,
      trusted_until: session.trustedUntil?.toISOString() ?? null,
    })),
  };
}

export class TokenView {
  @ApiProperty({ example: 'dragon_slayer' }) account: string;
  @ApiProperty({ description: 'a JWT, for `Authorization: Bearer`' }) token: string;
  @ApiProperty({ type: 'integer', example: TOKEN_LIFETIME_SECONDS, description: 'seconds' })
  expires_in: number;
}

export function toTokenView(account: string, token: string): TokenView {
  return { account, token, expires_in: TOKEN_LIFETIME_SECONDS };
}

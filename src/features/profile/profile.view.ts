import { ApiProperty } from '@nestjs/swagger';
import {
  type LoginEvent,
  SIGN_IN_METHODS,
  type SignInMethod,
} from '../../platform/audit/audit.entity.js';
import type { Player } from '../../platform/auth/player.entity.js';
import { BindingsView, toBindingsView } from '../links/links.view.js';
import type { PlayerLink } from '../links/player-link.entity.js';
import { toTwoFactorView, TwoFactorView } from '../second-factor/second-factor.view.js';
import type { FactorSummary } from '../second-factor/second-factors.js';
import { parseLoginDevice } from '../sessions/device.js';

export class ProfileView extends BindingsView {
  @ApiProperty({ example: 'dragon_slayer' }) account: string;
  @ApiProperty({ type: String, nullable: true, example: 'player@example.com' })
  email: string | null;
  @ApiProperty({
    description: 'false for an account from the forum until its owner sets a password',
  })
  has_password: boolean;
  @ApiProperty({ type: String, format: 'date-time' }) created_at: string;
  @ApiProperty({ type: 'integer', nullable: true, description: 'the last chosen server' })
  server_id: number | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'when the account will be closed; null if no closing is scheduled',
  })
  closing_at: string | null;
  @ApiProperty({ type: TwoFactorView }) two_factor: TwoFactorView;
}

class SignInView {
  @ApiProperty({ type: String, format: 'date-time' }) at: string;
  @ApiProperty({ type: String, nullable: true, example: '203.0.113.7' }) address: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'phone' }) device: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'iOS 19' }) os: string | null;
  @ApiProperty({ type: String, nullable: true, example: 'Safari 19' }) browse: string | null;
  @ApiProperty({ enum: SIGN_IN_METHODS }) method: SignInMethod;
  @ApiProperty({ example: 'ok', description: "ok, or the error's name" }) outcome: string;
}

export class SignInsView {
  @ApiProperty({ type: [SignInView], description: 'newest first, at most 50' })
  sign_ins: SignInView[];
}

export function toSignInView({ createdAt, address, device, way, outcome }: LoginEvent): SignInView {
  const { os = null, browse = null, device: kind = null } = parseLoginDevice(device);
  return { at: createdAt.toISOString(), address, device: kind, os, browse, method: way, outcome };
}

export class ConfirmedView {
  @ApiProperty({ type: String, format: 'date-time' }) confirmed_until: string;
}

export class EmailView {
  @ApiProperty({ example: 'player@example.com' }) email: string;
}

export function toProfileView(
  { account, email, createdAt, serverId, closingAt }: Player,
  hasPassword: boolean,
  links: PlayerLink[],
  factors: FactorSummary,
): ProfileView {
  return {
    account,
    email,
    has_password: hasPassword,
    created_at: createdAt.toISOString(),
    server_id: serverId,
    closing_at: closingAt?.toISOString() ?? null,
    two_factor: toTwoFactorView(factors),
    bindings: toBindingsView(links).bindings,
  };
}

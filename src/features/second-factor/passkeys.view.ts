import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { PasskeyView, RecoveryCodesView } from './second-factor.view.js';

@ApiSchema({ description: 'For `navigator.credentials`, in the JSON form of WebAuthn' })
export class PasskeyOptionsView {
  @ApiProperty({ description: 'in base64url; serves once' }) challenge: string;
  [field: string]: unknown;
}

export class NewPasskeyView extends RecoveryCodesView {
  @ApiProperty({ type: PasskeyView }) passkey: PasskeyView;
}

export function toPasskeyOptionsView(options: { challenge: string }): PasskeyOptionsView {
  return { ...options };
}

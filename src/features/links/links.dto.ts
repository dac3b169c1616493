import { TextField } from '../../platform/http/validation/field.decorator.js';
import {
  CONNECT_ID_PATTERN,
  FORUM_PROVIDER,
  type ThirdPartyIdentity,
  MAX_CONNECT_ID_LENGTH,
} from './third-party-identity.js';

const ConnectIdField = () =>
  TextField({
    max: MAX_CONNECT_ID_LENGTH,
    pattern: CONNECT_ID_PATTERN,
    hint: 'must not begin or end with a space',
    description: 'the identity at the provider; compared exactly',
    example: '10293',
  });

const ProviderField = (optional = true) =>
  TextField({
    max: 32,
    pattern: /^[a-z0-9_-]+$/,
    hint: 'must be of a-z, 0-9, _ and -',
    optional,
    description: optional ? `default ${FORUM_PROVIDER}` : undefined,
    example: FORUM_PROVIDER,
  });

export class BindAccountDto {
  @TextField({ max: 64, example: 'dragon_rider' }) account: string;
  @ConnectIdField() connectId: string;
  @ProviderField() provider?: string;
}

export class FindLinkDto {
  @ConnectIdField() connectId: string;
  @ProviderField() provider?: string;
}

export class UnbindDto {
  @ProviderField(false) provider: string;
}

export function toIdentity({ provider, connectId }: FindLinkDto): ThirdPartyIdentity {
  return { provider: provider ?? FORUM_PROVIDER, connectId };
}

import { TextField } from '../http/validation/field.decorator.js';
import { CONNECT_ID, FORUM, type Identity, LONGEST_CONNECT_ID } from './identity.js';

const ConnectIdField = () =>
  TextField({
    max: LONGEST_CONNECT_ID,
    pattern: CONNECT_ID,
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
    description: optional ? `default ${FORUM}` : undefined,
    example: FORUM,
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

export function toIdentity({ provider, connectId }: FindLinkDto): Identity {
  return { provider: provider ?? FORUM, connectId };
}

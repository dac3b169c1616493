import { TextField } from '../../platform/http/validation/field.decorator.js';

export interface ThirdPartyIdentity {
  provider: string;
  connectId: string;
  /** The person has this name at the provider. It is only for display. */
  name?: string | null;
}

/** Describes an identity to its owner, who knows the name rather than the number. */
export function describeIdentity({ provider, connectId, name }: ThirdPartyIdentity): string {
  return name ? `${provider} “${name}” (${connectId})` : `${provider} ${connectId}`;
}

/** The forum login uses this provider, and requests from game servers use it by default. */
export const FORUM_PROVIDER = 'forum';

export const MAX_CONNECT_ID_LENGTH = 128;

/** Rejects a leading or trailing space, because MySQL treats `7` and `7 ` as equal. */
export const CONNECT_ID_PATTERN = /^\S(?:.*\S)?$/s;

const ConnectIdField = () =>
  TextField({
    max: MAX_CONNECT_ID_LENGTH,
    pattern: CONNECT_ID_PATTERN,
    hint: 'must not begin or end with a space',
    description: "the person's id at the provider, which is compared exactly",
    example: '10293',
  });

const ProviderField = (optional = true) =>
  TextField({
    max: 32,
    pattern: /^[a-z0-9_-]+$/,
    hint: 'must consist of a-z, 0-9, _ and -',
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

import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { Public } from './public.decorator.js';

export const ALLOWED_ADDRESSES = 'allowed-addresses';
export const ALLOWED_ADDRESSES_EXTENSION = 'x-allowed-addresses';

/** Settings that list the addresses which may call a route. */
export type AddressSetting = 'metrics_ips';

/** Opens a route to callers without a JWT, but only from the addresses in this setting. For game servers: `@GameServer()`. */
export const AllowedAddresses = (setting: AddressSetting) =>
  applyDecorators(
    Public(),
    SetMetadata(ALLOWED_ADDRESSES, setting),
    ApiExtension(ALLOWED_ADDRESSES_EXTENSION, true),
  );

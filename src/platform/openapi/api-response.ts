import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiExtension,
  ApiResponse,
  getSchemaPath,
  ApiProperty,
} from '@nestjs/swagger';
import type { ErrorName } from '../http/errors/error-table.js';

export const ERRORS_EXTENSION = 'x-errors';

/** Documents a route's success and its own errors. `openapi.ts` adds the errors of the pipeline. */
export function ApiSuccess(
  data: Type,
  description: string,
  ...errors: ErrorName[]
): MethodDecorator & ClassDecorator {
  return applyDecorators(
    // Nest would respond to a POST with 201.
    HttpCode(200),
    ApiExtraModels(data),
    ApiResponse({ status: 200, description, schema: envelopeSchema(data) }),
    ApiExtension(ERRORS_EXTENSION, errors),
  );
}

export function envelopeSchema(data: Type) {
  return {
    type: 'object',
    required: ['code', 'message', 'data'],
    properties: {
      code: { type: 'integer', enum: [0] },
      message: { type: 'string', enum: ['ok'] },
      data: { $ref: getSchemaPath(data) },
    },
  };
}

class FieldProblemView {
  @ApiProperty({ example: 'email' }) field: string;
  @ApiProperty({ example: 'must be an e-mail address' }) message: string;
}

export class BanView {
  @ApiProperty({ description: 'as the operator wrote it' }) reason: string;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'null if the ban has no end',
  })
  until: string | null;
}

export class ErrorView {
  @ApiProperty({ type: 'integer', description: 'HTTP status × 100 + n' }) code: number;
  @ApiProperty({ description: 'stable name' }) error: string;
  @ApiProperty({ description: 'text for people, which may change; clients must not branch on it' })
  message: string;
  @ApiProperty({ description: 'also in the X-Request-Id header' }) request_id: string;
  @ApiProperty({ type: [FieldProblemView], required: false }) details?: FieldProblemView[];
  @ApiProperty({
    type: 'integer',
    required: false,
    description:
      'seconds to wait before a retry, also in the Retry-After header; absent if a retry would not help',
  })
  retry_after?: number;
  @ApiProperty({ type: BanView, required: false }) ban?: BanView;
  @ApiProperty({
    required: false,
    description: 'with `second_factor_required`: for `POST /api/login/second`',
  })
  ticket?: string;
  @ApiProperty({
    type: [String],
    enum: ['totp', 'passkey', 'recovery_code'],
    required: false,
    description: 'with `second_factor_required`: the methods that the account has',
  })
  methods?: Array<'totp' | 'passkey' | 'recovery_code'>;
}

import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiExtension, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { ErrorName } from '../errors/error-table.js';

export const ERRORS_EXTENSION = 'x-errors';

/** Documents a route's success and its own errors. The pipeline's errors are added to the finished document. */
export function ApiSuccess(
  data: Type,
  description: string,
  ...errors: ErrorName[]
): MethodDecorator & ClassDecorator {
  return applyDecorators(
    // Nest would answer a POST with 201.
    HttpCode(200),
    ApiExtraModels(data),
    ApiResponse({ status: 200, description, schema: envelopeSchema(data) }),
    ApiExtension(ERRORS_EXTENSION, errors),
  );
}

/** OpenAPI schema of the success envelope. */
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

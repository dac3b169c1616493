import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import { isNotYetConnected, isDatabaseUnavailable } from '../../database/database-errors.js';
import { requestLog } from '../../log/log.js';
import { Metrics } from '../../metrics/metrics.js';
import { sendJson } from '../response/send-json.js';
import { AppError, errorBody } from './app-error.js';
import { ERROR_TABLE, errorStatus } from './error-table.js';
import {
  BodyTooLarge,
  InternalError,
  InvalidRequest,
  NotFound,
  ServiceUnavailable,
  UnsupportedMediaType,
} from './http.errors.js';

@Catch()
export class AppExceptionFilter implements ExceptionFilter {
  private readonly rejected: Counter<'error'>;

  constructor(
    metrics: Metrics,
    private readonly dataSource: DataSource,
  ) {
    this.rejected = metrics.counter('gatehouse_errors_total', 'Error responses by error name', [
      'error',
      Object.keys(ERROR_TABLE),
    ]);
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(this.recognise(thrown, http.getRequest()), http.getResponse());
  }

  /** Converts a thrown value to an `AppError`, counts it, and logs details that only operators may see. */
  recognise(thrown: unknown, request: Request): AppError {
    const error = this.isOfAbsentDatabase(thrown)
      ? new ServiceUnavailable(
          `the account database is not available: ${(thrown as Error).message}`,
        )
      : toAppError(thrown, request);
    this.count(error);
    request.context.error = error.error;
    if (error.reason !== undefined)
      requestLog(request.context.requestId, AppExceptionFilter.name).warn(
        { error: error.error },
        error.reason,
      );
    return error;
  }

  count({ error }: AppError, times = 1): void {
    this.rejected.inc({ error }, times);
  }

  private isOfAbsentDatabase(thrown: unknown): boolean {
    return isDatabaseUnavailable(thrown) || isNotYetConnected(thrown, this.dataSource);
  }

  answer(error: AppError, response: Response): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error.retryAfter !== undefined) response.setHeader('Retry-After', error.retryAfter);
    response
      .status(errorStatus(error.error))
      .set({ ...error.headers, 'Cache-Control': 'no-store' });
    sendJson(response, errorBody(error, response.req.context.requestId));
  }
}

function toAppError(thrown: unknown, request: Request): AppError {
  if (thrown instanceof AppError) return thrown;
  const status = thrown instanceof HttpException ? thrown.getStatus() : bodyParserStatus(thrown);
  if (status === 404) return new NotFound();
  if (status === 413) return new BodyTooLarge();
  if (status === 415) return new UnsupportedMediaType();
  if (status !== undefined && status < 500) return new InvalidRequest();
  requestLog(request.context.requestId, AppExceptionFilter.name).error(
    { err: thrown, method: request.method, path: request.path.slice(0, 200) },
    'unexpected error',
  );
  return new InternalError();
}

/** Returns the `status` that Express and its body parser set on errors that the client caused. */
function bodyParserStatus(thrown: unknown): number | undefined {
  const status = (thrown as { status?: unknown } | undefined)?.status;
  return thrown instanceof Error && typeof status === 'number' ? status : undefined;
}

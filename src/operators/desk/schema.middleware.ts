import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { isSchemaUsable } from '../../platform/database/schema-state.js';
import { ServiceUnavailable } from '../../platform/http/errors/http.errors.js';

/** Responds with 503 until the schema fits, because the service migrates it and may start after the desk. */
@Injectable()
export class SchemaMiddleware implements NestMiddleware {
  private isUsable = false;

  constructor(private readonly dataSource: DataSource) {}

  async isReady(): Promise<boolean> {
    if (this.isUsable || !this.dataSource.isInitialized) return this.isUsable;
    return (this.isUsable = await isSchemaUsable(this.dataSource));
  }

  readonly use = async (_request: Request, _response: Response, next: NextFunction) => {
    if (!(await this.isReady())) throw new ServiceUnavailable('the schema does not fit the desk');
    next();
  };
}

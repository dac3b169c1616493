import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';

/**
 * A browser in which an operator has signed in before. It grants nothing; its tries are counted apart from strangers'.
 */
@Injectable()
export class KnownDevice {
  constructor(private readonly environment: Environment) {}

  /** For the cookie. */
  create(name: string): string {
    const id = randomBytes(12).toString('base64url');
    return `${id}.${this.sign(id, name)}`;
  }

  /** The id in the cookie; undefined if that operator never signed in with it. */
  find(cookie: string | undefined, name: string): string | undefined {
    const [id = '', signature = ''] = cookie?.split('.') ?? [];
    const [given, expected] = [signature, this.sign(id, name)].map((text) => Buffer.from(text));
    const isOurs = given!.length === expected!.length && timingSafeEqual(given!, expected!);
    return isOurs ? id : undefined;
  }

  private sign(id: string, name: string): string {
    const mac = createHmac('sha256', this.environment.JWT_SECRET);
    return mac.update(`desk device ${id} of ${name}`).digest('base64url');
  }
}

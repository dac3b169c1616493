import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OauthStateInvalid } from './forum-auth.errors.js';
import { type SignedValue, SignedValues } from './signed-values.js';
import { SingleUse } from './single-use.js';

export interface StartedFlow {
  state: string;
  challenge: string;
  /** For the browser to keep: whoever brings the state back must bring this along. */
  sealed: string;
}

export interface Flow {
  verifier: string;
  returnTo: string;
  /** By which the front end knows that it was the one who started it. */
  nonce?: string;
}

/** A login between the way to the forum and the way back. The browser keeps it; any instance takes it up again. */
@Injectable()
export class LoginFlows {
  constructor(
    private readonly signedValues: SignedValues,
    private readonly once: SingleUse,
  ) {}

  start(returnTo: string, nonce?: string): StartedFlow {
    const state = randomBytes(32).toString('base64url');
    const verifier = randomBytes(32).toString('base64url');
    return {
      state,
      challenge: createHash('sha256').update(verifier).digest('base64url'),
      sealed: this.signedValues.sign('state', state, { verifier, returnTo, nonce } satisfies Flow),
    };
  }

  /** Ends the flow, whatever comes of it: the same state is not taken twice, on any instance. */
  async take(state: string, sealed: string | undefined): Promise<Flow> {
    const flow = this.open(state, sealed);
    if (!flow) throw new OauthStateInvalid();
    if (!(await this.once.use(`state ${flow.id}`, flow.expiresAt))) throw new OauthStateInvalid();
    return flow.content as unknown as Flow;
  }

  /** A login as it set out, also one that has ended; undefined where this browser did not set out with the state. */
  recall(state: string, sealed: string | undefined): Flow | undefined {
    return this.open(state, sealed)?.content as Flow | undefined;
  }

  private open(state: string, sealed: string | undefined): SignedValue | undefined {
    const flow = sealed === undefined ? undefined : this.signedValues.verify('state', sealed);
    return flow?.id === state ? flow : undefined;
  }
}

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Lists the parts of a response that a test can falsify. */
export interface Forgery {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  counter?: number;
  isVerified?: boolean;
}

interface CreationOptions {
  challenge: string;
  rp: { id: string };
  user: { id: string };
}

interface RequestOptions {
  challenge: string;
  rpId: string;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_KEY = 0x40;

/** Acts as a device with one passkey that a browser on the site `origin` would use. */
export class SoftwareAuthenticator {
  readonly id = randomBytes(16).toString('base64url');
  counter = 0;
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private userHandle = '';

  constructor(private readonly origin: string) {}

  create({ challenge, rp, user }: CreationOptions, forgery: Forgery = {}) {
    this.userHandle = user.id;
    const clientData = this.clientData('webauthn.create', challenge, forgery);
    const id = Buffer.from(this.id, 'base64url');
    const facts = Buffer.concat([
      this.facts(rp.id, WITH_KEY, forgery),
      Buffer.alloc(16),
      uint(id.length, 2),
      id,
      this.publicKey(),
    ]);
    const attestation = Buffer.concat([
      cbor('a363666d74646e6f6e656761747453746d74a0686175746844617461'),
      cbor('59'),
      uint(facts.length, 2),
      facts,
    ]);
    return this.response({
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  get({ challenge, rpId }: RequestOptions, forgery: Forgery = {}) {
    this.counter++;
    const clientData = this.clientData('webauthn.get', challenge, forgery);
    const facts = this.facts(rpId, 0, forgery);
    const signed = Buffer.concat([facts, sha256(clientData)]);
    return this.response({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: facts.toString('base64url'),
      signature: sign('sha256', signed, this.keys.privateKey).toString('base64url'),
      userHandle: this.userHandle,
    });
  }

  private response<T>(response: T) {
    const { id } = this;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private clientData(type: string, challenge: string, forgery: Forgery): Buffer {
    const { origin } = this;
    return Buffer.from(
      JSON.stringify({
        type: forgery.type ?? type,
        challenge: forgery.challenge ?? challenge,
        origin: forgery.origin ?? origin,
        crossOrigin: false,
      }),
    );
  }

  private facts(rpId: string, flags: number, forgery: Forgery): Buffer {
    const verified = (forgery.isVerified ?? true) ? VERIFIED : 0;
    return Buffer.concat([
      sha256(Buffer.from(forgery.rpId ?? rpId)),
      uint(flags | PRESENT | verified, 1),
      uint(forgery.counter ?? this.counter, 4),
    ]);
  }

  /** Encodes the key in the COSE format, which for ES256 contains both coordinates of the point on P-256. */
  private publicKey(): Buffer {
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' });
    return Buffer.concat([
      cbor('a5010203262001215820'),
      Buffer.from(x!, 'base64url'),
      cbor('225820'),
      Buffer.from(y!, 'base64url'),
    ]);
  }
}

const cbor = (hex: string) => Buffer.from(hex, 'hex');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

function uint(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

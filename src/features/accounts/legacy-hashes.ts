import { hash } from 'node:crypto';
import { encode } from 'iconv-lite';

/** The other forms of an imported hash: earlier services left the key out, or hashed GBK bytes. */
export function legacyHashes(password: string, key: string): Record<string, string> {
  const gbk = encode(password, 'gbk');
  return {
    'md5 without the key': hash('md5', password),
    'typed in GBK': hash('md5', Buffer.concat([gbk, Buffer.from(key)])),
    'typed in GBK, without the key': hash('md5', gbk),
  };
}

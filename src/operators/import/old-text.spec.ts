import { describe, expect, it } from 'vitest';
import { decodeText, isKnownCharset } from './old-text.js';

const LI_SI_GBK = Buffer.from('c0eecbc4', 'hex');

describe('Text of the old database', () => {
  it('is decoded in the declared character set', () => {
    expect(decodeText(LI_SI_GBK, 'gbk')).toEqual({ text: '李四' });
    expect(decodeText(Buffer.from('李四'), 'utf8mb4')).toEqual({ text: '李四' });
    expect(decodeText(Buffer.from('e9', 'hex'), 'latin1')).toEqual({ text: 'é' });
    expect(decodeText(Buffer.from('plain '), 'gbk')).toEqual({ text: 'plain ' });
  });

  it('is decoded as what it looks like when the declaration is wrong', () => {
    expect(decodeText(Buffer.from('诸葛亮'), 'gbk')).toEqual({
      text: '诸葛亮',
      looksLike: 'utf-8',
    });
    expect(decodeText(LI_SI_GBK, 'utf8')).toEqual({ text: '李四', looksLike: 'gbk' });
    expect(decodeText(Buffer.from('ff81ff', 'hex'), 'utf8')).toBeUndefined();
  });

  it('needs a known character set', () => {
    expect(['gbk', 'utf8mb4', 'latin1', 'big5', 'gb18030'].every(isKnownCharset)).toBe(true);
    expect(isKnownCharset('klingon')).toBe(false);
  });
});

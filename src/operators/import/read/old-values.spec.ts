import { decode, encode } from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import {
  decodeText,
  isKnownCharset,
  offsetMinutes,
  parseBanEnd,
  parseOldTime,
} from './old-values.js';

const LI_SI_GBK = Buffer.from('c0eecbc4', 'hex');

describe('Text from the old database', () => {
  it('is decoded in the declared character set', () => {
    expect(decodeText(LI_SI_GBK, 'gbk')).toEqual({ text: '李四' });
    expect(decodeText(Buffer.from('李四'), 'utf8mb4')).toEqual({ text: '李四' });
    expect(decodeText(Buffer.from('e9', 'hex'), 'latin1')).toEqual({ text: 'é' });
    expect(decodeText(Buffer.from('plain '), 'gbk')).toEqual({ text: 'plain ' });
  });

  it.each([
    ['gbk', Buffer.from('诸葛亮'), 'utf-8: 诸葛亮'],
    ['latin1', Buffer.from('诸葛亮'), 'utf-8: 诸葛亮'],
    ['utf8', LI_SI_GBK, 'gbk: 李四'],
    ['utf8', encode('李四', 'big5'), 'big5: 李四'],
    ['utf8', encode('Jürgen', 'latin1'), 'windows-1252: Jürgen'],
    ['utf8', encode('josé', 'latin1'), 'windows-1252: josé'],
    ['utf8', Buffer.from('JosÃ©'), 'utf8-twice: José'],
    ['gbk', Buffer.from(decode(Buffer.from('李四'), 'latin1')), 'utf8-twice: 李四'],
    ['gbk', Buffer.from(decode(Buffer.from('张飞'), 'windows-1252')), 'utf8-twice: 张飞'],
  ])('is guessed if it is not in the declared %s (%j)', (charset, bytes, guess) => {
    const decoded = decodeText(bytes, charset);
    expect(decoded?.guesses?.[0]).toBe(guess);
    expect(decoded?.text).toBe(guess.split(': ')[1]);
  });

  it('is not guessed if it is in the declared character set', () => {
    for (const charset of ['gbk', 'big5', 'latin1', 'utf8'])
      expect(decodeText(encode(charset === 'latin1' ? 'Ærø' : '李四', charset), charset)).toEqual({
        text: charset === 'latin1' ? 'Ærø' : '李四',
      });
    expect(decodeText(Buffer.from('JosÃ©'), 'utf8-twice')).toEqual({ text: 'José' });
    expect(decodeText(Buffer.from('Ã©é'), 'utf8')).toEqual({ text: 'Ã©é' });
    expect(decodeText(Buffer.from('ff81ff', 'hex'), 'utf8')).toBeUndefined();
  });

  it('is not guessed if the old database had already lost one of its letters', () => {
    for (const charset of ['utf8', 'utf8-twice'])
      expect(decodeText(Buffer.from('Ã\ufffd'), charset)?.text).not.toBe('Á');
  });

  it('is rejected if the declared character set is unknown', () => {
    expect(
      ['gbk', 'utf8mb4', 'latin1', 'big5', 'gb18030', 'utf8-twice'].every(isKnownCharset),
    ).toBe(true);
    expect(isKnownCharset('klingon')).toBe(false);
  });
});

const AT = new Date('2019-01-02T03:04:05Z');

describe('parseOldTime', () => {
  it.each([
    '1546398245',
    '1546398245000',
    '2019-01-02 11:04:05',
    '2019/1/2 11:04:05',
    '20190102110405',
    '2019-01-02T03:04:05Z',
    '2019-01-02T11:04:05+08:00',
    '2019-01-01 22:04:05-05:00',
  ])('reads %s', (text) => {
    expect(parseOldTime(text, offsetMinutes('+08:00'))).toEqual(AT);
  });

  it.each(['', '0', '0000-00-00 00:00:00', 'yesterday', '2019-13-01', '99'])(
    'returns no time for %j',
    (text) => {
      expect(parseOldTime(text, 0)).toBeNull();
    },
  );

  it('reads a date whose year comes last only in the order that the map declares', () => {
    const end = new Date('2012-12-31T03:04:00Z');
    expect(parseOldTime('31.12.2012 3:04', 0, 'dmy')).toEqual(end);
    expect(parseOldTime('12/31/2012 3:04', 0, 'mdy')).toEqual(end);
    expect(parseOldTime('31.12.2012 3:04', 0)).toBeNull();
    expect(parseOldTime('31.12.2012', 0, 'mdy')).toBeNull();
    expect(parseOldTime('20121231', 0, 'dmy')).toEqual(new Date('2012-12-31T00:00:00Z'));
  });

  it('reads a date without a time, and a time with a negative offset', () => {
    expect(parseOldTime('2019-01-02', offsetMinutes('-05:30'))).toEqual(
      new Date('2019-01-02T05:30:00Z'),
    );
  });
});

describe('parseBanEnd', () => {
  it.each(['', '0', '0000-00-00 00:00:00', '9999-12-31 23:59:59', '4294967295'])(
    'returns null for %j, which never ends',
    (text) => {
      expect(parseBanEnd(text, 0)).toBeNull();
    },
  );

  it.each(['-1', 'forever', '31.12.2012', '1970-01-01', '99', '2012-13-01', '2090-02-30'])(
    'returns undefined for %j, which is not a valid time',
    (text) => {
      expect(parseBanEnd(text, 0)).toBeUndefined();
    },
  );

  it.each(['2012-12-31', '20121231', '2012-12-31T08:00:00+08:00'])('reads the end %s', (text) => {
    expect(parseBanEnd(text, 0)).toEqual(new Date('2012-12-31T00:00:00Z'));
  });
});

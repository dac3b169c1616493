import { ApiProperty } from '@nestjs/swagger';

export class LiveView {
  @ApiProperty({ enum: ['live'] }) status: 'live';
}

export class ReadyView {
  @ApiProperty({ enum: ['ready'] }) status: 'ready';
  @ApiProperty({ enum: ['up'] }) database: 'up';
  @ApiProperty({
    enum: ['up', 'down', 'off'],
    description: 'down: counters are kept in memory; off: none is set',
  })
  redis: 'up' | 'down' | 'off';
  @ApiProperty({
    enum: ['present', 'missing'],
    description: 'missing: the file cannot be read, and /api/misc/agree answers 503',
  })
  agreement: 'present' | 'missing';
  @ApiProperty({
    enum: ['ok', 'refused'],
    description: 'refused: the file has a mistake, and the last good settings stay in force',
  })
  settings: 'ok' | 'refused';
  @ApiProperty({
    enum: ['ok', 'fallback'],
    description: 'fallback: a mail template is missing or broken, and the shipped one is sent',
  })
  mail_templates: 'ok' | 'fallback';
  @ApiProperty({ example: '1.0.0' }) version: string;
  @ApiProperty({ required: false, example: 'abc1234', description: 'where the build knew it' })
  commit?: string;
}

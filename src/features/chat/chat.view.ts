import { ApiProperty } from '@nestjs/swagger';

export class RejectedRecordView {
  @ApiProperty({ type: 'integer', description: 'place in `records`, from 0' }) index: number;
  @ApiProperty({ example: 'content' }) field: string;
  @ApiProperty({ example: 'must be 1 to 2000 characters long' }) message: string;
}

export class ChatReportView {
  @ApiProperty({ type: 'integer', description: 'records that are now stored' }) accepted: number;
  @ApiProperty({
    type: 'integer',
    description: 'records whose server_id and chat_id were there already, or twice in this report',
  })
  duplicates: number;
  @ApiProperty({ type: [RejectedRecordView], description: 'one entry for each ill-formed record' })
  rejected: RejectedRecordView[];
}

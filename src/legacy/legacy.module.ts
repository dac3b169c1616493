import { Module } from '@nestjs/common';
import { RetiredEntryPoints } from './retired-entry-points.js';

@Module({ providers: [RetiredEntryPoints] })
export class LegacyModule {}

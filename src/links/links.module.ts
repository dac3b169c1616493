import { Module } from '@nestjs/common';
import { LinksController } from './links.controller.js';
import { LinksCoreModule } from './links-core.module.js';

@Module({
  imports: [LinksCoreModule],
  controllers: [LinksController],
  exports: [LinksCoreModule],
})
export class LinksModule {}

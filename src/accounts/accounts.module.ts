import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Agent } from './agent.entity.js';

@Module({ imports: [TypeOrmModule.forFeature([Agent])] })
export class AccountsModule {}

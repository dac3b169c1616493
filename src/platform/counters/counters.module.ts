import { Global, Module } from '@nestjs/common';
import { Counters } from './counters.js';
import { RedisConnection } from './redis-connection.js';

@Global()
@Module({ providers: [RedisConnection, Counters], exports: [RedisConnection, Counters] })
export class CountersModule {}

import { join } from 'node:path';
import { type DynamicModule, Injectable, Module, type NestMiddleware } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { NextFunction, Request, Response } from 'express';
import { DataSource } from 'typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { PROJECT_ROOT } from '../../platform/config/build-info.js';
import type { Environment } from '../../platform/config/environment.js';
import { ConfigModule } from '../../platform/config/settings.js';
import { CountersModule } from '../../platform/counters/counters.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { isSchemaUsable } from '../../platform/database/schema-state.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { ServiceUnavailable } from '../../platform/http/errors/http.errors.js';
import { DeniedAddress } from '../../platform/http/limits/denied-addresses.js';
import { HttpModule } from '../../platform/http/http.module.js';
import { MetricsModule } from '../../platform/metrics/metrics.js';
import { NotFoundModule } from '../../platform/not-found/not-found.controller.js';
import type { FrontEnd } from '../../platform/static/front-end.middleware.js';
import { StaticModule } from '../../platform/static/static.module.js';
import { RegistrationDay } from '../../features/accounts/registration-limits.js';
import { ChatMessage } from '../../features/chat/chat-message.entity.js';
import { GameServer } from '../../features/servers/game-server.entity.js';
import { ServerSqlEdits } from '../../features/servers/server-sql-edits.js';
import { ChatSearch } from '../actions/chat/chat-search.js';
import { AddressBlocks } from '../actions/events/address-blocks.js';
import { DeadEvents } from '../actions/events/dead-events.js';
import { EventSearch, RequestSearch } from '../actions/events/event-search.js';
import { PromoterDays } from '../actions/players/promoter-days.js';
import { FourEyes } from '../actions/four-eyes/four-eyes.js';
import { OperatorActions } from '../actions/operators/operator-actions.js';
import { OperatorSessions } from '../actions/operators/operator-sessions.js';
import { Operator, OperatorSession } from '../actions/operators/operator.entity.js';
import { PlayerActionsModule } from '../actions/players/player-actions.module.js';
import { FourEyesServerChange } from '../actions/servers/four-eyes-server-change.js';
import { ServerActions } from '../actions/servers/server-actions.js';
import { ServerWithdrawalStats } from '../actions/servers/server-withdrawal-stats.js';
import { FourEyesSettlement } from '../actions/withdrawals/four-eyes-settlement.js';
import { WithdrawalActionsModule } from '../actions/withdrawals/withdrawal-actions.module.js';
import { AccessController } from './access/access.controller.js';
import { AccessGuard } from './access/access.guard.js';
import { DeskCookie } from './access/desk-cookie.js';
import { FirstOperator } from './access/first-operator.js';
import { SameOriginMiddleware } from './access/same-origin.middleware.js';
import { SignInAttempts } from './access/sign-in-attempts.js';
import { SignInService } from './access/sign-in.service.js';
import { AuditController } from './audit/audit.controller.js';
import { AuditService } from './audit/audit.service.js';
import { DeskChatController } from './chat/desk-chat.controller.js';
import { DeskChatService } from './chat/desk-chat.service.js';
import { DashboardActionItems } from './dashboard/dashboard-action-items.js';
import { DashboardInstances } from './dashboard/dashboard-instances.js';
import { DashboardMail } from './dashboard/dashboard-mail.js';
import { DashboardSeries } from './dashboard/dashboard-series.js';
import { DashboardController } from './dashboard/dashboard.controller.js';
import { DashboardService } from './dashboard/dashboard.service.js';
import { EventsController } from './events/events.controller.js';
import { CsvExport } from './http/csv-export.js';
import { OperatorsController } from './operators/operators.controller.js';
import { OperatorsService } from './operators/operators.service.js';
import { PlayersController } from './players/players.controller.js';
import { PlayersService } from './players/players.service.js';
import { RequestsController } from './requests/requests.controller.js';
import { DeskServersController } from './servers/desk-servers.controller.js';
import { DeskServersService } from './servers/desk-servers.service.js';
import { WithdrawalsController } from './withdrawals/withdrawals.controller.js';
import { WithdrawalsService } from './withdrawals/withdrawals.service.js';

/** Responds with 503 until the schema is usable. The service migrates the schema, and may start after the desk. */
@Injectable()
export class SchemaMiddleware implements NestMiddleware {
  private isUsable = false;

  constructor(private readonly dataSource: DataSource) {}

  async isReady(): Promise<boolean> {
    if (this.isUsable || !this.dataSource.isInitialized) return this.isUsable;
    return (this.isUsable = await isSchemaUsable(this.dataSource));
  }

  readonly use = async (_request: Request, _response: Response, next: NextFunction) => {
    if (!(await this.isReady())) throw new ServiceUnavailable('the schema does not fit the desk');
    next();
  };
}

@Module({
  imports: [TypeOrmModule.forFeature([Operator, OperatorSession])],
  controllers: [AccessController],
  providers: [
    AccessGuard,
    DeskCookie,
    FirstOperator,
    OperatorActions,
    OperatorSessions,
    SameOriginMiddleware,
    SignInAttempts,
    SignInService,
  ],
  exports: [AccessGuard, FirstOperator, OperatorActions, OperatorSessions, SameOriginMiddleware],
})
class AccessModule {}

/**
 * Registers the controllers of all pages in this one module, because Nest registers the routes of nested modules after
 * the catch-all route.
 */
@Module({
  imports: [
    AccessModule,
    PlayerActionsModule,
    WithdrawalActionsModule,
    TypeOrmModule.forFeature([ChatMessage, DeniedAddress, GameServer, RegistrationDay]),
  ],
  controllers: [
    AuditController,
    DashboardController,
    DeskChatController,
    DeskServersController,
    EventsController,
    OperatorsController,
    PlayersController,
    RequestsController,
    WithdrawalsController,
  ],
  providers: [
    AddressBlocks,
    AuditService,
    ChatSearch,
    CsvExport,
    DashboardActionItems,
    DashboardInstances,
    DashboardMail,
    DashboardSeries,
    DashboardService,
    DeadEvents,
    DeskChatService,
    DeskServersService,
    EventSearch,
    FourEyes,
    FourEyesServerChange,
    FourEyesSettlement,
    OperatorsService,
    PlayersService,
    PromoterDays,
    RequestSearch,
    SchemaMiddleware,
    ServerActions,
    ServerSqlEdits,
    ServerWithdrawalStats,
    WithdrawalsService,
  ],
})
export class PagesModule {}

/** Describes the desk's front end, which is built from `desk/`. */
function deskFrontEnd(): FrontEnd {
  return {
    folder: join(PROJECT_ROOT, 'desk/dist'),
    isPage: (path) => !/^\/api(\/|$)/i.test(path) && !/\.\w+$/.test(path),
  };
}

/** Defines the operators' web console, which is a separate program and never part of `AppModule`. */
@Module({})
export class DeskModule {
  static forRoot(environment: Environment): DynamicModule {
    return {
      module: DeskModule,
      imports: [
        ConfigModule.forRoot(environment),
        MetricsModule,
        DatabaseModule.withoutMigrations(),
        CountersModule,
        HttpModule,
        AuditModule,
        EventsModule,
        AccessModule,
        PagesModule,
        StaticModule.forFrontEnd(deskFrontEnd),
        NotFoundModule,
      ],
    };
  }
}

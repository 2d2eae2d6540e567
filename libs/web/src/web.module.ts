import { Authenticator, HealthChecks, RealmByHost } from '@annals/kernel';
import type { ModuleMetadata } from '@nestjs/common';
import { ConfigurableModuleBuilder, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, HttpAdapterHost } from '@nestjs/core';
import { BasicLogin } from './auth/basic-login';
import { ApiKeyStrategy } from './auth/api-key-strategy';
import type { CountersRedis } from './limits/counters';
import { Counters } from './limits/counters';
import { ApiAuthGuard } from './auth/api-auth.guard';
import { ErrorFilter } from './answer/error-filter';
import { HealthController } from './ops/health.controller';
import { HttpAdapter } from './http-adapter';
import { KeyAttempts } from './auth/key-attempts';
import { LoginAttempts } from './auth/login-attempts';
import { Metrics, MetricsController } from './ops/metrics';
import { ErrorPages } from './pages/error-pages';
import { PageAdmission } from './pages/page-admission';
import { MailRequests } from './limits/mail-requests';
import { OrganizationSlots } from './limits/organization-slots';
import { RateLimits } from './limits/rate-limits';
import { RealmAllowance } from './limits/realm-allowance';
import type { SlotLimits } from './limits/request-slots';
import { Routes } from './reference/routes';
import { TokenAdmission } from './auth/token-admission';
import { Traffic } from './limits/traffic';
import { Writes } from './auth/writes';

export interface WebOptions {
  /** `ANNALS_RATE_LIMITS`. */
  readonly rateLimits: boolean;
  /** A Redis for the counters of rate limits, shared by all processes. Without one, each process counts for itself. */
  readonly redis?: CountersRedis;
  /** Requests of one organization that are in progress at once (`ANNALS_REQUESTS_AT_ONCE`), and what differs beside it. */
  readonly requestSlots?: Partial<SlotLimits>;
  /** Endpoints with a command are refused with READ_ONLY_PAST. */
  readonly readOnly?: boolean;
}

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<WebOptions>()
  .setClassMethodName('forRoot')
  .setExtras<Pick<ModuleMetadata, 'imports'>>({ imports: [] }, (definition, { imports }) => ({
    ...definition,
    global: true,
    imports: [...(definition.imports ?? []), ...(imports ?? [])],
  }))
  .build();

/**
 * The guard, the filter, limits, health and metrics of an HTTP application. `imports` are the modules that provide
 * `Authenticator`, `RealmByHost` and `RealmFronts`.
 */
@Module({
  controllers: [HealthController, MetricsController],
  providers: [
    { provide: APP_GUARD, useClass: ApiAuthGuard },
    {
      provide: Writes,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: ({ readOnly }: WebOptions) => new Writes(readOnly !== true),
    },
    { provide: APP_FILTER, useClass: ErrorFilter },
    {
      provide: Routes,
      inject: [HttpAdapterHost],
      useFactory: ({ httpAdapter }: HttpAdapterHost<HttpAdapter>) => httpAdapter.routes,
    },
    { provide: Counters, inject: [MODULE_OPTIONS_TOKEN], useFactory: ({ redis }: WebOptions) => new Counters(redis) },
    {
      provide: RateLimits,
      inject: [Counters, MODULE_OPTIONS_TOKEN],
      useFactory: (counters: Counters, { rateLimits }: WebOptions) => new RateLimits(counters, rateLimits),
    },
    {
      provide: LoginAttempts,
      inject: [Counters, MODULE_OPTIONS_TOKEN],
      useFactory: (counters: Counters, { rateLimits }: WebOptions) => new LoginAttempts(counters, rateLimits),
    },
    {
      provide: MailRequests,
      inject: [Counters, MODULE_OPTIONS_TOKEN],
      useFactory: (counters: Counters, { rateLimits }: WebOptions) => new MailRequests(counters, rateLimits),
    },
    {
      provide: OrganizationSlots,
      inject: [RealmByHost, MODULE_OPTIONS_TOKEN],
      useFactory: (realms: RealmByHost, { requestSlots }: WebOptions) => new OrganizationSlots(realms, requestSlots),
    },
    {
      provide: KeyAttempts,
      inject: [Authenticator, Counters, MODULE_OPTIONS_TOKEN],
      useFactory: (authenticator: Authenticator, counters: Counters, { rateLimits }: WebOptions) =>
        new KeyAttempts(authenticator, counters, rateLimits),
    },
    ApiKeyStrategy,
    BasicLogin,
    RealmAllowance,
    PageAdmission,
    TokenAdmission,
    ErrorPages,
    HealthChecks,
    Metrics,
    Traffic,
  ],
  exports: [HealthChecks, LoginAttempts, MailRequests, Metrics, OrganizationSlots, Routes],
})
export class WebModule extends ConfigurableModuleClass {}

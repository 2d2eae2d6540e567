import type { INestApplicationContext } from '@nestjs/common';
import { Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Command, Query } from '@nestjs/cqrs';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { ContextDefinition } from '@annals/kernel';
import { DiskFileStore, FileStoreModule, Kernel, KernelModule } from '@annals/kernel';
import type { Actor, ManualClock, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import { ChannelEmails, ChannelsModule, channelsContext } from '@annals/channels';
import { filesContext } from '@annals/files';
import { ActorReader, GroupsModule, groupsContext } from '@annals/groups';
import { MessagesModule, messagesContext } from '@annals/messages';
import type { RealmRow } from '@annals/realm';
import { RealmFacts, RealmModule, ServerAddress, ServerFeatures, findRealm, realmContext } from '@annals/realm';
import { KeyEndings, SynchronizedDrafts, UserFacts, UsersModule, usersContext } from '@annals/users';
import { openTestKernel } from '../../../../test/support/server/kernel';
import type { OrganizationInput } from '../application/set-up-organization';
import { setUpOrganization } from '../application/set-up-organization';
import { onboardingContext } from '../onboarding.context';
import { OnboardingModule } from '../onboarding.module';

export const ADDRESS = 'https://chat.example.com';
export const OWNER_KEY = 'o'.repeat(32);
const ORIGIN = { client: 'test', correlation: '00000000-0000-4000-8000-000000000001', address: null };

export const CONTEXTS: readonly ContextDefinition[] = [
  realmContext,
  usersContext,
  groupsContext,
  channelsContext,
  filesContext,
  messagesContext,
  onboardingContext,
];

export const founding = (requested: Partial<OrganizationInput> = {}): OrganizationInput => ({
  organization: 'Meadow',
  ownerEmail: 'owner@example.com',
  ownerPassword: 'correct horse',
  ownerApiKey: OWNER_KEY,
  url: ADDRESS,
  ...requested,
});

/** One process on the database of an organization. */
export interface Process {
  readonly kernel: Kernel;
  execute<Result>(command: Command<Result>): Promise<Result>;
  ask<Result>(query: Query<Result>): Promise<Result>;
  get<T>(provider: abstract new (...dependencies: never[]) => T): T;
  /** The account as a request of it would have it now. */
  actor(userId: number): Promise<Actor>;
}

export interface Organization extends Process {
  readonly realmId: RealmId;
  readonly owner: UserId;
  readonly clock: ManualClock;
  settings(): Promise<RealmRow>;
  /** All events after a position. */
  log(after?: number): Promise<Recorded[]>;
  /** Opens another one on the same database. */
  another(): Promise<Process>;
  close(): Promise<void>;
}

/** An organization with its owner and everything but HTTP. */
export async function openOrganization(): Promise<Organization> {
  const test = await openTestKernel(CONTEXTS);
  await setUpOrganization(test.kernel, founding());
  const realmId = (await findRealm(test.kernel, '')) as RealmId;
  const { process, app } = await start(test.kernel, realmId);
  const others: INestApplicationContext[] = [];
  await test.kernel.fence.reach(realmId);
  const owner = (await app.get(UserFacts).idByEmail(realmId, 'owner@example.com')) as UserId;
  return {
    ...process,
    realmId,
    owner,
    clock: test.clock,
    settings: () => app.get(RealmFacts).of(realmId),
    log: (after = 0) => test.kernel.events.page(realmId, after, 1000),
    another: async () => {
      const other = await start(await Kernel.open(test.kernel.options), realmId);
      others.push(other.app);
      return other.process;
    },
    close: async () => {
      for (const one of [app, ...others]) await one.close();
      await test.drop();
    },
  };
}

/** The owners of devices and drafts do not matter here. */
@Global()
@Module({
  providers: [
    { provide: KeyEndings, useValue: { ended: () => Promise.resolve(), profileDeleted: () => Promise.resolve() } },
    { provide: SynchronizedDrafts, useValue: { discard: () => Promise.resolve() } },
    { provide: ChannelEmails, useValue: { addressOf: () => Promise.resolve('') } },
  ],
  exports: [ChannelEmails, KeyEndings, SynchronizedDrafts],
})
class NobodyHasDevicesDraftsOrMail {}

async function start(kernel: Kernel, realmId: RealmId): Promise<{ process: Process; app: INestApplicationContext }> {
  @Module({
    imports: [
      KernelModule.of(kernel),
      FileStoreModule.of(new DiskFileStore('/nowhere')),
      RealmModule.at(new ServerAddress(ADDRESS), new ServerFeatures(false, 100, null, false)),
      UsersModule,
      GroupsModule,
      ChannelsModule,
      MessagesModule,
      OnboardingModule,
      NobodyHasDevicesDraftsOrMail,
    ],
  })
  class Root {}
  const app = await NestFactory.createApplicationContext(Root, { logger: false, abortOnError: false });
  const process: Process = {
    kernel,
    execute: (command) => app.get(CommandBus).execute(command),
    ask: async (query) => {
      await kernel.fence.reach(realmId);
      return app.get(QueryBus).execute(query);
    },
    get: <T>(provider: abstract new (...dependencies: never[]) => T) => app.get<T>(provider),
    actor: async (userId) => {
      await kernel.fence.reach(realmId);
      return app.get(ActorReader).actor(realmId, userId, ORIGIN);
    },
  };
  return { process, app };
}

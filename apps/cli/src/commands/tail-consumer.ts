import type { ConsumerRow } from '@annals/consumers';
import { ConsumerFacts, ConsumerRights, PullPolls, PullingModule, SettleEvents, idOf } from '@annals/consumers';
import type { Kernel } from '@annals/kernel';
import { JsonLog, realmsKnown } from '@annals/kernel';
import { ServerAddress } from '@annals/realm';
import type { INestApplicationContext } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { contextModules } from '../../../shared/src/modules/context-modules';
import { defaultAddressOf } from '../../../shared/src/open-kernel';
import type { Settings } from '../../../shared/src/settings';

export interface ConsumerTail {
  readonly consumer: string;
  /** Left out: the organization that has a consumer of this name. */
  readonly realm: number | undefined;
  /** End instead of waiting for more. */
  readonly once: boolean;
}

interface Output {
  readonly write: (line: string) => Promise<void>;
  /** Aborts when the operator ends the command. Events that it has got are printed nevertheless. */
  readonly stopped: AbortSignal;
  /** Aborts when the reader closes the output. */
  readonly closed: AbortSignal;
}

/** The name of this worker among those of the consumer. */
const WORKER = 'annals-tail';
/** Events that are printed before they are acknowledged. */
const PAGE = 100;
const LEASE_MS = 60_000;
const WAIT_MS = 30_000;

@Module({})
class PullingProgram {}

/**
 * `annals tail --consumer`: the next events of a consumer, one CloudEvent a line, until it is stopped. Events are acknowledged once they
 * are printed, so the next run continues after them. Closes the kernel.
 *
 * @throws Error when there is no such consumer, or several organizations have one
 * @throws Rejected UNAUTHORIZED_AUDIT when its owner may not read it
 */
export async function tailConsumer(
  kernel: Kernel,
  settings: Settings,
  { consumer: name, realm, once }: ConsumerTail,
  output: Output,
): Promise<void> {
  const address = new ServerAddress(defaultAddressOf(settings));
  const imports = [...contextModules({ kernel, settings, address }), PullingModule];
  const program = { module: PullingProgram, imports };
  const app = await NestFactory.createApplicationContext(program, {
    logger: new JsonLog('error'),
    abortOnError: false,
  });
  try {
    await follow(app, await consumerNamed(kernel, app.get(ConsumerFacts), name, realm), once ? 0 : WAIT_MS, output);
  } finally {
    await app.close();
  }
}

async function consumerNamed(
  kernel: Kernel,
  facts: ConsumerFacts,
  name: string,
  realm: number | undefined,
): Promise<ConsumerRow> {
  await kernel.fence.look();
  const realms = (await realmsKnown(kernel.database.pool)).filter((id) => realm === undefined || id === realm);
  const all = await Promise.all(realms.map((realmId) => facts.all(realmId)));
  const [found, ...others] = all.flat().filter((consumer) => consumer.name === name);
  if (!found) throw new Error(`There is no consumer ${name}.`);
  if (others.length > 0) throw new Error(`Several organizations have a consumer ${name}. Choose one with --realm.`);
  return found;
}

async function follow(
  app: INestApplicationContext,
  consumer: ConsumerRow,
  waitMs: number,
  { write, stopped, closed }: Output,
): Promise<void> {
  const { realmId, view } = consumer;
  const [polls, settling] = [app.get(PullPolls), app.get(SettleEvents)];
  const owner = await app.get(ConsumerRights).ensure(consumer);
  const request = { consumer: consumer.name, worker: WORKER, limit: PAGE, leaseMs: LEASE_MS, waitMs };
  const disconnected = AbortSignal.any([stopped, closed]);
  while (!disconnected.aborted) {
    const { events, hasMore } = await polls.pull(owner, { ...request, disconnected });
    const printed: string[] = [];
    for (const { json, offset } of events) {
      await write(json);
      if (closed.aborted) break;
      printed.push(idOf(realmId, view, offset));
    }
    if (printed.length > 0) await settling.acknowledge(consumer, WORKER, { ids: printed });
    if (waitMs === 0 && events.length === 0 && !hasMore) return;
  }
}

import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { pino } from 'pino';
import { contexts } from '../../apps/shared/src/contexts';
import { brokenLaws } from '../support/laws/laws';
import { settled } from '../support/server/settled';
import { deliverableFrom, findingsOf } from './findings';
import type { Findings, Stored } from './findings';
import type { Made } from './recoveries';
import type { Soak } from './soak';
import type { System } from './system';
import { OURS } from './writer';

const PAGE = 5_000;
const REALM = 1 as RealmId;
/** How late something may be delivered after it could be, in ms. */
export const LATEST_MS = 10_000;

export interface Result extends Findings {
  /** Deliveries that came too late. */
  readonly late: readonly string[];
  /** The latest delivery of all. */
  readonly latest: string;
  /** Whatever else may not be. */
  readonly wrong: readonly string[];
  readonly stored: readonly Stored[];
  readonly deliveries: number;
}

/** Looks whether all is well with a server whose writers have stopped, once everybody has what is stored. */
export async function check(system: System, soak: Soak, faults: readonly Made[]): Promise<Result> {
  const kernel = await openKernel(system);
  try {
    const stored = await storedOf(kernel);
    await soak.delivered(stored.at(-1)?.position ?? 0);
    await soak.stop();
    const { writers, planner, listeners, left } = soak;
    const acknowledged = [...writers, planner].flatMap((author) => author.acknowledged);
    const heard = listeners.map((one) => {
      const positions = one.received.map(({ position }) => position);
      return { name: one.name, since: one.since, positions, toTheEnd: !left.has(one) };
    });
    const findings = findingsOf(
      acknowledged.map(({ text }) => text),
      stored,
      heard,
    );
    const ready = new Map(acknowledged.map(({ text, at }) => [text, Math.max(at, planner.due.get(text) ?? 0)]));
    const lateness = latenessOf(stored, ready, soak, faults);
    const wrong = [...system.unexpected, ...writersAndListenersWrong(soak), ...(await lawsBroken(kernel, system))];
    const deliveries = heard.reduce((sum, { positions }) => sum + positions.length, 0);
    return { ...findings, ...lateness, wrong, stored, deliveries };
  } finally {
    await kernel.close();
  }
}

const openKernel = ({ databaseUrl, redis }: System): Promise<Kernel> =>
  Kernel.open({ databaseUrl, redisUrl: redis?.url, contexts, log: pino({ level: 'fatal' }), poolSize: 4 });

/** Every text of the soak in the log: of messages that were sent, and of edits. */
async function storedOf(kernel: Kernel): Promise<Stored[]> {
  const stored: Stored[] = [];
  for (let after = 0; ;) {
    const page = await kernel.events.page(REALM, after, PAGE);
    const last = page.at(-1);
    if (!last) return stored;
    after = last.position;
    for (const { type, position, sealed } of page) {
      if (type !== 'messages.MessageSent' && type !== 'messages.ContentEdited') continue;
      const { content } = sealed as { content: string };
      if (content.startsWith(OURS)) stored.push({ text: content, position });
    }
  }
}

/** @param ready when each text was acknowledged, or due */
function latenessOf(
  stored: readonly Stored[],
  ready: ReadonlyMap<string, number>,
  { listeners }: Soak,
  faults: readonly Made[],
): Pick<Result, 'late' | 'latest'> {
  const possible = new Map<number, { text: string; from: number }>();
  for (const { text, position } of stored) {
    const at = ready.get(text);
    if (at !== undefined) possible.set(position, { text, from: deliverableFrom(at, faults) });
  }
  const late: string[] = [];
  let latest = { ms: 0, what: 'none' };
  for (const { name, received } of listeners) {
    for (const { position, at } of received) {
      const { text, from } = possible.get(position) ?? { text: '', from: at };
      const ms = Math.round(at - from);
      if (ms <= Math.min(latest.ms, LATEST_MS)) continue;
      const fault = faults.findLast(({ until }) => until <= at)?.kind ?? 'nothing';
      const what = `"${text}", handed to ${name} ${ms} ms after it could be, after ${fault}`;
      if (ms > LATEST_MS) late.push(what);
      if (ms > latest.ms) latest = { ms, what };
    }
  }
  return { late, latest: latest.what };
}

const writersAndListenersWrong = ({ writers, planner, listeners }: Soak): string[] => [
  ...[...writers, planner].flatMap(({ refused }) => refused),
  ...listeners.flatMap(({ name, wrong }) => wrong.map((what) => `${name}: ${what}`)),
];

/** What must hold of any log, and what `annals verify` says. */
async function lawsBroken(kernel: Kernel, system: System): Promise<string[]> {
  try {
    await settled(kernel);
    const broken = await brokenLaws(kernel);
    await system.annals('verify');
    return broken.map((one) => JSON.stringify(one));
  } catch (error) {
    return [String(error)];
  }
}

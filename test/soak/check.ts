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
  /** Other violations. */
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
    const { writers, planner, reader, listeners, left } = soak;
    const acknowledged = [...writers, planner].flatMap((author) => author.acknowledged);
    const delivered = listeners.map((one) => {
      const positions = one.received.map(({ position }) => position);
      return { name: one.name, since: one.since, positions, toTheEnd: !left.has(one) };
    });
    const findings = findingsOf(
      acknowledged.map(({ text }) => text),
      stored,
      delivered,
    );
    const ready = new Map(acknowledged.map(({ text, at }) => [text, Math.max(at, planner.due.get(text) ?? 0)]));
    const lateness = latenessOf(stored, ready, soak, faults);
    const broken = await lawsBroken(kernel, system);
    const latest = writers.flatMap(({ acknowledged }) => acknowledged.at(-1)?.text ?? []);
    const notFound = await reader.notFound(latest);
    const wrong = [...system.unexpected, ...wrongInSoak(soak), ...broken, ...notFound];
    const deliveries = delivered.reduce((sum, { positions }) => sum + positions.length, 0);
    const lost = [...findings.lost, ...(await reader.lost())];
    return { ...findings, lost, ...lateness, wrong, stored, deliveries };
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

const wrongInSoak = ({ writers, planner, reader, listeners }: Soak): string[] => [
  ...[...writers, planner, reader].flatMap(({ refused }) => refused),
  ...listeners.flatMap(({ name, wrong }) => wrong.map((what) => `${name}: ${what}`)),
];

/** The laws that the log breaks, and the findings of `annals verify`. */
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

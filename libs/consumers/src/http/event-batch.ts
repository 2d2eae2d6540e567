import { Readable } from 'node:stream';
import { Bytes, preferredType } from '@annals/web';
import type { RealmId } from '@annals/kernel/domain';
import { ReadyJson } from '@annals/kernel/domain';
import type { TakenEvents } from '../application/pull/take-events';
import { completedAt } from '../read/offsets';

/** Events without the envelope (CloudEvents, JSON batch format). */
const BATCH = 'application/cloudevents-batch+json';

/** Whether a caller asks for the bare batch. */
export const prefersBatch = (accept: string | undefined): boolean =>
  preferredType(accept, ['application/json', BATCH, 'text/event-stream']) === BATCH;

/** The answer to a worker: in the envelope, or the bare batch. */
export function presentTaken(realmId: RealmId, { events, readTo, head }: TakenEvents, isBatch: boolean) {
  const text = `[${events.map(({ json }) => json).join(',')}]`;
  if (isBatch) return batch(text);
  return { events: new ReadyJson(text), cursor: events.at(-1)?.id ?? `${realmId}/${completedAt(readTo)}`, head };
}

function batch(text: string): Bytes {
  const body = Buffer.from(text);
  const headers = { 'Content-Type': `${BATCH}; charset=utf-8`, 'Content-Length': String(body.length) };
  return new Bytes(200, { ...headers, 'Cache-Control': 'no-store' }, Readable.from([body]));
}

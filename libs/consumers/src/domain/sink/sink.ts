import { defineAggregate, fact } from '@annals/kernel/domain';
import type { ConsumerState } from '../consumer';
import { reject } from '../rejections';
import type { SinkEvents } from './sink-events';
import { SinkEnded, SinkSet } from './sink-events';
import type { SinkTarget } from './sink-target';

/** A sink as rules need it. */
export interface SinkState {
  /** Null once it was erased. */
  readonly target: SinkTarget | null;
}

/** Null before it was set and after it was ended. */
export const sinkAggregate = defineAggregate<SinkState | null, SinkEvents>('consumer-sink', null, (_, event) => {
  switch (event.type) {
    case 'consumers.SinkSet': {
      const { data, sealed } = event;
      return { target: sealed === 'erased' ? null : { kind: data.kind, ...sealed } };
    }
    case 'consumers.SinkEnded':
      return null;
  }
});

type Owned = Pick<ConsumerState, 'id' | 'ownerId'>;

const ofConsumer = ({ id: consumerId, ownerId }: Owned) => ({ consumerId, ownerId });

/** Equal values give no event (contract/feed.md section 7). */
export function setSink(state: SinkState | null, consumer: Owned, target: SinkTarget): SinkSet[] {
  if (state?.target && isSame(state.target, target)) return [];
  const { kind, servers, stream, subjectPrefix, credentials } = target;
  const sealed = { servers: [...servers], stream, subjectPrefix, credentials };
  return [fact(SinkSet, { ...ofConsumer(consumer), kind }, sealed)];
}

/** @throws Rejected BAD_REQUEST if there is none */
export function endSink(state: SinkState | null, consumer: Owned): SinkEnded[] {
  if (!state) throw reject.noSink();
  return [fact(SinkEnded, ofConsumer(consumer))];
}

const isSame = (one: SinkTarget, other: SinkTarget): boolean =>
  one.kind === other.kind &&
  one.stream === other.stream &&
  one.subjectPrefix === other.subjectPrefix &&
  one.credentials === other.credentials &&
  one.servers.length === other.servers.length &&
  one.servers.every((server, n) => server === other.servers[n]);

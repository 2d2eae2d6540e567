import type { FactOf } from '@annals/kernel/domain';
import { defineEvent, nullable, t, words } from '@annals/kernel/domain';
import { ofConsumer, subjectsOf } from '../of-consumer';
import { SINK_KINDS } from './sink-target';

/** Stream `consumer-sink-{consumer}`, like all others: the server stores the events of the consumer in another system. */
export const SinkSet = defineEvent('consumers.SinkSet', {
  data: t.Object({ ...ofConsumer, kind: words(...SINK_KINDS) }),
  sealed: t.Object({
    servers: t.Array(t.String()),
    stream: t.String(),
    subjectPrefix: t.String(),
    /** Their name. They are in the settings of the server. */
    credentials: nullable(t.String()),
  }),
  subjects: subjectsOf,
});
export type SinkSet = FactOf<typeof SinkSet>;

/** Workers pull the events of the consumer again. */
export const SinkEnded = defineEvent('consumers.SinkEnded', {
  data: t.Object(ofConsumer),
  subjects: subjectsOf,
});
export type SinkEnded = FactOf<typeof SinkEnded>;

export type SinkEvents = SinkSet | SinkEnded;

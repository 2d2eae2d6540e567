import { nullable, t, words } from '@annals/kernel/domain';
import { VIEWS } from '../domain/events';
import { STATES } from '../read/consumer-progress';

/** A consumer (contract/feed.md section 2). */
export const consumerShape = t.Object(
  {
    name: t.String(),
    owner_id: t.Integer(),
    view: words(...VIEWS),
    types: nullable(t.Array(t.String())),
    subjects: nullable(t.Array(t.String())),
    words: t.Boolean(),
    state: words(...STATES),
    position: t.Integer({ description: 'Everything up to it is acknowledged or skipped.' }),
    head: t.Integer({ description: 'The newest position of the organization.' }),
    lag: t.Object(
      { events: t.Integer(), seconds: t.Integer() },
      { description: 'Positions that are neither settled nor parked, and the age of the oldest of them.' },
    ),
    in_flight: t.Integer({ description: 'Events that are leased to workers.' }),
    parked: t.Integer(),
    delivery: words('pull', 'webhook', 'sink'),
    created_at: t.String(),
  },
  { $id: 'Consumer' },
);

/** An event as consumers get it (contract/feed.md section 3): a CloudEvent 1.0. */
export const cloudEventShape = t.Object(
  {
    specversion: t.Literal('1.0'),
    id: t.String({ description: 'The same in every delivery.' }),
    source: t.String(),
    type: t.String(),
    subject: t.Optional(t.String()),
    time: t.String(),
    datacontenttype: t.Literal('application/json'),
    dataschema: t.String(),
    sequence: t.String(),
    annalsactor: t.Optional(t.Integer()),
    annalscorrelation: t.Optional(t.String()),
    annalscausation: t.Optional(t.String()),
    annalswords: t.Optional(words('erased', 'withheld')),
    partitionkey: t.String({ description: 'Events with one key are offered in order.' }),
    data: t.Unknown(),
  },
  { $id: 'CloudEvent' },
);

/** An event that failed too often, or that a worker parked. */
export const parkedShape = t.Object({
  id: t.String(),
  event: nullable(cloudEventShape),
  attempts: t.Integer(),
  at: t.String({ description: 'When it was parked.' }),
});

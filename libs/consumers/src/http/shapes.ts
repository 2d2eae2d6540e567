import { nullable, t, words } from '@annals/kernel/domain';
import { VIEWS } from '../domain/events';
import { STATES } from '../read/standing';

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

import { nullable, t, words } from '@annals/kernel/domain';

/** An event of the trail (contract/audit.md section 2.1). */
export const entryShape = t.Object(
  {
    position: t.Integer(),
    id: t.String(),
    type: t.String(),
    version: t.Integer(),
    at: t.String(),
    actor: nullable(t.Object({ user_id: t.Integer(), full_name: t.String(), role: t.Integer(), is_bot: t.Boolean() })),
    sentence: t.String(),
    subjects: t.Array(t.Object({ kind: t.String(), id: t.Integer() })),
    data: t.Unknown(),
    words: t.Unknown(),
    words_state: words('shown', 'withheld', 'erased', 'none'),
    changes: t.Array(t.Object({ property: t.String(), before: t.Unknown(), after: t.Unknown() })),
    request: t.Object({ id: t.String(), client: t.String(), address: nullable(t.String()) }),
  },
  { $id: 'TrailEntry' },
);

/** A page of events. */
export const pageShape = {
  events: t.Array(entryShape),
  /** For the next page; null when there is none. */
  next_cursor: nullable(t.String()),
  /** The newest position of the organization. */
  head: t.Integer(),
};

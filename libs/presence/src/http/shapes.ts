import { t } from '@annals/kernel/domain';

const status = t.Union([t.Literal('active'), t.Literal('idle')]);
const client = { client: t.Literal('website'), status, timestamp: t.Integer() };

/** contract/realtime.md section 8 */
const modernShape = { active_timestamp: t.Integer(), idle_timestamp: t.Integer() };

const legacyShape = t.Object({
  aggregated: t.Object(client),
  website: t.Object({ ...client, pushable: t.Literal(false) }),
});

const legacyListShape = t.Record(t.String(), legacyShape, { description: 'By email.' });

export const serverTimestamp = t.Number({ description: 'UNIX seconds.' });

export const legacyAnswerShape = t.Object({ presences: legacyListShape, server_timestamp: serverTimestamp });

export const pingAnswerShape = t.Object({
  presences: t.Optional(
    t.Union([legacyListShape, t.Record(t.String(), t.Object(modernShape), { description: 'By user id.' })]),
  ),
  presence_last_update_id: t.Optional(t.Integer({ minimum: -1 })),
  server_timestamp: t.Optional(serverTimestamp),
});

export const onePresenceShape = t.Object({
  presence: t.Object({
    ...modernShape,
    aggregated: t.Object({
      status: t.Union([t.Literal('active'), t.Literal('idle'), t.Literal('offline')]),
      timestamp: t.Integer(),
    }),
    website: t.Object({ status, timestamp: t.Integer() }),
  }),
  server_timestamp: serverTimestamp,
});

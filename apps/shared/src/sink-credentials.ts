import type { SinkCredential } from '@annals/consumers';
import { t } from '@annals/kernel/domain';
import { Value } from '@sinclair/typebox/value';

const text = t.String({ minLength: 1 });
const optional = t.Optional(text);

/** How this server logs in at an engine: `SinkCredential`. */
const credential = t.Object(
  {
    servers: t.Array(text, { minItems: 1 }),
    organizations: t.Optional(t.Array(t.Integer({ minimum: 1 }))),
    username: optional,
    password: optional,
    token: optional,
    creds: optional,
    mechanism: t.Optional(t.Union([t.Literal('PLAIN'), t.Literal('SCRAM-SHA-256'), t.Literal('SCRAM-SHA-512')])),
    tls: t.Optional(t.Boolean()),
    ca: optional,
    cert: optional,
    key: optional,
  },
  { additionalProperties: false },
);

const credentials = t.Record(t.String({ pattern: '^[a-z0-9._-]{1,60}$' }), credential, { additionalProperties: false });

/**
 * The credentials of the settings, by name.
 *
 * @throws Error that says where the text is wrong, without a part of it
 */
export function readSinkCredentials(json = '{}'): Readonly<Record<string, SinkCredential>> {
  let read: unknown;
  try {
    read = JSON.parse(json);
  } catch {
    throw new Error('it is no JSON');
  }
  for (const { path, message } of Value.Errors(credentials, read)) throw new Error(`${path || '/'}: ${message}`);
  return Value.Decode(credentials, read);
}

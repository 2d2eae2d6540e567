import type { Static } from '@annals/kernel/domain';
import { t, words } from '@annals/kernel/domain';

const text = t.String({ minLength: 1 });
const optional = t.Optional(text);
const texts = t.Optional(t.Array(text, { minItems: 1 }));
const strict = { additionalProperties: false };

const attributes = t.Object(
  {
    email: optional,
    username: optional,
    full_name: optional,
    first_name: optional,
    last_name: optional,
    avatar: optional,
    deactivated: optional,
    id: optional,
    member_of: optional,
    custom_profile_fields: t.Optional(t.Record(text, text)),
  },
  strict,
);

const groupSearch = t.Object({ base: text, filter: optional, member: optional }, strict);

const roles = t.Object(
  {
    owner: texts,
    administrator: texts,
    moderator: texts,
    member: texts,
    guest: texts,
    otherwise: t.Optional(words('owner', 'administrator', 'moderator', 'member', 'guest')),
  },
  strict,
);

const synchronization = t.Object(
  {
    every_minutes: t.Optional(t.Integer({ minimum: 5, maximum: 10_080 })),
    filter: optional,
    max_minutes: t.Optional(t.Integer({ minimum: 1, maximum: 1_440 })),
    max_deactivated_percent: t.Optional(t.Integer({ minimum: 0, maximum: 100 })),
  },
  strict,
);

/** A directory in the file of ways to log in. */
export const ldap = t.Object(
  {
    /** As for every provider. */
    organizations: t.Optional(t.Array(t.String(), { minItems: 1 })),
    servers: t.Array(text, { minItems: 1 }),
    start_tls: t.Optional(t.Boolean()),
    ca_file: optional,
    bind_dn: optional,
    bind_password: optional,
    bind_password_file: optional,
    search_base: text,
    search_filter: text,
    email_domain: t.Optional(t.String({ pattern: '^[A-Za-z0-9.-]+$' })),
    attributes: t.Optional(attributes),
    group_search: t.Optional(groupSearch),
    roles: t.Optional(roles),
    user_groups: t.Optional(t.Record(text, text)),
    synchronization: t.Optional(synchronization),
    timeout_seconds: t.Optional(t.Integer({ minimum: 1, maximum: 60 })),
  },
  strict,
);

export type LdapFileEntry = Static<typeof ldap>;

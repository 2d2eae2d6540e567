import type { Static } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { ldap } from './ldap-schema';

const text = t.String({ minLength: 1 });
const optional = t.Optional(text);
const strict = { additionalProperties: false };

const OFFERED = {
  /** Names of organizations; `""` is the one at the server's own address. Left out: all. */
  organizations: t.Optional(t.Array(t.String(), { minItems: 1 })),
};
const BUTTON = {
  display_name: optional,
  display_icon: optional,
  /** People who may join do so without being asked. */
  auto_signup: t.Optional(t.Boolean()),
};

const oidc = t.Object(
  {
    ...OFFERED,
    ...BUTTON,
    issuer: text,
    client_id: text,
    client_secret: optional,
    client_secret_file: optional,
    scopes: t.Optional(t.Array(text)),
    claims: t.Optional(t.Object({ email: optional, email_verified: optional, full_name: optional }, strict)),
    all_emails_verified: t.Optional(t.Boolean()),
  },
  strict,
);

const saml = t.Object(
  {
    ...OFFERED,
    ...BUTTON,
    metadata_file: optional,
    entity_id: optional,
    sso_url: optional,
    certificates: t.Optional(t.Array(text, { minItems: 1 })),
    certificate_files: t.Optional(t.Array(text, { minItems: 1 })),
    attributes: t.Optional(
      t.Object({ email: optional, full_name: optional, first_name: optional, last_name: optional }, strict),
    ),
    all_emails_verified: t.Optional(t.Boolean()),
    idp_initiated: t.Optional(t.Boolean()),
    sign_requests: t.Optional(t.Boolean()),
  },
  strict,
);

const samlService = t.Object({ private_key_file: text, certificate_file: text }, strict);

const jwt = t.Object(
  {
    ...OFFERED,
    algorithm: t.Union([t.Literal('HS256'), t.Literal('RS256'), t.Literal('ES256')]),
    key: optional,
    key_file: optional,
    issuer: optional,
    audience: optional,
    lasting_tokens: t.Optional(t.Boolean()),
  },
  strict,
);

const header = t.Object(
  {
    ...OFFERED,
    ...BUTTON,
    header: t.String({ pattern: '^[A-Za-z0-9-]{1,60}$' }),
    networks: t.Array(text, { minItems: 1 }),
    email_domain: optional,
    full_name_header: t.Optional(t.String({ pattern: '^[A-Za-z0-9-]{1,60}$' })),
  },
  strict,
);

const named = <S extends ReturnType<typeof t.Object>>(schema: S) =>
  t.Optional(t.Record(t.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,39}$' }), schema, strict));

/** The file that `ANNALS_SIGN_ON_FILE` names. Each part has the providers of one kind by their names. */
export const signOnFile = t.Object(
  {
    openid_connect: named(oidc),
    saml: named(saml),
    saml_service: t.Optional(samlService),
    jwt: named(jwt),
    trusted_header: named(header),
    ldap: named(ldap),
  },
  strict,
);

export type OidcEntry = Static<typeof oidc>;
export type SamlEntry = Static<typeof saml>;
export type SamlServiceEntry = Static<typeof samlService>;
export type JwtEntry = Static<typeof jwt>;
export type HeaderEntry = Static<typeof header>;
export type SignOnFile = Static<typeof signOnFile>;

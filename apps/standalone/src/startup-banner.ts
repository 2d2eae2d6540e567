import type { KeyRefusal } from './credentials';

/** The users who may log in, and how. */
export interface Owner {
  readonly ownerEmail: string;
  /** Unknown when the organization was created elsewhere or its zuliprc is missing. */
  readonly apiKey: string | undefined;
  /** Why the server refuses that key. */
  readonly refusal: KeyRefusal | null;
}

/** The text on the terminal once everything runs. */
export interface StartupFacts extends Owner {
  readonly address: string;
  readonly zuliprc: string;
  readonly data: string;
  readonly queues: string;
  readonly mail: string;
}

/** The text that ends the start, with a curl line that works when pasted. */
export function startupBanner({
  address,
  ownerEmail,
  apiKey,
  refusal,
  zuliprc,
  data,
  queues,
  mail,
}: StartupFacts): string {
  const isGood = apiKey !== undefined && refusal === null;
  const curl = isGood
    ? `curl -sS -u ${quoted(`${ownerEmail}:${apiKey}`)} ${address}/api/v1/users/me`
    : `curl -sS ${address}/api/v1/server_settings`;
  const key = isGood ? `${apiKey}  (also in ${zuliprc})` : missingKey({ ownerEmail, refusal, zuliprc });
  return [
    '',
    'Annals is running.',
    '',
    `  Address   ${address}`,
    `  Owner     ${ownerEmail}`,
    `  API key   ${key}`,
    `  Data      ${data}`,
    `  Queues    ${queues}`,
    `  Mail      ${mail}`,
    '',
    `  ${curl}`,
    '',
    'Ctrl-C stops it. The data stays.',
    '',
  ].join('\n');
}

function missingKey({
  ownerEmail,
  refusal,
  zuliprc,
}: Pick<StartupFacts, 'ownerEmail' | 'refusal' | 'zuliprc'>): string {
  if (refusal === 'organization')
    return `in ${zuliprc}, but the organization is deactivated; take that back: npm run annals -- organizations reactivate 1`;
  const missing = refusal === 'key' ? `the one in ${zuliprc} is no longer valid` : `unknown, not in ${zuliprc}`;
  return `${missing}; issue another one: npm run annals -- key ${quoted(ownerEmail)}`;
}

/** As one word of a shell command. */
const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

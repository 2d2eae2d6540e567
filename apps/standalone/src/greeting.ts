/** What a person at the terminal wants to know once everything runs. */
export interface Facts {
  readonly address: string;
  readonly ownerEmail: string;
  /** Unknown when the organization was created elsewhere or its zuliprc is gone. */
  readonly apiKey: string | undefined;
  readonly zuliprc: string;
  readonly data: string;
  readonly queues: string;
}

/** The text that ends the start, with a curl line that works when pasted. */
export function greeting({ address, ownerEmail, apiKey, zuliprc, data, queues }: Facts): string {
  const curl = apiKey
    ? `curl -sS -u ${quoted(`${ownerEmail}:${apiKey}`)} ${address}/api/v1/users/me`
    : `curl -sS ${address}/api/v1/server_settings`;
  const key = apiKey
    ? `${apiKey}  (also in ${zuliprc})`
    : `not in ${zuliprc}; a new one: npm run annals -- key ${quoted(ownerEmail)}`;
  return [
    '',
    'Annals is running.',
    '',
    `  Address   ${address}`,
    `  Owner     ${ownerEmail}`,
    `  API key   ${key}`,
    `  Data      ${data}`,
    `  Queues    ${queues}`,
    '',
    `  ${curl}`,
    '',
    'Ctrl-C stops it; the data stays.',
    '',
  ].join('\n');
}

/** As one word of a shell command. */
const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { secrets } from '../laws/secrets';
import type { Answer, Params } from '../server/caller';
import type { Person } from '../server/organization';
import type { TestServer } from '../server/server';

/** A golden delivery: see `libs/integrations/src/domain/golden.spec.ts`. */
export interface GoldenDelivery {
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly messages: readonly { readonly topic: string; readonly lines: readonly string[] }[];
}

export const goldenDelivery = (integration: string, name: string): GoldenDelivery =>
  JSON.parse(
    readFileSync(join(__dirname, '../../../libs/integrations/golden', integration, `${name}.json`), 'utf8'),
  ) as GoldenDelivery;

/** What another system sends. A text is sent as it is, everything else as JSON. */
export interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Sends a delivery as another system does, to the URL of a bot. */
export async function deliver(
  server: TestServer,
  bot: Pick<Person, 'key'>,
  integration: string,
  { body = {}, headers = {} }: Sent = {},
  options: Params = {},
): Promise<Answer> {
  secrets.add('key', bot.key);
  const query = new URLSearchParams({ api_key: bot.key });
  for (const [name, value] of Object.entries(options)) query.set(name, asText(value));
  const path = `/api/v1/external/${integration}`;
  const response = await fetch(`${server.url}${path}?${query.toString()}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: asText(body),
  });
  const answer = (await response.json()) as Answer['body'];
  secrets.exchanged({}, { status: response.status, body: answer });
  if (response.ok) server.answered('POST', path, answer);
  return { status: response.status, body: answer, headers: response.headers };
}

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Instant } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import fc from 'fast-check';
import type { IncomingDelivery, EventMessage, Integration } from './integration';
import { INTEGRATIONS, URL_OPTIONS } from './integrations';
import { postsFor } from './posts';

const AT = Date.UTC(2026, 0, 1) as Instant;
const delivery = (payload: unknown, headers: Readonly<Record<string, string>> = {}): IncomingDelivery => ({
  payload,
  header: (name) => headers[name],
  options: {},
  hasTopic: false,
  at: AT,
});
const ALL = { only: null, exclude: [] };
const says = (messages: readonly EventMessage[]): Integration => ({
  name: 'toy',
  displayName: 'Toy',
  caller: 'Toy',
  eventTypes: ['made', 'broken'],
  options: [],
  translate: () => messages,
});
const message = (event: string, topic = 'toys') => ({ topic, content: event, event });

describe('the posts of a delivery', () => {
  it('are the messages whose events the URL wants', () => {
    const both = says([message('made'), message('broken')]);
    expect(postsFor(both, delivery({}), ALL)).toMatchObject({ messages: [{ event: 'made' }, { event: 'broken' }] });
    expect(postsFor(both, delivery({}), { ...ALL, exclude: ['b*'] })).toMatchObject({ messages: [{ event: 'made' }] });
  });

  it('have topics that can be stored', () => {
    const { messages } = postsFor(says([message('made', ' two\r\nlines\u0000 \ufdd0')]), delivery({}), ALL) as {
      messages: EventMessage[];
    };
    expect(messages.map(({ topic }) => topic)).toEqual(['two lines']);
  });

  it('are few enough for one request', () => {
    const many = says(Array.from({ length: 51 }, () => message('made')));
    expect(() => postsFor(many, delivery({}), ALL)).toThrow('50 messages at most');
    expect(postsFor(many, delivery({}), { ...ALL, only: ['broken'] })).toEqual({ messages: [] });
  });
});

describe('the table of integrations', () => {
  it('is in the order of the names, which are different and fit into a URL', () => {
    const names = INTEGRATIONS.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort());
    for (const name of names) expect(name).toMatch(/^[a-z_]+$/);
  });

  it('has client names that messages can have', () => {
    for (const { caller } of INTEGRATIONS) expect(`Zulip${caller}Webhook`).toMatch(/^\w{1,30}$/);
  });

  it('has options that mean the same everywhere', () => {
    const all = INTEGRATIONS.flatMap(({ options }) => options);
    for (const option of all) expect(URL_OPTIONS).toContainEqual(option);
  });
});

const ROOT = join(__dirname, '..', '..', 'golden');
interface Golden {
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload: unknown;
}
const golden = INTEGRATIONS.flatMap((integration) =>
  readdirSync(join(ROOT, integration.name)).map((file) => {
    const text = readFileSync(join(ROOT, integration.name, file), 'utf8');
    return { integration, ...(JSON.parse(text) as Golden) };
  }),
);

/** The value with another one at the n-th place of all its parts. */
function changed(value: unknown, n: { left: number }, other: unknown): unknown {
  if (n.left-- === 0) return other;
  if (Array.isArray(value)) return value.map((item) => changed(item, n, other));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, changed(item, n, other)]));
}

/** Whether it is translated or refused. Anything else is an error of the integration. */
function isAnswered(integration: Integration, about: IncomingDelivery): boolean {
  try {
    postsFor(integration, about, ALL);
    integration.deliveryId?.(about);
    integration.asksForAccount?.(about.payload);
    return true;
  } catch (error) {
    return error instanceof Rejected;
  }
}

describe('any payload', () => {
  it('is translated or refused', () => {
    const headers = { 'X-GitHub-Event': 'push', 'X-GitLab-Event': 'Push Hook' };
    const property = fc.property(fc.constantFrom(...INTEGRATIONS), fc.jsonValue({ maxDepth: 4 }), (one, payload) =>
      isAnswered(one, delivery(payload, headers)),
    );
    fc.assert(property, { numRuns: 300 });
  });

  it('that is a good one with another part is translated or refused', () => {
    const others = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom('__proto__', 'constructor', 'toString', '', '\n'),
    );
    const property = fc.property(fc.constantFrom(...golden), fc.nat(60), others, (one, left, other) =>
      isAnswered(one.integration, delivery(changed(one.payload, { left }, other), one.headers)),
    );
    fc.assert(property, { numRuns: 2_000 });
  });
});

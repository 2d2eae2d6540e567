import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Instant } from '@annals/kernel/domain';
import type { IncomingDelivery, EventMessage } from './integration';
import { INTEGRATIONS } from './integrations';

/**
 * A payload as the public documentation of its sender shows it, without what no message needs, and what is made of it. The
 * lines of a message are apart, so that a reader sees it as it is.
 */
interface Golden {
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: IncomingDelivery['options'];
  readonly hasTopic?: boolean;
  readonly payload: unknown;
  readonly messages?: readonly (Omit<EventMessage, 'content'> & { readonly lines: readonly string[] })[];
  readonly unsupported?: string;
}

const ROOT = join(__dirname, '..', '..', 'golden');
/** The time at which every payload arrives. */
const AT = Date.UTC(2026, 0, 1) as Instant;

function deliveryOf({ headers = {}, options = {}, hasTopic = false, payload }: Golden): IncomingDelivery {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { payload, header: (name) => byName.get(name.toLowerCase()), options, hasTopic, at: AT };
}

const casesOf = (integration: string) =>
  readdirSync(join(ROOT, integration)).map((file) => ({
    name: file.replace(/\.json$/, ''),
    golden: JSON.parse(readFileSync(join(ROOT, integration, file), 'utf8')) as Golden,
  }));

it('every integration has golden payloads, and each of them an integration', () => {
  expect(readdirSync(ROOT).sort()).toEqual(INTEGRATIONS.map(({ name }) => name).sort());
});

describe.each(INTEGRATIONS.map((one) => [one.name, one] as const))('%s', (name, { translate, eventTypes }) => {
  it.each(casesOf(name).map((one) => [one.name, one.golden] as const))('makes of %s what is written', (_, golden) => {
    const { messages, unsupported } = golden;
    const translation = translate(deliveryOf(golden));
    if ('unsupported' in translation) return expect(translation).toEqual({ unsupported });
    expect(translation.map(({ content, ...rest }) => ({ ...rest, lines: content.split('\n') }))).toEqual(messages);
    for (const { event } of translation) expect(eventTypes ?? [undefined]).toContain(event);
  });
});

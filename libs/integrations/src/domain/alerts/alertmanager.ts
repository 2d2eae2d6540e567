import type { Static } from '@annals/kernel/domain';
import { t, words } from '@annals/kernel/domain';
import type { IncomingDelivery, EventMessage, Integration } from '../integration';
import { link } from '../shared/markdown';
import { maybe, readerOf, textOption, textsByName } from '../shared/payload';

const ALERTMANAGER = 'Alertmanager';

const alert = t.Object({
  status: words('firing', 'resolved'),
  labels: maybe(textsByName),
  annotations: maybe(textsByName),
  generatorURL: maybe(t.String()),
});
type Alert = Static<typeof alert>;
const read = readerOf(ALERTMANAGER, t.Object({ alerts: t.Array(alert) }));

const DEFAULT_ICON = ':alert:';
/** Emoji by the label `severity`. */
const ICONS = new Map([
  ...['warning', 'warn', 'major'].map((severity) => [severity, ':warning:'] as const),
  ...['info', 'notice', 'low', 'debug'].map((severity) => [severity, ':info:'] as const),
]);

function iconOf({ status, labels }: Alert): string {
  if (status === 'resolved') return ':squared_ok:';
  return ICONS.get((labels?.['severity'] ?? '').toLowerCase()) ?? DEFAULT_ICON;
}

/** A label or annotation with this name. */
const fieldOf = ({ labels, annotations }: Alert, name: string): string | undefined => {
  for (const values of [labels, annotations]) if (values && Object.hasOwn(values, name)) return values[name];
  return undefined;
};

function lineOf(one: Alert, described: string): string {
  const text = fieldOf(one, described) ?? `<missing field: ${described}>`;
  const source = one.generatorURL ? ` (${link('source', one.generatorURL.replace('tab=1', 'tab=0'))})` : '';
  return `${iconOf(one)} ${text}${source}`;
}

/** One message for each topic and status. */
function translate(delivery: IncomingDelivery): readonly EventMessage[] {
  const named = textOption(delivery, 'name') ?? 'instance';
  const described = textOption(delivery, 'desc') ?? 'alertname';
  const topics = new Map<string, Record<Alert['status'], string[]>>();
  for (const one of read(delivery.payload).alerts) {
    const topic = fieldOf(one, named) ?? '(unknown)';
    const lines = topics.get(topic) ?? { firing: [], resolved: [] };
    lines[one.status].push(lineOf(one, described));
    topics.set(topic, lines);
  }
  return [...topics].flatMap(([topic, { firing, resolved }]) => [
    ...messageOf(topic, 'FIRING', firing),
    ...messageOf(topic, 'Resolved', resolved),
  ]);
}

function messageOf(topic: string, title: string, lines: readonly string[]): EventMessage[] {
  if (lines.length === 0) return [];
  const content = lines.length === 1 ? ` ${lines[0]}` : `\n${lines.map((line) => `* ${line}`).join('\n')}`;
  return [{ topic, content: `**${title}**${content}` }];
}

export const alertmanager: Integration = {
  name: 'alertmanager',
  displayName: 'Prometheus Alertmanager',
  caller: ALERTMANAGER,
  eventTypes: null,
  options: [
    { name: 'name', label: 'Label or annotation that names the topic', kind: 'text' },
    { name: 'desc', label: 'Label or annotation that describes the alert', kind: 'text' },
  ],
  translate,
};

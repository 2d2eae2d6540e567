import type { Static } from '@annals/kernel/domain';
import { t, words } from '@annals/kernel/domain';
import type { EventMessage, Integration } from '../integration';
import { globalTime, link } from '../shared/markdown';
import { maybe, readerOf, textsByName } from '../shared/payload';

const GRAFANA = 'Grafana';
/** How Grafana writes that an alert has not ended. */
const NO_END = '0001-01-01T00:00:00Z';

const alert = t.Object({
  status: words('firing', 'resolved'),
  labels: textsByName,
  annotations: maybe(textsByName),
  startsAt: t.String(),
  endsAt: t.String(),
  values: maybe(t.Record(t.String(), t.Unknown())),
  valueString: maybe(t.String()),
  fingerprint: maybe(t.String()),
  generatorURL: maybe(t.String()),
  silenceURL: maybe(t.String()),
  imageURL: maybe(t.String()),
});
const group = t.Object({ alerts: t.Array(alert) });

/** Before version 8, with one alert each. */
const legacy = t.Object({
  title: t.String(),
  ruleName: t.String(),
  ruleUrl: t.String(),
  state: words('no_data', 'paused', 'alerting', 'ok', 'pending', 'unknown'),
  message: maybe(t.String()),
  imageUrl: maybe(t.String()),
  evalMatches: maybe(t.Array(t.Object({ metric: t.String(), value: maybe(t.Number()) }))),
});

const isGroup = (payload: unknown): boolean => typeof payload === 'object' && payload !== null && 'alerts' in payload;
const readGroup = readerOf(GRAFANA, group);
const readLegacy = readerOf(GRAFANA, legacy);

const headline = (icon: string, state: string) => `:${icon}: **${state.toUpperCase()}**\n\n`;

const list = (values: Readonly<Record<string, unknown>>): string =>
  Object.entries(values)
    .map(([name, value]) => `- ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}\n`)
    .join('');

function valuesOf({ values, valueString }: Static<typeof alert>): string {
  if (values && Object.keys(values).length > 0) return `Values:\n${list(values)}\n`;
  return valueString ? `Values:\n${valueString}\n\n` : '';
}

function linksOf({ generatorURL, silenceURL, imageURL }: Static<typeof alert>): string {
  const links = [
    ['Generator', generatorURL],
    ['Silence', silenceURL],
    ['Image', imageURL],
  ] as const;
  return links.map(([name, url]) => (url ? `\n${link(name, url)}` : '')).join('');
}

function messageOf(one: Static<typeof alert>): EventMessage {
  const { status, labels, annotations, startsAt, endsAt, fingerprint } = one;
  const name = labels['alertname'] ?? '';
  const parts = [
    headline(status === 'firing' ? 'alert' : 'checkbox', status),
    name === '' ? '' : `**${name}**\n\n`,
    `This alert was fired at ${globalTime(startsAt)}.`,
    endsAt === NO_END ? '' : `\n\nThis alert was resolved at ${globalTime(endsAt)}.`,
    Object.keys(labels).length > 0 ? `\n\nLabels:\n${list(labels)}\n` : '',
    valuesOf(one),
    annotations && Object.keys(annotations).length > 0 ? `Annotations:\n${list(annotations)}` : '',
    linksOf(one),
  ];
  return { topic: `[${name || (fingerprint ?? 'alert')}]`, content: parts.join(''), event: status };
}

const LEGACY_ICONS: Readonly<Record<string, string>> = { alerting: 'alert', ok: 'squared_ok' };

function legacyMessageOf(payload: Static<typeof legacy>): EventMessage {
  const { title, ruleName, ruleUrl, state, message, imageUrl, evalMatches } = payload;
  const matches = (evalMatches ?? []).map(({ metric, value }) => `**${metric}:** ${value ?? 'None'}\n`).join('');
  const content = [
    headline(LEGACY_ICONS[state] ?? 'info', state),
    `${link(ruleName, ruleUrl)}\n\n`,
    message ? `${message}\n\n` : '',
    matches,
    imageUrl ? `\n${link('Click to view visualization', imageUrl)}` : '',
  ];
  return { topic: title, content: content.join('').trim(), event: state };
}

export const grafana: Integration = {
  name: 'grafana',
  displayName: GRAFANA,
  caller: GRAFANA,
  eventTypes: ['ok', 'pending', 'alerting', 'paused', 'firing', 'resolved'],
  options: [],
  translate: ({ payload }) =>
    isGroup(payload) ? readGroup(payload).alerts.map(messageOf) : [legacyMessageOf(readLegacy(payload))],
};

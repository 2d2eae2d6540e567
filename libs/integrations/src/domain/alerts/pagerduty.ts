import type { Static } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import type { EventMessage, Integration, TranslatedDelivery } from '../integration';
import { link, quoted } from '../shared/markdown';
import { maybe, readerOf } from '../shared/payload';

const PAGERDUTY = 'PagerDuty';

/** What happened, by the type of the event. Versions 2 and 3 of webhooks name the events differently. */
const WORDS: Readonly<Record<string, string>> = {
  'incident.trigger': 'triggered',
  'incident.acknowledge': 'acknowledged',
  'incident.resolve': 'resolved',
  'incident.assign': 'assigned',
  'incident.triggered': 'triggered',
  'incident.acknowledged': 'acknowledged',
  'incident.unacknowledged': 'unacknowledged',
  'incident.resolved': 'resolved',
  'incident.reassigned': 'reassigned',
};

const agent = t.Object({ summary: t.String(), html_url: maybe(t.String()) });
const service = { html_url: maybe(t.String()) };
const incidentV3 = t.Object({
  number: t.Integer(),
  title: t.String(),
  html_url: t.String(),
  service: t.Object({ ...service, summary: t.String() }),
  assignees: t.Array(agent),
});
const incidentV2 = t.Object({
  incident_number: t.Integer(),
  html_url: t.String(),
  service: t.Object({ ...service, name: t.String() }),
  assignments: t.Array(t.Object({ assignee: agent })),
  last_status_change_by: maybe(agent),
  description: maybe(t.String()),
});
const eventV3 = t.Object({ id: maybe(t.String()), event_type: t.String(), agent: maybe(agent), data: t.Unknown() });
const readEnvelope = readerOf(
  PAGERDUTY,
  t.Object({
    event: maybe(eventV3),
    messages: maybe(t.Array(t.Object({ event: t.String(), incident: t.Unknown() }))),
  }),
);
const readV3 = readerOf(PAGERDUTY, incidentV3);
const readV2 = readerOf(PAGERDUTY, incidentV2);
type Agent = Static<typeof agent>;

/** An incident of any version. */
interface Incident {
  readonly name: string;
  readonly url: string;
  readonly service: string;
  readonly assignee: string;
  /** Who did it. Null if nobody did. */
  readonly agent: string | null;
  readonly text: string;
}

const linked = (name: string, url: string | null | undefined): string => (url ? link(name, url) : name);
const linkedAgent = ({ summary, html_url: url }: Agent): string => linked(summary, url);
const assigneeOf = ([first]: readonly Agent[]): string => (first ? linkedAgent(first) : 'nobody');

function fromV3(data: unknown, by: Agent | null): Incident {
  const {
    number,
    title,
    html_url: url,
    service: { summary, html_url: page },
    assignees,
  } = readV3(data);
  return {
    name: `${title} (#${number})`,
    url,
    service: linked(summary, page),
    assignee: assigneeOf(assignees),
    agent: by && linkedAgent(by),
    text: '',
  };
}

function fromV2(data: unknown): Incident {
  const { incident_number: number, html_url: url, assignments, description, ...rest } = readV2(data);
  const {
    service: { name, html_url: page },
    last_status_change_by: by,
  } = rest;
  return {
    name: String(number),
    url,
    service: linked(name, page),
    assignee: assigneeOf(assignments.map(({ assignee }) => assignee)),
    agent: by ? linkedAgent(by) : null,
    text: description ?? '',
  };
}

function messageOf(word: string, { name, url, service: origin, assignee, agent: by, text }: Incident): EventMessage {
  const incident = `Incident ${link(name, url)} ${word}`;
  const sentences: Readonly<Record<string, string>> = {
    triggered: `${incident} by ${origin} (assigned to ${assignee}).`,
    unacknowledged: `${incident} by ${origin} (assigned to ${assignee}).`,
    resolved: by === null ? `${incident}.` : `${incident} by ${by}.`,
    assigned: `${incident} to ${assignee}.`,
    reassigned: `${incident} to ${assignee}.`,
  };
  const sentence = sentences[word] ?? `${incident} by ${assignee}.`;
  return {
    topic: `Incident ${name}`,
    content: text === '' ? sentence : `${sentence}\n\n${quoted(text)}`,
    event: word,
  };
}

function translate(payload: unknown): TranslatedDelivery {
  const { event, messages } = readEnvelope(payload);
  const types = event ? [event.event_type] : (messages ?? []).map((message) => message.event);
  const unsupported = types.find((type) => !Object.hasOwn(WORDS, type));
  if (unsupported !== undefined) return { unsupported };
  if (event) return [messageOf(WORDS[event.event_type] ?? '', fromV3(event.data, event.agent ?? null))];
  return (messages ?? []).map((message) => messageOf(WORDS[message.event] ?? '', fromV2(message.incident)));
}

export const pagerduty: Integration = {
  name: 'pagerduty',
  displayName: PAGERDUTY,
  caller: PAGERDUTY,
  eventTypes: ['resolved', 'assigned', 'unacknowledged', 'acknowledged', 'triggered', 'reassigned'],
  options: [],
  translate: ({ payload }) => translate(payload),
  deliveryId: ({ payload }) => readEnvelope(payload).event?.id ?? undefined,
};

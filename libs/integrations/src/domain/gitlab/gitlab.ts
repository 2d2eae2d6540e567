import { t } from '@annals/kernel/domain';
import type { IncomingDelivery, Integration, TranslatedDelivery } from '../integration';
import { branchOf, isChosenBranch } from '../shared/git';
import { link } from '../shared/markdown';
import { eventHeader, maybe, readerOf, textOption } from '../shared/payload';
import { codeEvents } from './code';
import type { DescribeGitlab } from './gitlab-shapes';
import { GITLAB, homeOf, nameOf, projectFields } from './gitlab-shapes';
import { noteEvents } from './notes';
import { thingEvents } from './issues-and-merge-requests';

const EVENTS: Readonly<Record<string, DescribeGitlab>> = { ...codeEvents, ...thingEvents, ...noteEvents };

/** Hooks whose events differ by their action. */
const WITH_ACTION = new Set(['Confidential Issue Hook', 'Issue Hook', 'Merge Request Hook', 'Wiki Page Hook']);
/** Hooks whose events differ by what was commented on. */
const WITH_NOTEABLE = new Set(['Confidential Note Hook', 'Note Hook']);

const read = readerOf(
  GITLAB,
  t.Object({
    ...projectFields,
    ref: maybe(t.String()),
    event_name: maybe(t.String()),
    object_kind: maybe(t.String()),
    object_attributes: maybe(t.Object({ action: maybe(t.String()), noteable_type: maybe(t.String()) })),
  }),
);
type Payload = ReturnType<typeof read>;

/** `merge_request` → `Merge Request Hook`, for hooks of a whole server, whose header names no event. */
const hookNamed = (name: string): string =>
  `${name
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')} Hook`;

function eventOf(header: string, payload: Payload): string {
  const { event_name: name, object_kind: kind, object_attributes: about } = payload;
  const hook = header === 'System Hook' ? hookNamed(name ?? kind ?? '') : header;
  if (WITH_ACTION.has(hook)) return `${hook} ${about?.action ?? 'open'}`;
  return WITH_NOTEABLE.has(hook) ? `${hook} ${about?.noteable_type ?? ''}` : hook;
}

function translate(delivery: IncomingDelivery): TranslatedDelivery {
  const header = eventHeader(delivery, 'X-GitLab-Event');
  const payload = read(delivery.payload);
  const event = eventOf(header, payload);
  const describe = Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined;
  if (!describe) return { unsupported: event };
  const branches = textOption(delivery, 'branches');
  if (event === 'Push Hook' && !isChosenBranch(branchOf(payload.ref ?? ''), branches)) return [];
  const titleInTopic = delivery.options['use_merge_request_title'] !== false;
  const { topic, content } = describe(delivery.payload, { withTitle: delivery.hasTopic, titleInTopic });
  // A topic of the URL may be one for several projects.
  const about = delivery.hasTopic ? `[${link(nameOf(payload), homeOf(payload))}] ` : '';
  return [{ topic, content: about + content, event }];
}

export const gitlab: Integration = {
  name: 'gitlab',
  displayName: 'GitLab',
  caller: GITLAB,
  eventTypes: Object.keys(EVENTS).sort(),
  options: [
    { name: 'branches', label: 'Branches, separated by commas', kind: 'text' },
    { name: 'use_merge_request_title', label: 'Show the titles of merge requests in topics', kind: 'flag' },
  ],
  translate,
  deliveryId: ({ header }) => header('Idempotency-Key'),
};

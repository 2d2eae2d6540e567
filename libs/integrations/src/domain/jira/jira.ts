import type { Static } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import type { EventMessage, Integration, TranslatedDelivery } from '../integration';
import { reject } from '../rejections';
import { endsWithPunctuation, link, quoted } from '../shared/markdown';
import { maybe, readerOf } from '../shared/payload';
import { fromJiraMarkup } from './jira-markup';

const JIRA = 'Jira';

const person = t.Object({ displayName: t.String() });
const fields = t.Object({
  summary: t.String(),
  priority: maybe(t.Object({ name: t.String() })),
  assignee: maybe(person),
});
const issue = t.Object({ key: t.String(), self: maybe(t.String()), fields });
const comment = t.Object({ author: maybe(person), body: maybe(t.String()) });
/** Not an object with named properties, because every object has a method of the name `toString`. */
const change = t.Record(t.String(), t.Unknown());
const about = { issue, user: maybe(person) };

const readKind = readerOf(
  JIRA,
  t.Object({
    webhookEvent: maybe(t.String()),
    transition: maybe(t.Unknown()),
    issue_event_type_name: maybe(t.String()),
  }),
);
const readIssue = readerOf(JIRA, t.Object(about));
const readCommented = readerOf(JIRA, t.Object({ ...about, comment }));
const readUpdated = readerOf(
  JIRA,
  t.Object({
    ...about,
    comment: maybe(t.Union([comment, t.Literal('')])),
    transition: maybe(t.Object({ from_status: maybe(t.String()), to_status: maybe(t.String()) })),
    changelog: maybe(t.Object({ items: maybe(t.Array(change)) })),
  }),
);
type Issue = Static<typeof issue>;
type Updated = ReturnType<typeof readUpdated>;

/** Events that Jira sends with those of issues and that make no message. */
const SILENT = new Set([
  'attachment_created',
  'issuelink_created',
  'issuelink_deleted',
  'jira:version_released',
  'jira:worklog_updated',
  'sprint_closed',
  'sprint_started',
  'worklog_created',
  'worklog_updated',
]);

const topicOf = ({ key, fields: { summary } }: Issue): string => `${key}: ${summary}`;

/** The issue with a link to its page, which the payload names only by the address of the API. */
function linked(one: Issue): string {
  const [, site] = /^(https?:\/\/.{1,500}?)\/rest\/api\//.exec(one.self ?? '') ?? [];
  return site === undefined ? topicOf(one) : link(topicOf(one), `${site}/browse/${one.key}`);
}

const nameOf = (one: Static<typeof person> | null | undefined): string => one?.displayName ?? 'Somebody';

const assigned = ({ fields: { assignee } }: Issue): string =>
  assignee ? ` (assigned to **${assignee.displayName}**)` : '';

/** What happened to a comment, by the name that Jira gives the update of its issue. */
const COMMENT_VERBS: Readonly<Record<string, string>> = {
  issue_commented: 'commented on',
  issue_comment_edited: 'edited a comment on',
  issue_comment_deleted: 'deleted a comment from',
};

function changeLine(field: string, before: string | null | undefined, after: string | null | undefined): string {
  return `* Changed ${field}${before ? ` from **${before}**` : ''}${after ? ` to **${after}**` : ''}`;
}

const textIn = (item: Static<typeof change>, name: string): string | null => {
  const value = Object.hasOwn(item, name) ? item[name] : null;
  return typeof value === 'string' ? value : null;
};

function changesIn({ changelog, transition }: Updated): string[] {
  const items = changelog?.items ?? [];
  if (items.length > 0) {
    return items.map((item) =>
      changeLine(textIn(item, 'field') ?? 'a field', textIn(item, 'fromString'), textIn(item, 'toString')),
    );
  }
  return transition ? [changeLine('status', transition.from_status, transition.to_status)] : [];
}

function updated(payload: unknown, kind: string): string {
  const update = readUpdated(payload);
  const { issue: one, user, comment: written } = update;
  const verb = Object.hasOwn(COMMENT_VERBS, kind) ? COMMENT_VERBS[kind] : undefined;
  if (verb === undefined && !(kind === '' && written)) {
    return [`${nameOf(user)} updated ${linked(one)}${assigned(one)}:\n`, ...changesIn(update)].join('\n');
  }
  const did = `${nameOf(user)} ${verb ?? 'commented on'} ${linked(one)}${assigned(one)}`;
  const text = written ? written.body : undefined;
  return text ? `${did}:\n\n${quoted(fromJiraMarkup(text))}` : `${did}.`;
}

function commented(payload: unknown, verb: string, isGone = false): string {
  const {
    issue: one,
    user,
    comment: { author, body },
  } = readCommented(payload);
  const text = (body ?? '').replaceAll('\\!', '!');
  return `${nameOf(author ?? user)} ${verb} ${linked(one)}\n\n${quoted(isGone ? `~~${text}~~` : text)}`;
}

function created(payload: unknown): string {
  const { issue: one, user } = readIssue(payload);
  const { priority, assignee } = one.fields;
  const lines = [`* **Priority**: ${priority?.name ?? 'none'}`, `* **Assignee**: ${assignee?.displayName ?? 'no one'}`];
  return `${nameOf(user)} created ${linked(one)}:\n\n${lines.join('\n')}`;
}

function deleted(payload: unknown): string {
  const { issue: one, user } = readIssue(payload);
  return `${nameOf(user)} deleted ${linked(one)}${endsWithPunctuation(one.fields.summary) ? '' : '.'}`;
}

const CONTENTS: Readonly<Record<string, (payload: unknown, kind: string) => string>> = {
  'jira:issue_created': created,
  'jira:issue_deleted': deleted,
  'jira:issue_updated': updated,
  comment_created: (payload) => commented(payload, 'commented on'),
  comment_updated: (payload) => commented(payload, 'updated their comment on'),
  comment_deleted: (payload) => commented(payload, 'deleted their comment on', true),
};

function translate(payload: unknown): TranslatedDelivery {
  const { webhookEvent, transition, issue_event_type_name: kind } = readKind(payload);
  const event = webhookEvent ?? (transition ? 'jira:issue_updated' : null);
  if (event === null) throw reject.anomalous(JIRA, 'webhookEvent: is missing');
  if (SILENT.has(event)) return [];
  const contentOf = Object.hasOwn(CONTENTS, event) ? CONTENTS[event] : undefined;
  if (!contentOf) return { unsupported: event };
  const topic = topicOf(readIssue(payload).issue);
  return [{ topic, content: contentOf(payload, kind ?? ''), event }] satisfies EventMessage[];
}

export const jira: Integration = {
  name: 'jira',
  displayName: JIRA,
  caller: JIRA,
  eventTypes: Object.keys(CONTENTS),
  options: [],
  translate: ({ payload }) => translate(payload),
  deliveryId: ({ header }) => header('X-Atlassian-Webhook-Identifier'),
  escapesTwice: true,
};

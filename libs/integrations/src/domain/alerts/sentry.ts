import type { Static } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import type { EventMessage, Integration, TranslatedDelivery } from '../integration';
import { globalTime, globalTimeOf, isInCalendar, link } from '../shared/markdown';
import { maybe, readerOf } from '../shared/payload';

const SENTRY = 'Sentry';

/** Languages of code blocks by Sentry's names of platforms. */
const LANGUAGES: Readonly<Record<string, string>> = {
  go: 'go',
  java: 'java',
  javascript: 'javascript',
  node: 'javascript',
  python: 'python3',
  ruby: 'ruby',
};

const frame = t.Object({
  filename: maybe(t.String()),
  context_line: maybe(t.String()),
  pre_context: maybe(t.Array(t.String())),
  post_context: maybe(t.Array(t.String())),
});
const thrown = t.Object({ stacktrace: maybe(t.Object({ frames: maybe(t.Array(frame)) })) });
const event = t.Object({
  event_id: maybe(t.String()),
  title: t.String(),
  platform: maybe(t.String()),
  level: t.String(),
  web_url: maybe(t.String()),
  datetime: maybe(t.String()),
  timestamp: maybe(t.Number()),
  received: maybe(t.Number()),
  metadata: maybe(t.Object({ filename: maybe(t.String()) })),
  exception: maybe(t.Object({ values: t.Array(thrown) })),
  logentry: t.Optional(t.Unknown()),
});
const assignee = t.Object({ type: maybe(t.String()), name: t.String() });
const issue = t.Object({
  title: t.String(),
  level: t.String(),
  lastSeen: t.String(),
  assignedTo: maybe(assignee),
});
const envelope = t.Object({
  action: maybe(t.String()),
  actor: maybe(t.Object({ name: t.String() })),
  /** The page of the issue, where Sentry is configured with the plugin for webhooks. */
  url: maybe(t.String()),
  event: maybe(t.Unknown()),
  data: maybe(t.Object({ event: maybe(t.Unknown()), error: maybe(t.Unknown()), issue: maybe(t.Unknown()) })),
});
const read = readerOf(SENTRY, envelope);
const readEvent = readerOf(SENTRY, event);
const readIssue = readerOf(SENTRY, issue);
type Event = Static<typeof event>;

/** Details below the first line of a message. */
const details = (lines: readonly string[]): string => `\`\`\`quote\n${lines.join('\n')}\n\`\`\``;

/** The place in the code where the last error was thrown. */
function sourceOf({ exception, metadata }: Event): Static<typeof frame> | undefined {
  const filename = metadata?.filename;
  const trace = exception?.values.findLast(({ stacktrace }) => stacktrace)?.stacktrace;
  const found = trace?.frames?.findLast((one) => one.filename === filename);
  return filename && typeof found?.context_line === 'string' ? found : undefined;
}

const indented = (lines: readonly string[] | null | undefined): string[] =>
  (lines ?? []).map((line) => (line === '' ? '' : `     ${line}`));

function codeOf(one: Event): string {
  const source = sourceOf(one);
  if (!source) return '';
  const lines = [...indented(source.pre_context), `---> ${source.context_line}`, ...indented(source.post_context)];
  const platform = one.platform ?? '';
  const language = Object.hasOwn(LANGUAGES, platform) ? LANGUAGES[platform] : '';
  return `\n\nTraceback:\n\`\`\`${language}\n${lines.join('\n')}\n\`\`\``;
}

function timeOf({ datetime, timestamp, received }: Event): string {
  const seconds = timestamp ?? received;
  if (datetime) return globalTime(datetime);
  return typeof seconds === 'number' && isInCalendar(seconds) ? globalTimeOf(seconds) : 'unknown';
}

/** @param url of the page of the event */
function eventMessage(one: Event, url: string): TranslatedDelivery {
  const { title, level, metadata } = one;
  const lines = [`**level:** ${level}`, `**timestamp:** ${timeOf(one)}`];
  if (one.exception) {
    const where = `**filename:** ${metadata?.filename ?? 'unknown'}`;
    const content = `**New exception:** ${link(title, url)}\n${details([...lines, where])}${codeOf(one)}`;
    return [{ topic: title, content }];
  }
  if (one.logentry === undefined) return { unsupported: 'unknown-event type' };
  return [{ topic: title, content: `**New message event:** ${link(title, url)}\n${details(lines)}` }];
}

function issueMessage(one: Static<typeof issue>, action: string, actor: string): TranslatedDelivery {
  const { title, level, lastSeen, assignedTo } = one;
  const owner = assignedTo ? `${assignedTo.type === 'team' ? 'team ' : ''}${assignedTo.name}` : 'No one';
  const lines = [`**level:** ${level}`, `**timestamp:** ${globalTime(lastSeen)}`, `**assignee:** ${owner}`];
  const contents: Readonly<Record<string, string>> = {
    created: `**New issue created:** ${title}\n${details(lines)}`,
    resolved: `Issue **${title}** was marked as resolved by **${actor}**.`,
    assigned: `Issue **${title}** has now been assigned to **${owner}** by **${actor}**.`,
    ignored: `Issue **${title}** was ignored by **${actor}**.`,
  };
  const content = Object.hasOwn(contents, action) ? contents[action] : undefined;
  return content === undefined
    ? { unsupported: `${action} action` }
    : ([{ topic: title, content }] satisfies EventMessage[]);
}

function translate(payload: unknown): TranslatedDelivery {
  const { action, actor, url, event: bare, data } = read(payload);
  if (data?.issue) return issueMessage(readIssue(data.issue), action ?? '', actor?.name ?? 'somebody');
  const one = data?.event ?? data?.error ?? bare;
  if (!one) return { unsupported: 'unknown-event type' };
  const about = readEvent(one);
  const page = about.web_url ?? `${url ?? ''}events/${about.event_id ?? ''}/`;
  return eventMessage(about, page);
}

export const sentry: Integration = {
  name: 'sentry',
  displayName: SENTRY,
  caller: SENTRY,
  eventTypes: null,
  options: [],
  translate: ({ payload }) => translate(payload),
};

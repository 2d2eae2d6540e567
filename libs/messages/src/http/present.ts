import { longWork } from '@annals/kernel';
import type { MessageId } from '@annals/kernel/domain';
import { ReadyJson } from '@annals/kernel/domain';
import { escapeHtml } from '@annals/markdown';
import type { SendOutcome } from '../application/send/send-message';
import { MAX_ANSWER_BYTES, withChangesWithinBudget } from '../read/query/page-budget';
import type { FoundMessages, ListedMessages } from '../read/query/get-messages';
import type { SeenMessages } from '../read/query/message-reader';
import { MessageContents, MessageWriter } from '../read/content/message-json';
import type { MessageFormat } from '../read/content/present-message';
import { shownTopic, sourceOf } from '../read/content/present-message';

/** Messages of which the variable fields are written in one turn of the event loop. */
const WRITTEN_AT_ONCE = 200;

/**
 * Contract/boot.md section 10; messages that were requested by id have no anchor. A page is written in turn with other long work,
 * since it may be large.
 *
 * @param asker key of the user: work is shared fairly between users
 */
export async function presentFound(
  found: (ListedMessages | FoundMessages) & MaybeOfPast,
  look: MessageFormat,
  asker: string,
) {
  const writer = new MessageWriter(found.loaded, found.contents, look);
  const written = await longWork.map(asker, found.ids, WRITTEN_AT_ONCE, (id) =>
    withErasure(withMatch(writer.write(id, found.flags.get(id) ?? []), id, found, look), id, found),
  );
  const isPage = 'anchor' in found;
  return {
    messages: new ReadyJson(`[${written.join()}]`),
    ...(isPage && { anchor: found.anchor }),
    found_anchor: isPage && found.foundAnchor,
    found_oldest: isPage && found.foundOldest,
    found_newest: isPage && found.foundNewest,
    history_limited: false,
  };
}

/** The JSON of a message with the highlighted words of a search. */
function withMatch(
  message: string,
  id: MessageId,
  { loaded, matches }: ListedMessages,
  { allowEmptyTopicName }: MessageFormat,
): string {
  if (!matches) return message;
  const topic = loaded.rows.get(id)?.topic ?? null;
  const match = matches.of(id, topic === null ? '' : shownTopic(topic, allowEmptyTopicName));
  return `${message.slice(0, -1)},${JSON.stringify(match).slice(1)}`;
}

/** The JSON of a message of the past: clients learn that its text was erased since. */
const withErasure = (message: string, id: MessageId, { erased }: MaybeOfPast): string =>
  erased?.has(id) ? `${message.slice(0, -1)},"is_erased":true}` : message;

/** Messages of which some texts may have been erased since the moment that they are shown at. */
interface MaybeOfPast {
  readonly erased?: ReadonlySet<MessageId>;
}

/** The texts of messages that match a narrow, by their ids. */
export function presentMatches({ ids, loaded, matches }: ListedMessages) {
  const rows = ids.flatMap((id) => loaded.rows.get(id) ?? []);
  const entries = rows.map(({ id, text, topic }) => {
    const plain = () => ({ match_content: loaded.rendered.of(text), match_subject: escapeHtml(topic ?? '') });
    return [id, matches?.of(id, topic ?? '') ?? plain()];
  });
  return { messages: Object.fromEntries(entries) as Readonly<Record<string, unknown>> };
}

/** Contract/messages.md section 4.2. */
export async function presentOne(seen: SeenMessages & MaybeOfPast, look: MessageFormat, asker: string) {
  const [id] = seen.ids;
  const row = id === undefined ? undefined : seen.loaded.rows.get(id);
  if (!row) throw new Error('the message was found, and is not there');
  const wanted = { asker, asHtml: look.applyMarkdown };
  const contents = new MessageContents(seen.loaded, wanted);
  const budget = MAX_ANSWER_BYTES - (await contents.prepare(row.id));
  const loaded = await withChangesWithinBudget(seen.loaded, { ids: seen.ids, budget }, wanted);
  const message = new MessageWriter(loaded, contents, look).write(row.id, seen.flags.get(row.id) ?? []);
  return { message: new ReadyJson(withErasure(message, row.id, seen)), raw_content: sourceOf(row.text) };
}

/** Contract/messages.md section 3. */
export const presentSent = ({ id, automaticPolicy }: SendOutcome) => ({
  id,
  ...(automaticPolicy !== null && { automatic_new_visibility_policy: automaticPolicy }),
});

import { longWork } from '@annals/kernel';
import type { MessageId } from '@annals/kernel/domain';
import { ReadyJson } from '@annals/kernel/domain';
import type { SentMessage } from '../application/send/send-message';
import { MAX_ANSWER_BYTES, bytesOf, withChangesWithinBudget } from '../read/query/page-budget';
import type { FoundMessages, SeenMessages } from '../read/query/get-messages';
import type { MessageLook } from '../read/content/present-message';
import { presentMessage, sourceOf } from '../read/content/present-message';

const one = (id: MessageId, { loaded, flags }: SeenMessages, look: MessageLook) => ({
  ...presentMessage(id, loaded, look),
  flags: flags.get(id) ?? [],
});

/**
 * Contract/boot.md section 10; messages that were requested by id have no anchor. A page is serialized message by message, since it
 * may be large.
 *
 * @param asker key of the user: work is shared fairly between users
 */
export async function presentFound(found: SeenMessages | FoundMessages, look: MessageLook, asker: string) {
  const texts: string[] = [];
  for (const id of found.ids) {
    texts.push((await longWork.run(asker, () => JSON.stringify(one(id, found, look)))).result);
  }
  const isPage = 'anchor' in found;
  return {
    messages: new ReadyJson(`[${texts.join()}]`),
    ...(isPage && { anchor: found.anchor }),
    found_anchor: isPage && found.foundAnchor,
    found_oldest: isPage && found.foundOldest,
    found_newest: isPage && found.foundNewest,
    history_limited: false,
  };
}

/** Contract/messages.md section 4.2. */
export async function presentOne(seen: SeenMessages, look: MessageLook, asker: string) {
  const [id] = seen.ids;
  const row = id === undefined ? undefined : seen.loaded.rows.get(id);
  if (!row) throw new Error('the message was found, and is not there');
  const wanted = { asker, asHtml: look.applyMarkdown };
  const budget = MAX_ANSWER_BYTES - (await bytesOf(row.id, seen.loaded, wanted));
  const loaded = await withChangesWithinBudget(seen.loaded, { ids: seen.ids, budget }, wanted);
  return { message: one(row.id, { ...seen, loaded }, look), raw_content: sourceOf(row.text) };
}

/** Contract/messages.md section 3. */
export const presentSent = ({ id, automaticPolicy }: SentMessage) => ({
  id,
  ...(automaticPolicy !== null && { automatic_new_visibility_policy: automaticPolicy }),
});

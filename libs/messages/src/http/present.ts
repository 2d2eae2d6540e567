import type { MessageId } from '@annals/kernel/domain';
import type { SentMessage } from '../application/send-message';
import type { FoundMessages, SeenMessages } from '../read/get-messages';
import type { MessageLook } from '../read/present-message';
import { presentMessage, sourceOf } from '../read/present-message';

const one = (id: MessageId, { loaded, flags }: SeenMessages, look: MessageLook) => ({
  ...presentMessage(id, loaded, look),
  flags: flags.get(id) ?? [],
});

/** Contract/boot.md section 10; messages asked for by id have no anchor and find nothing. */
export function presentFound(found: SeenMessages | FoundMessages, look: MessageLook) {
  const messages = found.ids.map((id) => one(id, found, look));
  const isPage = 'anchor' in found;
  return {
    messages,
    ...(isPage && { anchor: found.anchor }),
    found_anchor: isPage && found.foundAnchor,
    found_oldest: isPage && found.foundOldest,
    found_newest: isPage && found.foundNewest,
    history_limited: false,
  };
}

/** Contract/messages.md section 4.2. */
export function presentOne(seen: SeenMessages, look: MessageLook) {
  const [id] = seen.ids;
  const row = id === undefined ? undefined : seen.loaded.rows.get(id);
  if (!row) throw new Error('the message was found, and is not there');
  return { message: one(row.id, seen, look), raw_content: sourceOf(row.text) };
}

/** Contract/messages.md section 3. */
export const presentSent = ({ id, automaticPolicy }: SentMessage) => ({
  id,
  ...(automaticPolicy !== null && { automatic_new_visibility_policy: automaticPolicy }),
});

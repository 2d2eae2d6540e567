import type { Membership } from '@annals/groups';
import { readMembership } from '@annals/groups';
import type { PlacedClientEvent } from '@annals/kernel';
import { definePresenter } from '@annals/kernel';
import type { MessageId, UserId } from '@annals/kernel/domain';
import { unixSeconds } from '@annals/kernel/domain';
import { flagsOf } from '../read/flags';
import type { Latecomers } from '../read/latecomers';
import { readLatecomers } from '../read/latecomers';
import type { Leavers } from '../read/leavers';
import { readLeavers } from '../read/leavers';
import type { LoadedMessages } from '../read/message-row';
import { loadMessages } from '../read/message-row';
import { sourceOf } from '../read/present-message';
import { htmlOf } from '../read/rendering';
import type { Edit } from '../read/texts';
import { readEdits } from '../read/texts';
import { topicWriters } from '../read/topic-writers';
import type { EditedPayload } from './messages.feed';

interface Loaded {
  readonly messages: LoadedMessages;
  readonly edits: ReadonlyMap<MessageId, readonly Edit[]>;
  readonly latecomers: ReadonlyMap<MessageId, Latecomers>;
  readonly leavers: Leavers;
  readonly isIn: Membership;
  /** Who had written in the topics of messages with a topic wildcard. */
  readonly writers: ReadonlyMap<MessageId, ReadonlySet<UserId>>;
}

const payloadOf = ({ payload }: PlacedClientEvent) => payload as unknown as EditedPayload;

/** contract/messages.md section 5.6, realtime.md section 7, for a text that was replaced */
export const editsPresenter = definePresenter<Loaded>({
  type: 'update_message',
  load: async (reader, events) => {
    const { client, realmId } = reader;
    const ids = [...new Set(events.map((event) => payloadOf(event).messageId))];
    const edits = await readEdits(client, realmId, ids);
    const all = [...edits.values()].flat();
    const groups = all.flatMap(({ facts }) => facts.mentions.groupIds);
    const toTopics = ids.filter((id) => edits.get(id)?.some(({ facts }) => facts.mentions.topicWildcard));
    return {
      messages: await loadMessages(client, realmId, ids, 'now'),
      edits,
      latecomers: await readLatecomers(client, realmId, ids),
      leavers: await readLeavers(client, realmId, ids),
      isIn: await readMembership(reader, groups, null),
      writers: await topicWriters(client, realmId, toTopics),
    };
  },
  present: (event, loaded, { userId }) => {
    const { messageId } = payloadOf(event);
    // Another event tells that it was deleted.
    if (!loaded.messages.rows.has(messageId)) return [];
    const late = loaded.latecomers.get(messageId);
    // What did not reach somebody in a channel with protected history is none of theirs.
    if (late && !late.canRead && late.users.has(userId)) return [];
    return [{ ...presentEdit(event, loaded), flags: flagsFor(event, loaded, userId) }];
  },
  variant: (event, loaded, { userId }) => {
    if (!loaded.messages.rows.has(payloadOf(event).messageId)) return 'gone';
    const late = loaded.latecomers.get(payloadOf(event).messageId);
    const hidden = late !== undefined && !late.canRead && late.users.has(userId);
    return hidden ? 'hidden' : flagsFor(event, loaded, userId).join();
  },
});

function presentEdit(event: PlacedClientEvent, loaded: Loaded) {
  const { messageId } = payloadOf(event);
  const { by, at, previous, current, facts } = editOf(event, loaded);
  const { realmId, imagePreviews, rows } = loaded.messages;
  const row = rows.get(messageId);
  return {
    type: 'update_message',
    user_id: by,
    rendering_only: false,
    message_id: messageId,
    message_ids: [messageId],
    edit_timestamp: unixSeconds(at),
    ...(row?.channelId != null && { stream_id: row.channelId, stream_name: row.channelName }),
    orig_content: sourceOf(previous),
    orig_rendered_content: htmlOf(realmId, previous, imagePreviews),
    content: sourceOf(current),
    rendered_content: htmlOf(realmId, current, imagePreviews),
    is_me_message: facts.isMe,
  };
}

function flagsFor(event: PlacedClientEvent, loaded: Loaded, userId: UserId): string[] {
  const { messageId } = payloadOf(event);
  const row = loaded.messages.rows.get(messageId);
  if (!row) throw new Error(`message ${messageId} does not exist`);
  if (loaded.latecomers.get(messageId)?.users.has(userId)) return ['read'];
  const { facts, current, at } = editOf(event, loaded);
  return flagsOf(
    { ...row, mentions: facts.mentions },
    {
      userId,
      isReceived: true,
      hasLeftSince: (loaded.leavers.get(messageId)?.get(userId) ?? Infinity) <= event.position,
      isIn: (group) => loaded.isIn(group, userId, { position: current.position, at }),
      isParticipant: loaded.writers.get(messageId)?.has(userId) ?? false,
    },
  );
}

function editOf(event: PlacedClientEvent, { edits }: Loaded): Edit {
  const { messageId, position } = payloadOf(event);
  const edit = edits.get(messageId)?.find(({ current }) => current.position === position);
  if (!edit) throw new Error(`message ${messageId} was not edited at position ${position}`);
  return edit;
}

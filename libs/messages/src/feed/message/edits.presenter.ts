import type { GroupMembership } from '@annals/groups';
import type { ChannelRow } from '@annals/channels';
import { readChannels } from '@annals/channels';
import { readFileImages } from '@annals/files';
import { readMembership } from '@annals/groups';
import type { PositionedClientEvent } from '@annals/kernel';
import { definePresenter } from '@annals/kernel';
import type { ChannelId, Instant, MessageId, Position, UserId } from '@annals/kernel/domain';
import { unixSeconds } from '@annals/kernel/domain';
import { topicLinks } from '@annals/markdown';
import type { LoadedMessages, MessageRow } from '../../read/content/message-row';
import { loadMessages } from '../../read/content/load-messages';
import type { TopicHistory } from '../../read/history/topic-history';
import { readTopicHistory } from '../../read/history/topic-history';
import type { Places } from '../../read/history/places';
import { shownTopic, sourceOf } from '../../read/content/present-message';
import { Renderings } from '../../read/content/rendering';
import { filesOf } from '../../read/content/shown-images';
import type { Edit, Text } from '../../read/content/texts';
import { readEdits } from '../../read/content/texts';
import type { FlagFacts } from './flags-at-event';
import { flagsAfter, readFlagFacts } from './flags-at-event';
import type { ChangedPayload, MovedPayload } from '../move/moves';

interface Loaded extends FlagFacts {
  readonly messages: LoadedMessages;
  /** Of the texts of edits. */
  readonly rendered: Renderings;
  readonly edits: ReadonlyMap<MessageId, readonly Edit[]>;
  readonly topicAt: TopicHistory;
  readonly channels: ReadonlyMap<ChannelId, ChannelRow>;
  readonly isIn: GroupMembership;
}

const payloadOf = ({ payload }: PositionedClientEvent) => payload as unknown as ChangedPayload;

/** contract/messages.md section 5.6, realtime.md section 7 */
export const editsPresenter = definePresenter<Loaded>({
  type: 'update_message',
  load: async (reader, events, listeners) => {
    const { client, realmId } = reader;
    const payloads = events.map(payloadOf);
    const ids = [...new Set(payloads.map(({ messageId }) => messageId))];
    const edits = await readEdits(client, realmId, ids);
    const messages = await loadMessages(client, realmId, ids, 'now');
    const texts = [...edits.values()].flat().flatMap(({ previous, current }) => [previous, current]);
    const rows = [...messages.rows.values()];
    const images = await readFileImages(client, realmId, filesOf([...texts, ...rows.map(({ text }) => text)]));
    const mentionsOf = (id: MessageId) => {
      const row = messages.rows.get(id);
      const past = (edits.get(id) ?? []).flatMap(({ facts, previousFacts }) => [facts, previousFacts]);
      return (row ? [row, ...past] : past).map(({ mentions }) => mentions);
    };
    const groups = ids.flatMap(mentionsOf).flatMap(({ groupIds }) => groupIds);
    const moves = payloads.flatMap(({ moved }) => moved ?? []);
    const senders = rows.map(({ senderId }) => senderId);
    const facts = await readFlagFacts(reader, ids, senders, listeners);
    const origins = events.flatMap((event) => originOf(event, facts.places) ?? []);
    return {
      messages,
      rendered: new Renderings(realmId, messages.rendered.imagePreviews, images),
      edits,
      ...facts,
      topicAt: await readTopicHistory(
        client,
        realmId,
        moves.flatMap(({ from, to }) => [from.topicId, to.topicId]),
      ),
      channels: await readChannels(client, realmId, origins),
      isIn: await readMembership(reader, groups, null),
    };
  },
  prepare: async (event, loaded) => {
    const { rendered, messages } = loaded;
    const asker = `events of ${messages.realmId}`;
    for (const text of textsToReport(event, loaded)) await rendered.ahead(text, asker);
  },
  present: (event, loaded, queue) => {
    const { messageId, moved, renderedAt } = payloadOf(event);
    const { userId, capabilities } = queue;
    if (renderedAt !== undefined) return presentRendering(event, renderedAt, loaded, userId);
    if (!loaded.messages.rows.has(messageId) && !moved) return [];
    return [
      {
        type: 'update_message',
        rendering_only: false,
        message_id: messageId,
        message_ids: moved?.messageIds ?? [messageId],
        ...presentOrigin(event, loaded),
        ...presentMove(event, loaded, capabilities.empty_topic_name),
        ...presentEdit(event, loaded),
        flags: flagsFor(event, loaded, userId),
      },
    ];
  },
  variant: (event, loaded, { userId, capabilities }) =>
    [capabilities.empty_topic_name, ...flagsFor(event, loaded, userId)].join(),
});

/** Only the HTML has changed: of the text that the message had right after the event. */
function presentRendering(event: PositionedClientEvent, at: Instant, loaded: Loaded, userId: UserId) {
  const { messageId } = payloadOf(event);
  const row = loaded.messages.rows.get(messageId);
  if (!row) return [];
  const { text } = textAfter(event, row, loaded.edits.get(messageId) ?? []);
  return [
    {
      type: 'update_message',
      rendering_only: true,
      user_id: null,
      edit_timestamp: unixSeconds(at),
      message_id: messageId,
      message_ids: [messageId],
      content: sourceOf(text),
      rendered_content: loaded.rendered.of(text),
      flags: flagsFor(event, loaded, userId),
    },
  ];
}

/** The texts that an event has as HTML. */
function textsToReport(event: PositionedClientEvent, loaded: Loaded): Text[] {
  const { messageId, renderedAt } = payloadOf(event);
  const edit = editToReport(event, loaded);
  if (edit) return [edit.previous, edit.current];
  const row = renderedAt === undefined ? undefined : loaded.messages.rows.get(messageId);
  return row ? [textAfter(event, row, loaded.edits.get(messageId) ?? []).text] : [];
}

/** The channel where the message was before the event. */
function originOf(event: PositionedClientEvent, places: Places): ChannelId | null {
  const { messageId, moved } = payloadOf(event);
  if (moved) return moved.from.channelId;
  const place = places.at(messageId, event.position)?.place;
  return place && 'channelId' in place ? place.channelId : null;
}

function presentOrigin(event: PositionedClientEvent, { places, channels }: Loaded) {
  const channel = channels.get(originOf(event, places) ?? (0 as ChannelId));
  return channel && { stream_id: channel.id, stream_name: channel.name };
}

function presentMove(event: PositionedClientEvent, { topicAt, messages }: Loaded, allowEmpty: boolean) {
  const { moved } = payloadOf(event);
  if (!moved) return {};
  const { from, to, mode } = moved;
  const [before, after] = namesOf(moved, topicAt);
  return {
    propagate_mode: mode,
    orig_subject: shownTopic(before, allowEmpty),
    ...(before !== after && {
      subject: shownTopic(after, allowEmpty),
      topic_links: topicLinks(after, messages.linkifiers),
    }),
    ...(from.channelId !== to.channelId && { new_stream_id: to.channelId }),
  };
}

function namesOf({ from, to, position }: MovedPayload, topicAt: TopicHistory): [before: string, after: string] {
  const before = topicAt(from.topicId, (position - 1) as Position)?.topic;
  const after = topicAt(to.topicId, position)?.topic;
  if (before === undefined || after === undefined) throw new Error(`a topic moved at ${position} bears no name`);
  return [before, after];
}

function presentEdit(event: PositionedClientEvent, loaded: Loaded) {
  const { moved } = payloadOf(event);
  const edit = editToReport(event, loaded);
  const { by, at } = edit ?? moved ?? { by: null, at: 0 as Instant };
  const common = { user_id: by, edit_timestamp: unixSeconds(at) };
  if (!edit) return common;
  const { rendered } = loaded;
  return {
    ...common,
    orig_content: sourceOf(edit.previous),
    orig_rendered_content: rendered.of(edit.previous),
    content: sourceOf(edit.current),
    rendered_content: rendered.of(edit.current),
    is_me_message: edit.facts.isMe,
  };
}

/** Flags of the changed message right after the event. A deleted message has those of one of which the user has no copy. */
function flagsFor(event: PositionedClientEvent, loaded: Loaded, userId: UserId): string[] {
  const { messageId, keepsHistory } = payloadOf(event);
  const row = loaded.messages.rows.get(messageId);
  if (!row) return ['read'];
  const after = textAfter(event, row, loaded.edits.get(messageId) ?? []);
  const moment = { position: event.position, upTo: endOf(event), text: after, keepsHistory, isIn: loaded.isIn };
  const { hasCopy, flags } = flagsAfter(row, loaded, userId, moment);
  return hasCopy ? flags : ['read'];
}

/** The text right after the event, its mentions, and when it was written. @param edits newest first */
function textAfter(event: PositionedClientEvent, row: MessageRow, edits: readonly Edit[]) {
  const edit = edits.find(({ current }) => current.position <= endOf(event));
  if (edit) return { text: edit.current, mentions: edit.facts.mentions, position: edit.current.position, at: edit.at };
  const first = edits.at(-1);
  const [mentions, text] = first ? [first.previousFacts.mentions, first.previous] : [row.mentions, row.text];
  return { text, mentions, position: text.position, at: row.sentAt };
}

/** One request may append several events; the client event is at the position of the first. */
function endOf(event: PositionedClientEvent): number {
  const { edited, moved } = payloadOf(event);
  return Math.max(event.position, edited ?? 0, moved?.position ?? 0);
}

/** The edit of a message that was deleted meanwhile is left out; its move is reported. */
const editToReport = (event: PositionedClientEvent, loaded: Loaded): Edit | null =>
  loaded.messages.rows.has(payloadOf(event).messageId) ? editOf(event, loaded) : null;

function editOf(event: PositionedClientEvent, { edits }: Loaded): Edit | null {
  const { messageId, edited } = payloadOf(event);
  if (edited === null) return null;
  const edit = edits.get(messageId)?.find(({ current }) => current.position === edited);
  if (!edit) throw new Error(`message ${messageId} was not edited at position ${edited}`);
  return edit;
}

import { readChannels } from '@annals/channels';
import { readFileImages } from '@annals/files';
import type { MessageId, Position, RealmId } from '@annals/kernel/domain';
import { readLinkifierSet, readRealmOfTexts } from '@annals/realm';
import { NO_LINKIFIERS } from '@annals/markdown';
import { readUsers } from '@annals/users';
import type { ClientBase, Pool } from 'pg';
import type { PlaceHistory } from '../history/place-history';
import { readPlaceHistory } from '../history/place-history';
import type { Reaction } from '../reactions/reactions';
import { readReactions } from '../reactions/reactions';
import { newWidgets, readSubmessages } from '../widgets/submessages';
import type { LoadedMessages, MessageRow, Tense } from './message-row';
import { readMessageRows } from './message-row';
import { NO_CHANGES, isMoved, readChanges, textsOf } from './read-changes';
import { Renderings } from './rendering';
import { filesOf } from './shown-images';

/** Loads messages for presenting them; those that do not exist are left out. */
export async function loadMessages(
  client: Pool | ClientBase,
  realmId: RealmId,
  ids: readonly MessageId[],
  tense: Tense,
): Promise<LoadedMessages> {
  const { realm, hasLinkifiers } = await readRealmOfTexts(client, realmId);
  const { message_edit_history_visibility_policy: policy, inline_image_preview: imagePreviews } = realm.settings;
  const stored = await readMessageRows(client, realmId, ids, tense);
  const history = await readPlaceHistory(client, realmId, stored.filter(isMoved));
  const rows = tense === 'sent' ? await asSent(client, realmId, stored, history) : stored;
  const people = new Set(rows.flatMap(({ senderId, userIds }) => [senderId, ...userIds]));
  const users = await readUsers(client, realmId, [...people]);
  const changed = tense === 'now' ? await readChanges(client, realmId, rows, history, policy) : NO_CHANGES;
  const images = await readFileImages(client, realmId, filesOf(textsOf(rows, changed.changes)));
  return {
    realmId,
    subdomain: realm.subdomain,
    rendered: new Renderings(realmId, imagePreviews, images),
    linkifiers: hasLinkifiers ? await readLinkifierSet(client, realmId) : NO_LINKIFIERS,
    rows: new Map(rows.map((row) => [row.id, row])),
    users: new Map(users.map((user) => [user.userId, user])),
    ...changed,
    // A message has no reactions when it is sent, and nobody has changed its widget.
    reactions: tense === 'now' ? await readReactions(client, realmId, ids) : new Map<MessageId, Reaction[]>(),
    submessages: tense === 'now' ? await readSubmessages(client, realmId, rows) : newWidgets(rows),
  };
}

/** Messages in the places that they were sent to: their recipients may not have access to the present place. */
async function asSent(
  client: Pool | ClientBase,
  realmId: RealmId,
  rows: readonly MessageRow[],
  history: PlaceHistory,
): Promise<MessageRow[]> {
  const placeOf = ({ id }: MessageRow) => history.at(id, id as number as Position);
  const channels = await readChannels(
    client,
    realmId,
    rows.flatMap((row) => placeOf(row)?.channelId ?? []),
  );
  return rows.map((row) => {
    const place = placeOf(row);
    if (!place) return row;
    const { channelId, topicId, topic } = place;
    return { ...row, channelId, topicId, topic, channelName: channels.get(channelId)?.name ?? null };
  });
}

import { ChannelFacts } from '@annals/channels';
import { FileImageFacts } from '@annals/files';
import { Kernel } from '@annals/kernel';
import type { MessageId, RealmId } from '@annals/kernel/domain';
import { LinkifierFacts, RealmFacts } from '@annals/realm';
import { UserFacts } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { readPlaceHistory } from '../history/place-history';
import { TopicFacts } from '../placement/topic-facts';
import type { CachedMessage } from './message-facts';
import { MessageFacts } from './message-facts';
import type { LoadedMessages, MessageRow } from './message-row';
import { isMoved, readChanges, textsOf } from './read-changes';
import { Renderings } from './rendering';
import { filesOf } from './shown-images';

/** Loads messages as they are now from what the process has cached. Only changes of messages are read for each request. */
@Injectable()
export class MessageLoader {
  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
    private readonly linkifiers: LinkifierFacts,
    private readonly users: UserFacts,
    private readonly channels: ChannelFacts,
    private readonly topics: TopicFacts,
    private readonly messages: MessageFacts,
    private readonly images: FileImageFacts,
  ) {}

  /** Loads messages for a reader that has passed the fence; those that do not exist are left out. */
  async load(realmId: RealmId, ids: readonly MessageId[]): Promise<LoadedMessages> {
    const realm = await this.realms.of(realmId);
    const { message_edit_history_visibility_policy: policy, inline_image_preview: imagePreviews } = realm.settings;
    const cached = await this.messages.byIds(realmId, ids);
    const rows = await this.placed(realmId, [...cached.values()]);
    const users = await this.users.accounts(
      realmId,
      rows.flatMap(({ senderId, userIds }) => [senderId, ...userIds]),
    );
    const { pool } = this.kernel.database;
    const history = await readPlaceHistory(pool, realmId, rows.filter(isMoved));
    const changed = await readChanges(pool, realmId, rows, history, policy);
    const images = await this.images.byIds(realmId, filesOf(textsOf(rows, changed.changes)));
    return {
      realmId,
      subdomain: realm.subdomain,
      rendered: new Renderings(realmId, imagePreviews, images),
      linkifiers: await this.linkifiers.of(realmId),
      rows: new Map(rows.map((row) => [row.id, row])),
      users,
      ...changed,
      reactions: new Map([...cached].flatMap(([id, { reactions }]) => (reactions.length > 0 ? [[id, reactions]] : []))),
      submessages: new Map([...cached].flatMap(([id, { submessages }]) => (submessages ? [[id, submessages]] : []))),
    };
  }

  /** The messages where their topics are now; those of topics that ended are left out. */
  private async placed(realmId: RealmId, cached: readonly CachedMessage[]): Promise<MessageRow[]> {
    const topicIds = new Set(cached.flatMap(({ row: { topicId } }) => topicId ?? []));
    const topics = await this.topics.byIds(realmId, [...topicIds]);
    const channelIds = new Set([...topics.values()].map(({ channelId }) => channelId));
    const channels = await this.channels.byIds(realmId, [...channelIds]);
    return cached.flatMap((message) => {
      if (message.row.topicId === null) return message.row;
      const topic = topics.get(message.row.topicId);
      const channel = topic && channels.get(topic.channelId);
      return channel ? message.placedIn(topic, channel) : [];
    });
  }
}

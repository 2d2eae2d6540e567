import type { Channel, ChannelChange, NewSubscriber } from '@annals/channels';
import { ChannelNotices, channelAggregate } from '@annals/channels';
import type { Work } from '@annals/kernel';
import type { ChannelId } from '@annals/kernel/domain';
import type { RealmSettings } from '@annals/realm';
import { MAX_BULK_NEW_SUBSCRIPTION_MESSAGES, organization } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import { channelLink as link, join, notice } from '../../domain/message/notice-text';
import { ChannelChangeTexts, kindOf } from './channel-change-texts';
import { Notices } from './notices';

const NEW_CHANNELS = 'new channels';
const CHANNEL_EVENTS = 'channel events';

/** Notices about channels: in the channel, in the channel for announcements, and to new subscribers. */
@Injectable()
export class ChannelNoticesByBot extends ChannelNotices {
  constructor(
    private readonly notices: Notices,
    private readonly texts: ChannelChangeTexts,
  ) {
    super();
  }

  override async created(work: Work, ids: readonly ChannelId[], { announce }: { announce: boolean }): Promise<void> {
    if (ids.length === 0) return;
    const { settings } = await organization(work);
    const channels = await Promise.all(ids.map((id) => this.channel(work, id)));
    if (announce) await this.announce(work, channels, settings);
    if (!settings.send_channel_events_messages) return;
    const by = await this.notices.actor(work);
    for (const channel of channels) {
      await this.post(work, channel, CHANNEL_EVENTS, notice`${by} created this channel. It is ${kindOf(channel)}.`);
    }
  }

  override async changed(work: Work, id: ChannelId, change: ChannelChange): Promise<void> {
    const { settings } = await organization(work);
    if (!settings.send_channel_events_messages) return;
    const channel = await this.channel(work, id);
    // Nobody may post in an archived channel, not even the server (contract/permissions.md section 6).
    if (channel.isArchived) return;
    await this.post(work, channel, CHANNEL_EVENTS, await this.texts.of(work, change));
  }

  override async subscribed(work: Work, people: readonly NewSubscriber[]): Promise<boolean> {
    if (people.length > MAX_BULK_NEW_SUBSCRIPTION_MESSAGES) return false;
    const concerned = people.filter(({ channels }) => channels.length > 0);
    const channelsOf = new Map(concerned.map(({ userId, channels }) => [userId, channels.map(link)]));
    const recipients = await this.notices.otherHumans(work, [...channelsOf.keys()]);
    if (recipients.length === 0) return true;
    const by = await this.notices.actor(work);
    await this.notices.notify(work, recipients, (user) => {
      const [first = '', ...others] = channelsOf.get(user) ?? [];
      if (others.length === 0) return notice`${by} subscribed you to the channel ${first}.`;
      return notice`${by} subscribed you to these channels:\n\n* ${join([first, ...others], '\n* ')}`;
    });
    return true;
  }

  /**
   * Private channels are not announced, also if the request asks for it: not all readers of the announcement may see
   * them. The reference server leaves this to its clients, which offer it for public channels only.
   */
  private async announce(work: Work, created: readonly Channel[], settings: RealmSettings): Promise<void> {
    const channels = created.filter(({ inviteOnly }) => !inviteOnly);
    const place = settings.new_stream_announcements_stream_id;
    const announcements = place === null ? null : await work.read(channelAggregate, place);
    if (channels.length === 0 || !announcements) return;
    const by = await this.notices.actor(work);
    const links = join(channels.map(link), ', ');
    const text =
      channels.length === 1
        ? notice`${by} created the channel ${links}.`
        : notice`${by} created the channels ${links}.`;
    await this.post(work, announcements, NEW_CHANNELS, text);
  }

  /** A channel for the empty topic has no other topic, not even for the server (contract/messages.md section 1). */
  private post(work: Work, { id, topicsPolicy }: Channel, topic: string, text: ReturnType<typeof notice>) {
    return this.notices.post(work, id, topicsPolicy === 'empty_topic_only' ? '' : topic, text);
  }

  private async channel(work: Work, id: ChannelId): Promise<Channel> {
    const channel = await work.read(channelAggregate, id);
    if (!channel) throw new Error(`channel ${id} does not exist`);
    return channel;
  }
}

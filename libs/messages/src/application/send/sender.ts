import { AutomaticPolicies, POLICIES } from '@annals/channels';
import type { TopicPolicy } from '@annals/channels';
import type { Opened, Work } from '@annals/kernel';
import type { ChannelId, UserId } from '@annals/kernel/domain';
import { isBot } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { ContentFacts, Place } from '../../domain/events';
import type { AnalyzedContent, NewMessage } from '../../domain/message/message';
import { send } from '../../domain/message/message';
import { sentContent } from '../../domain/message/text';
import type { NamedPeople } from '../../read/narrow/narrow-terms';
import { DirectMessages } from './direct-messages';
import { ContentAnalysis } from './content-analysis';
import { Mentioning } from './mentioning';
import type { PostingTarget } from './posting';
import { Posting } from './posting';

/** Where a message goes, as its sender names it. */
export type Destination =
  { readonly channel: number | string; readonly topic: string } | { readonly people: NamedPeople };

/** What somebody may send: where it goes, and the text that was looked into. */
export interface Draft {
  readonly to: { readonly channel: PostingTarget } | { readonly people: UserId[] };
  readonly text: AnalyzedContent;
}

/** Sends messages within a unit of work: first everything is asked, then everything is written. */
@Injectable()
export class Sender {
  constructor(
    private readonly posting: Posting,
    private readonly directMessages: DirectMessages,
    private readonly analysis: ContentAnalysis,
    private readonly mentioning: Mentioning,
    private readonly automatic: AutomaticPolicies,
  ) {}

  /**
   * Asks whether the actor may send this, and writes nothing.
   *
   * @param written the text as it was written
   * @throws Rejected in the order of contract/messages.md section 3
   */
  async draft(work: Work, to: Destination, written: string): Promise<Draft> {
    const content = sentContent(written);
    return 'channel' in to ? this.draftPost(work, to, content) : this.draftDirect(work, to.people, content);
  }

  private async draftPost(work: Work, to: { channel: number | string; topic: string }, content: string) {
    const { settings } = await organization(work);
    const channel = await this.posting.place(work, to, settings);
    const { channelId, topicsWithName } = channel;
    const text = await this.analysis.of(content, work.actor, { channelId });
    const topicIds = topicsWithName.map(({ id }) => id);
    return {
      to: { channel },
      text: await this.mentioning.allowed(text, work.actor, settings, { channelId, topicIds }),
    };
  }

  private async draftDirect(work: Work, named: NamedPeople, content: string) {
    const realm = await organization(work);
    const people = await this.directMessages.people(work, named, realm);
    const text = await this.analysis.of(content, work.actor, { userIds: people });
    return { to: { people }, text: await this.mentioning.allowed(text, work.actor, realm.settings, null) };
  }

  /**
   * A topic's name as a message to the channel would have it.
   *
   * @throws Rejected BAD_REQUEST for the empty topic where topics are required
   */
  async topicIn(work: Work, channel: ChannelId, written: string): Promise<string> {
    const { settings } = await organization(work);
    return this.posting.topicName(work, channel, written, settings);
  }

  /** Writes what `draft` allowed in the same unit of work. @returns what its topic becomes to the sender; null where that stays */
  async send(
    work: Work,
    { to, text }: Draft,
    how: Pick<NewMessage, 'readBySender' | 'echo'>,
  ): Promise<{ opened: Opened; automaticPolicy: TopicPolicy | null }> {
    const automaticPolicy = 'channel' in to ? await this.shown(work, to.channel, text.facts) : null;
    const place = await this.place(work, to);
    const opened = work.open('message', send({ place, senderId: work.actor.userId, text, ...how }));
    return { opened, automaticPolicy };
  }

  /** A topic that it begins must be followed by its message. */
  private async place(work: Work, to: Draft['to']): Promise<Place> {
    if ('channel' in to)
      return { channelId: to.channel.channelId, topicId: await this.posting.topic(work, to.channel) };
    const [place] = await this.directMessages.open(work, [to.people]);
    if (!place) throw new Error('a conversation was asked for and not opened');
    return place;
  }

  /** What the message makes of its topic to those who take part in it, before it is there. */
  private async shown(work: Work, place: PostingTarget, { mentions }: ContentFacts): Promise<TopicPolicy | null> {
    const { actor } = work;
    const did = place.topicsWithName.length === 0 ? 'begun' : 'sent';
    const own = isBot(actor) ? null : await this.automatic.tookPart(work, actor.userId, place, did);
    await this.automatic.called(work, mentions.userIds, place, own === POLICIES.followed ? actor.userId : null);
    return own;
  }
}

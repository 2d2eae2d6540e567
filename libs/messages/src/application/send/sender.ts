import { AutomaticPolicies, POLICIES } from '@annals/channels';
import type { TopicPolicy } from '@annals/channels';
import type { Opened, Work } from '@annals/kernel';
import type { ChannelId, UserId } from '@annals/kernel/domain';
import { isBot } from '@annals/kernel/domain';
import { organization } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { MessageContentFacts } from '../../domain/events';
import type { AnalyzedContent, NewMessage } from '../../domain/message/message';
import { send } from '../../domain/message/message';
import { sentContent } from '../../domain/message/text';
import type { NamedPeople } from '../../domain/recipients';
import { DirectMessages } from './direct-messages';
import { ContentAnalysis } from './content-analysis';
import { Mentioning } from './mentioning';
import type { MessageTarget } from './open-message';
import { openMessage } from './open-message';
import type { ChannelTarget } from './posting';
import { Posting } from './posting';

/** The destination of a message as its sender names it. */
export type Destination =
  { readonly channel: number | string; readonly topic: string } | { readonly people: NamedPeople };

/** The destination of a message that may be sent there. */
export type DraftTarget = { readonly channel: ChannelTarget } | { readonly people: UserId[] };

/** A message that may be sent: its destination and its analyzed text. */
export interface Draft {
  readonly to: DraftTarget;
  readonly text: AnalyzedContent;
}

/** Sends messages within a unit of work: `draft` checks everything, `send` writes. */
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
   * Checks whether the actor may send this message, and writes nothing.
   *
   * @param written the text as the request has it
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
   * The topic's name as a message to the channel has it.
   *
   * @throws Rejected BAD_REQUEST for the empty topic where topics are required
   */
  async topicIn(work: Work, channel: ChannelId, written: string): Promise<string> {
    const { settings } = await organization(work);
    return this.posting.topicName(work, channel, written, settings);
  }

  /**
   * Writes a message that `draft` allowed in the same unit of work.
   *
   * @returns the sender's new visibility policy for the topic; null where it does not change
   */
  async send(
    work: Work,
    { to, text }: Draft,
    how: Pick<NewMessage, 'readBySender' | 'echo' | 'zform'>,
  ): Promise<{ opened: Opened; automaticPolicy: TopicPolicy | null }> {
    const automaticPolicy = 'channel' in to ? await this.follow(work, to.channel, text.facts) : null;
    const target = await this.target(work, to);
    const senderId = work.actor.userId;
    const opened = openMessage(work, target, (place) => send({ place, senderId, text, ...how }));
    return { opened, automaticPolicy };
  }

  private async target(work: Work, to: DraftTarget): Promise<MessageTarget> {
    if ('channel' in to) return this.posting.target(work, to.channel);
    const [place] = await this.directMessages.open(work, [to.people]);
    if (!place) throw new Error('the conversation was not opened');
    return { kind: 'existing', place };
  }

  /** Changes the visibility policies of the sender and of mentioned users; call it before the message is written. */
  private async follow(
    work: Work,
    place: ChannelTarget,
    { mentions }: MessageContentFacts,
  ): Promise<TopicPolicy | null> {
    const { actor } = work;
    const did = place.topicsWithName.length === 0 ? 'begun' : 'sent';
    const own = isBot(actor) ? null : await this.automatic.tookPart(work, actor.userId, place, did);
    await this.automatic.mentioned(work, mentions.userIds, place, own === POLICIES.followed ? actor.userId : null);
    return own;
  }
}

import type { ChannelPrivacy, Reader } from '@annals/channels';
import { historyScope } from '@annals/channels';
import type { ChannelId, ConversationId, MessageId, Position, Span, TopicId, UserId } from '@annals/kernel/domain';
import type { EditableFlag, FlagOperation } from '../domain/flags/flag-events';
import type { VisibilityFacts, ReaderFacts } from '../read/visibility/visibility';

export const CHANNELS = [1, 2, 3] as ChannelId[];
export const PEOPLE = [1, 2, 3, 4] as UserId[];

/** A message that a user received. */
interface InboxEntry {
  /** Whether the user was not subscribed to the channel when the message was sent. */
  readonly isOutside: boolean;
}

/** A flag that a user adds to messages or removes from them. */
interface FlagChange {
  readonly flag: EditableFlag;
  readonly op: FlagOperation;
}

/** A model of the messages that each user may see, in plain maps beside the log. */
export class Model {
  position = 0;
  readonly spans = new Map<string, Span[]>();
  readonly messages: VisibilityFacts[] = [];
  /** By message, the users whom it mentioned when it was sent. */
  readonly mentioned = new Map<MessageId, readonly UserId[]>();
  /** By message, the users whom its present text mentions. */
  readonly mentionedNow = new Map<MessageId, readonly UserId[]>();
  /** The current subscriptions, as `channel:user`. They do not depend on `spans`. */
  readonly subscribed = new Set<string>();
  /** By user, the messages that they received. */
  readonly inboxes = new Map<UserId, Map<MessageId, InboxEntry>>(PEOPLE.map((user) => [user, new Map()]));
  /** By user, their unread messages. */
  readonly unreadBy = new Map<UserId, Set<MessageId>>(PEOPLE.map((user) => [user, new Set()]));
  /** By user, messages that they starred, collapsed or marked as unread, with the flags that are set. */
  readonly flagged = new Map<UserId, Map<MessageId, Set<EditableFlag>>>(PEOPLE.map((user) => [user, new Map()]));
  /** Which users muted which others now, as `user:other`. */
  readonly muted = new Set<string>();
  /** By message that was moved, the users who were subscribed to the channel that it was moved to. */
  readonly subscribersAtMove = new Map<MessageId, ReadonlySet<UserId>>();
  /** The channel of each topic. A channel may have several topics. */
  readonly topics = new Map<TopicId, ChannelId>(CHANNELS.map((id) => [id as number as TopicId, id]));
  readonly topicOf = new Map<MessageId, TopicId>();
  /**
   * The position of the last move of each topic that was too large for its messages to be stored under the new channel.
   */
  readonly since = new Map<TopicId, Position>();
  /** Users whose accounts are deactivated, with the position. They are reactivated later. */
  readonly away = new Map<UserId, Position>();
  readonly conversations = new Map<string, { id: ConversationId; people: UserId[] }>();

  constructor(readonly channels: ChannelPrivacy[]) {}

  open(at: ChannelId, who: UserId): Span | undefined {
    return this.spans.get(`${at}:${who}`)?.find(({ to }) => to === null);
  }

  joins(at: ChannelId, who: UserId): void {
    this.subscribed.add(`${at}:${who}`);
  }

  /** The unread messages of the channel become read. */
  leaves(at: ChannelId, who: UserId): void {
    this.subscribed.delete(`${at}:${who}`);
    for (const { id, channelId } of this.messages) if (channelId === at) this.unreadBy.get(who)?.delete(id);
  }

  /** For users who are not subscribed to the channel, and for those who muted the sender, the message is read from the start. */
  delivers({ id, senderId, channelId: place }: VisibilityFacts, to: readonly UserId[]): void {
    const subscribers = PEOPLE.filter((who) => place !== null && this.isThere(place, who));
    for (const who of [...to, ...subscribers]) {
      const isOutside = place !== null && !subscribers.includes(who);
      this.inboxes.get(who)?.set(id, { isOutside });
      if (!isOutside && !this.muted.has(`${who}:${senderId}`)) this.unreadBy.get(who)?.add(id);
    }
  }

  /** Whether a user is subscribed and their account is active. */
  isThere = (at: ChannelId, who: UserId): boolean => this.subscribed.has(`${at}:${who}`) && !this.away.has(who);

  /**
   * Reactivates an account. Its spans end where it was deactivated, and new ones begin.
   *
   * @returns the channels of the new spans
   */
  reactivates(who: UserId, since: Position): ChannelId[] {
    this.away.delete(who);
    const found = CHANNELS.filter((at) => this.open(at, who));
    const position = found.length > 0 ? this.next() : since;
    for (const at of found) {
      const spans = (this.spans.get(`${at}:${who}`) ?? []).map((one) =>
        one.to === null ? { ...one, to: since } : one,
      );
      this.spans.set(`${at}:${who}`, [...spans, { from: position, to: null }]);
    }
    return found;
  }

  received = (who: UserId): MessageId[] => [...(this.inboxes.get(who)?.keys() ?? [])];

  /** Messages that a user received without being subscribed to their channel. */
  receivedOutside = (who: UserId): MessageId[] =>
    [...(this.inboxes.get(who) ?? [])].filter(([, { isOutside }]) => isOutside).map(([id]) => id);

  unread = (who: UserId): MessageId[] =>
    this.messages.flatMap(({ id }) => (this.unreadBy.get(who)?.has(id) ? [id] : []));

  /** Unread messages that a user can see and that mention them. */
  unreadMentions = (reader: Reader): MessageId[] =>
    this.unread(reader.userId).filter(
      (id) => this.mentionedNow.get(id)?.includes(reader.userId) && this.visible(reader).includes(id),
    );

  starred = (reader: Reader): MessageId[] =>
    this.visible(reader).filter((id) => this.flagged.get(reader.userId)?.get(id)?.has('starred'));

  /** Whether the change of a flag of a message changes anything; only messages of own channels and conversations become unread. */
  changesFlag(who: UserId, id: MessageId, { flag, op }: FlagChange): boolean {
    if (flag !== 'read') return (this.flagged.get(who)?.get(id)?.has(flag) ?? false) !== (op === 'add');
    if (op === 'add') return this.unread(who).includes(id);
    const message = this.messages.find((one) => one.id === id);
    const isOwn =
      message?.channelId == null ? this.inboxes.get(who)?.has(id) : this.subscribed.has(`${message.channelId}:${who}`);
    return isOwn === true && !this.unread(who).includes(id);
  }

  setsFlag(who: UserId, id: MessageId, { flag, op }: FlagChange): void {
    if (flag === 'read' && op === 'add') return void this.unreadBy.get(who)?.delete(id);
    const flags = this.flagged.get(who)?.get(id) ?? new Set();
    this.flagged.get(who)?.set(id, flags);
    if (flag === 'read') this.unreadBy.get(who)?.add(id);
    else if (op === 'add') flags.add(flag);
    else flags.delete(flag);
  }

  deletes(id: MessageId): void {
    this.messages.splice(0, Infinity, ...this.messages.filter((one) => one.id !== id));
    this.topicOf.delete(id);
    for (const inbox of this.inboxes.values()) inbox.delete(id);
  }

  visible(reader: Reader): MessageId[] {
    const inbox = new Set(this.received(reader.userId));
    return this.messages
      .filter(({ id, channelId }) => {
        const shape = channelId === null ? undefined : this.channels[channelId - 1];
        if (!shape) return inbox.has(id);
        const scope = historyScope(shape, reader, this.subscribed.has(`${channelId}:${reader.userId}`));
        const wasReceived = this.subscribersAtMove.get(id)?.has(reader.userId) ?? inbox.has(id);
        return scope === 'all' || (scope === 'received' && wasReceived);
      })
      .map(({ id }) => id);
  }

  /**
   * The messages that a user received or flagged, or that were moved to them in a channel with protected history, as far as the
   * user can still see them.
   */
  own(reader: Reader): MessageId[] {
    const inbox = new Set(this.received(reader.userId));
    const isProtected = (at: ChannelId | null) =>
      at !== null && this.channels[at - 1]?.historyPublicToSubscribers === false;
    const granted = new Set(
      this.messages.flatMap(({ id, channelId }) =>
        isProtected(channelId) && this.subscribersAtMove.get(id)?.has(reader.userId) ? [id] : [],
      ),
    );
    const flagged = this.flagged.get(reader.userId);
    return this.visible(reader).filter((id) => inbox.has(id) || granted.has(id) || flagged?.has(id));
  }

  /**
   * Messages of a topic are moved to a channel. They become read for users who are not subscribed there, and where the channel
   * has protected history, for users whose accounts are deactivated.
   */
  moves(ids: readonly MessageId[], to: ChannelId, arrived: Position): void {
    for (const [n, message] of this.messages.entries()) {
      if (!ids.includes(message.id) || message.channelId === to) continue;
      this.messages[n] = { ...message, channelId: to, arrived };
      this.subscribersAtMove.set(message.id, new Set(PEOPLE.filter((who) => this.isThere(to, who))));
      const isProtected = this.channels[to - 1]?.historyPublicToSubscribers === false;
      for (const who of PEOPLE) {
        const hasIt = isProtected ? this.isThere(to, who) : this.subscribed.has(`${to}:${who}`);
        if (!hasIt) this.unreadBy.get(who)?.delete(message.id);
      }
    }
  }

  next = (count = 1): Position => (this.position += count) as Position;

  readerFacts(reader: Reader): ReaderFacts {
    const { userId } = reader;
    return {
      reader,
      spansIn: (at) => this.spans.get(`${at}:${userId}`) ?? [],
      isIn: (conversation) =>
        [...this.conversations.values()].some(({ id, people }) => id === conversation && people.includes(userId)),
      isMentionedBy: (message) => this.mentioned.get(message)?.includes(userId) ?? false,
    };
  }
}

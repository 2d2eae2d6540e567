import type { ChannelPrivacy, Reader } from '@annals/channels';
import { historyScope } from '@annals/channels';
import type { ChannelId, ConversationId, MessageId, Position, TopicId, UserId } from '@annals/kernel/domain';
import type { Span } from '../read/visibility/spans';
import type { Placed, ReaderFacts } from '../read/visibility/visibility';

export const CHANNELS = [1, 2, 3] as ChannelId[];
export const PEOPLE = [1, 2, 3, 4] as UserId[];

/** How somebody has a message that came to them. */
interface Had {
  readonly place: ChannelId | null;
  /** It came from a channel that they were not in. */
  readonly isOutside: boolean;
  unread: boolean;
}

/** What anybody may see, kept in plain maps beside the log. */
export class Model {
  position = 0;
  readonly spans = new Map<string, Span[]>();
  readonly messages: Placed[] = [];
  /** By message, whom it called when it was sent. */
  readonly called = new Map<MessageId, readonly UserId[]>();
  /** Who is subscribed to what now: nothing here knows of spans. */
  readonly subscribed = new Set<string>();
  /** What came to whom, and whether it is unread. */
  readonly inboxes = new Map<UserId, Map<MessageId, Had>>(PEOPLE.map((user) => [user, new Map()]));
  /** By message that was moved, who was subscribed where it came to. */
  readonly witnesses = new Map<MessageId, ReadonlySet<UserId>>();
  /** Topics by their ids, with where they are; several may be in one channel. */
  readonly topics = new Map<TopicId, ChannelId>(CHANNELS.map((id) => [id as number as TopicId, id]));
  readonly topicOf = new Map<MessageId, TopicId>();
  /** Topics that came with more messages than are filed anew, and when. */
  readonly since = new Map<TopicId, Position>();
  /** People whose accounts have ended, and where in the log; they come back. */
  readonly away = new Map<UserId, Position>();
  readonly conversations = new Map<string, { id: ConversationId; people: UserId[] }>();

  constructor(readonly channels: ChannelPrivacy[]) {}

  open(at: ChannelId, who: UserId): Span | undefined {
    return this.spans.get(`${at}:${who}`)?.find(({ to }) => to === null);
  }

  joins(at: ChannelId, who: UserId): void {
    this.subscribed.add(`${at}:${who}`);
  }

  /** What is left behind counts as read. */
  leaves(at: ChannelId, who: UserId): void {
    this.subscribed.delete(`${at}:${who}`);
    for (const one of this.inboxes.get(who)?.values() ?? []) if (one.place === at) one.unread = false;
  }

  /** To whom a message comes outside its channel, it is read. */
  comes(id: MessageId, place: ChannelId | null, to: readonly UserId[]): void {
    const subscribers = PEOPLE.filter((who) => place !== null && this.isThere(place, who));
    for (const who of [...to, ...subscribers]) {
      const isOutside = place !== null && !subscribers.includes(who);
      this.inboxes.get(who)?.set(id, { place, isOutside, unread: !isOutside });
    }
  }

  /** Subscribed, with an account that is in use. */
  isThere = (at: ChannelId, who: UserId): boolean => this.subscribed.has(`${at}:${who}`) && !this.away.has(who);

  /** @returns the channels that they find again; stays end where the account did, and begin anew */
  comesBack(who: UserId, since: Position): ChannelId[] {
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

  /** What came to somebody from channels that they were not in. */
  outside = (who: UserId): MessageId[] =>
    [...(this.inboxes.get(who) ?? [])].filter(([, { isOutside }]) => isOutside).map(([id]) => id);

  unread = (who: UserId): MessageId[] =>
    [...(this.inboxes.get(who) ?? [])]
      .filter(([, { place, unread }]) => unread && (place === null || this.subscribed.has(`${place}:${who}`)))
      .map(([id]) => id);

  visible(reader: Reader): MessageId[] {
    const inbox = new Set(this.received(reader.userId));
    return this.messages
      .filter(({ id, channelId }) => {
        const shape = channelId === null ? undefined : this.channels[channelId - 1];
        if (!shape) return inbox.has(id);
        const scope = historyScope(shape, reader, this.subscribed.has(`${channelId}:${reader.userId}`));
        const came = this.witnesses.get(id)?.has(reader.userId) ?? inbox.has(id);
        return scope === 'all' || (scope === 'received' && came);
      })
      .map(({ id }) => id);
  }

  /** What is somebody's own: received, or come to them where history is protected, as far as they still see it. */
  own(reader: Reader): MessageId[] {
    const inbox = new Set(this.received(reader.userId));
    const isProtected = (at: ChannelId | null) =>
      at !== null && this.channels[at - 1]?.historyPublicToSubscribers === false;
    const came = new Set(
      this.messages.flatMap(({ id, channelId }) =>
        isProtected(channelId) && this.witnesses.get(id)?.has(reader.userId) ? [id] : [],
      ),
    );
    return this.visible(reader).filter((id) => inbox.has(id) || came.has(id));
  }

  /** Messages of a topic go to a channel; whoever is subscribed there by then knows of them, to others they are read. */
  moves(ids: readonly MessageId[], to: ChannelId, arrived: Position): void {
    for (const [n, message] of this.messages.entries()) {
      if (!ids.includes(message.id) || message.channelId === to) continue;
      this.messages[n] = { ...message, channelId: to, arrived };
      this.witnesses.set(message.id, new Set(PEOPLE.filter((who) => this.isThere(to, who))));
      for (const [who, inbox] of this.inboxes) {
        const one = inbox.get(message.id);
        const unread = one?.unread === true && this.subscribed.has(`${to}:${who}`);
        if (one) inbox.set(message.id, { ...one, place: to, unread });
      }
    }
  }

  next = (count = 1): Position => (this.position += count) as Position;

  sight(reader: Reader): ReaderFacts {
    const { userId } = reader;
    return {
      reader,
      spansIn: (at) => this.spans.get(`${at}:${userId}`) ?? [],
      isIn: (conversation) =>
        [...this.conversations.values()].some(({ id, people }) => id === conversation && people.includes(userId)),
      isMentionedBy: (message) => this.called.get(message)?.includes(userId) ?? false,
    };
  }
}

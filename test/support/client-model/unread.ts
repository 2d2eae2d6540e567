import type { ClientTopics } from './topics';

/** A `message` event with what this client needs of it (contract/messages.md section 3.2). */
export interface MessageEvent {
  readonly flags: readonly string[];
  readonly message: { readonly id: number } & (
    | { readonly type: 'stream'; readonly stream_id: number; readonly subject: string }
    | { readonly type: 'private'; readonly display_recipient: readonly { readonly id: number }[] }
  );
}

/** An `update_message` event with what tells of a move (contract/messages.md section 5.6). */
export interface UpdateEvent {
  readonly message_id: number;
  readonly flags: readonly string[];
  readonly message_ids: readonly number[];
  readonly stream_id?: number;
  readonly new_stream_id?: number;
  readonly orig_subject?: string;
  readonly subject?: string;
}

/** An `update_message_flags` event (contract/messages.md section 9). */
export interface FlagsEvent {
  readonly op: string;
  readonly flag: string;
  readonly messages: readonly number[];
}

export interface RecentConversation {
  readonly user_ids: readonly number[];
  max_message_id: number;
}

/** contract/boot.md section 8 */
export interface UnreadMessages {
  count: number;
  pms: { readonly other_user_id: number; readonly sender_id: number; readonly unread_message_ids: number[] }[];
  huddles: { readonly user_ids_string: string; readonly unread_message_ids: number[] }[];
  streams: { readonly stream_id: number; topic: string; unread_message_ids: number[] }[];
  mentions: number[];
}

/** A `delete_message` event (contract/messages.md section 6.3); clients that know no lists get one for each message. */
export interface DeletionEvent {
  readonly message_ids?: readonly number[];
  readonly message_id?: number;
}

/** The part of a client's state that new messages change. */
interface State {
  readonly user_id: number;
  max_message_id: number;
  recent_private_conversations: RecentConversation[];
  readonly unread_msgs: UnreadMessages;
  readonly subscriptions: readonly { readonly stream_id: number; readonly [field: string]: unknown }[];
}

/** The unread messages of a client, kept up to date by events. */
export class ClientUnread {
  /** Messages that were deleted: what was the newest one before them, a client does not know. */
  private readonly gone = new Set<number>();
  /** Messages that this client had unread when a change of them said that they are read. */
  private readonly contradicted = new Set<number>();

  constructor(
    private readonly state: State,
    private readonly topics: ClientTopics,
  ) {}

  received({ message, flags }: MessageEvent): void {
    const { state } = this;
    state.max_message_id = message.id;
    const others = message.type === 'private' ? this.others(message.display_recipient) : null;
    if (others) this.spoke(others, message.id);
    if (flags.includes('read')) return;
    if (flags.some((flag) => flag.endsWith('mentioned'))) state.unread_msgs.mentions.push(message.id);
    if (message.type === 'stream') this.inTopic(message.stream_id, message.subject).push(message.id);
    else this.inConversation(others ?? []).push(message.id);
  }

  flagged({ op, flag, messages }: FlagsEvent): void {
    if (op !== 'add' || flag !== 'read') throw new Error(`nobody told this client what ${op} ${flag} means`);
    this.without(new Set(messages));
  }

  deleted({ message_ids, message_id }: DeletionEvent): void {
    const ids = message_ids ?? (message_id === undefined ? [] : [message_id]);
    if (ids.length === 0) throw new Error('a deletion of nothing');
    for (const id of ids) this.gone.add(id);
    this.without(this.gone);
  }

  /** A moved message stays unread unless another event marks it as read or deleted. */
  changed({ message_id, message_ids, flags, stream_id, new_stream_id, orig_subject, subject }: UpdateEvent): void {
    const channel = new_stream_id ?? stream_id;
    const isThere = this.state.subscriptions.some((own) => own.stream_id === channel);
    const isToldRead = flags.includes('read') && (isThere || stream_id === undefined);
    if (isToldRead && this.isUnread(message_id)) this.contradicted.add(message_id);
    if (this.isUnread(message_id)) this.mentioned(message_id, flags);
    const topic = subject ?? orig_subject;
    if (channel === undefined || topic === undefined) return;
    const { unread_msgs: unread } = this.state;
    const all = new Set(unread.streams.flatMap(({ unread_message_ids: ids }) => ids));
    const ids = message_ids.filter((id) => all.has(id));
    if (ids.length === 0) return;
    const { mentions } = unread;
    this.without(new Set(ids));
    const there = this.inTopic(channel, topic);
    there.splice(0, Infinity, ...[...there, ...ids].sort((a, b) => a - b));
    unread.mentions = mentions;
  }

  /**
   * Asks for what a client cannot work out: which message is the newest once the newest was deleted. Of a deletion in a
   * channel that it reads no more it is told nothing.
   *
   * @throws Error when a message was said to be read that was not; of one that is gone by now nobody has flags to tell
   */
  lookUp({ state: now }: ClientUnread): void {
    const { state } = this;
    for (const id of this.contradicted) if (!this.gone.has(id)) throw new Error(`${id} is said to be read`);
    state.max_message_id = Math.min(state.max_message_id, now.max_message_id);
    const kept = state.recent_private_conversations.filter(({ max_message_id: id }) => !this.gone.has(id));
    const known = new Set(kept.map(({ user_ids }) => user_ids.join()));
    const asked = now.recent_private_conversations.filter(({ user_ids }) => this.hasLost(user_ids));
    const found = asked.filter(({ user_ids }) => !known.has(user_ids.join()));
    state.recent_private_conversations = [...kept, ...found].sort((a, b) => b.max_message_id - a.max_message_id);
  }

  /** Whether the newest message that this client knows of a conversation was deleted. */
  private hasLost(user_ids: readonly number[]): boolean {
    const known = this.state.recent_private_conversations.find((one) => one.user_ids.join() === user_ids.join());
    return known !== undefined && this.gone.has(known.max_message_id);
  }

  /** An edited text may mention other users. */
  private mentioned(id: number, flags: readonly string[]): void {
    const { unread_msgs: unread } = this.state;
    const others = unread.mentions.filter((one) => one !== id);
    const isCalled = flags.some((flag) => flag.endsWith('mentioned'));
    unread.mentions = isCalled ? [...others, id].sort((a, b) => a - b) : others;
  }

  private isUnread(id: number): boolean {
    const { streams, pms, huddles } = this.state.unread_msgs;
    return [...streams, ...pms, ...huddles].some(({ unread_message_ids: ids }) => ids.includes(id));
  }

  private without(ids: ReadonlySet<number>): void {
    const { unread_msgs: unread } = this.state;
    const rest = <Place extends { unread_message_ids: number[] }>(places: readonly Place[]) =>
      places
        .map((place) => ({ ...place, unread_message_ids: place.unread_message_ids.filter((id) => !ids.has(id)) }))
        .filter(({ unread_message_ids: left }) => left.length > 0);
    unread.mentions = unread.mentions.filter((id) => !ids.has(id));
    unread.streams = rest(unread.streams);
    unread.pms = rest(unread.pms);
    unread.huddles = rest(unread.huddles);
  }

  /** The count changes with what is muted, too, so that clients work it out (contract/boot.md section 8). */
  counted(): UnreadMessages {
    const { unread_msgs: unread, subscriptions } = this.state;
    const muted = new Set(subscriptions.filter((own) => own['is_muted'] === true).map(({ stream_id }) => stream_id));
    const isLoud = ({ stream_id, topic }: UnreadMessages['streams'][number]) =>
      [!muted.has(stream_id), false, true, true][this.topics.policyOf(stream_id, topic)] ?? false;
    const loud = [...unread.pms, ...unread.huddles, ...unread.streams.filter(isLoud)];
    const count = loud.reduce((sum, { unread_message_ids: ids }) => sum + ids.length, 0);
    const [pms, huddles, streams] = [byFirst(unread.pms), byFirst(unread.huddles), byFirst(unread.streams)];
    return { ...unread, pms, huddles, streams, count };
  }

  private others(people: readonly { readonly id: number }[]): number[] {
    return people.map(({ id }) => id).filter((id) => id !== this.state.user_id);
  }

  /** Conversations are listed newest first. */
  private spoke(user_ids: readonly number[], max_message_id: number): void {
    const { state } = this;
    const rest = state.recent_private_conversations.filter((one) => one.user_ids.join() !== user_ids.join());
    state.recent_private_conversations = [{ max_message_id, user_ids }, ...rest];
  }

  private inTopic(stream_id: number, topic: string): number[] {
    const { streams } = this.state.unread_msgs;
    const known = streams.find((one) => one.stream_id === stream_id && same(one.topic, topic));
    if (known) known.topic = topic;
    const entry = known ?? { stream_id, topic, unread_message_ids: [] };
    if (!known) streams.push(entry);
    return entry.unread_message_ids;
  }

  private inConversation(others: readonly number[]): number[] {
    const { pms, huddles } = this.state.unread_msgs;
    if (others.length > 1) {
      const user_ids_string = [...others, this.state.user_id].sort((a, b) => a - b).join();
      const huddle = huddles.find((one) => one.user_ids_string === user_ids_string);
      if (!huddle) huddles.push({ user_ids_string, unread_message_ids: [] });
      return (huddle ?? huddles.at(-1))?.unread_message_ids ?? [];
    }
    const other = others[0] ?? this.state.user_id;
    const known = pms.find(({ other_user_id }) => other_user_id === other);
    if (!known) pms.push({ other_user_id: other, sender_id: other, unread_message_ids: [] });
    return (known ?? pms.at(-1))?.unread_message_ids ?? [];
  }
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Topics are listed in the order of their first unread messages, which change. */
const byFirst = <Place extends { readonly unread_message_ids: readonly number[] }>(places: readonly Place[]): Place[] =>
  [...places].sort((a, b) => (a.unread_message_ids[0] ?? 0) - (b.unread_message_ids[0] ?? 0));

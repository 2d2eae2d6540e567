import type { ClientTopics } from './topics';

/** The fields of a `message` event that this client needs (contract/messages.md section 3.2). */
export interface MessageEvent {
  readonly flags: readonly string[];
  readonly message: { readonly id: number } & (
    | { readonly type: 'stream'; readonly stream_id: number; readonly subject: string }
    | { readonly type: 'private'; readonly display_recipient: readonly { readonly id: number }[] }
  );
}

/** The fields of an `update_message` event about a move (contract/messages.md section 5.6). */
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
  readonly all: boolean;
  /** Of messages that became unread, by id. */
  readonly message_details?: Readonly<Record<string, UnreadDetails>>;
}

type UnreadDetails = { readonly mentioned?: true } & (
  | { readonly type: 'stream'; readonly stream_id: number; readonly topic: string }
  | { readonly type: 'private'; readonly user_ids: readonly number[] }
);

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

/**
 * A `delete_message` event (contract/messages.md section 6.3). Clients without support for lists receive one for each
 * message.
 */
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
  starred_messages: number[];
  readonly subscriptions: readonly { readonly stream_id: number; readonly [field: string]: unknown }[];
}

/** The unread messages of a client, kept up to date by events. */
export class ClientUnread {
  /** Deleted messages: a client does not know the newest message before them. */
  private readonly deletedIds = new Set<number>();
  /** Messages that this client had unread when an event made them read. */
  private readonly contradicted = new Set<number>();

  constructor(
    private readonly state: State,
    private readonly topics: ClientTopics,
  ) {}

  received({ message, flags }: MessageEvent): void {
    const { state } = this;
    const { id } = message;
    state.max_message_id = Math.max(state.max_message_id, id);
    // A restored message is older than others.
    this.deletedIds.delete(id);
    const others = message.type === 'private' ? this.others(message.display_recipient) : null;
    if (others) this.spoke(others, id);
    if (flags.includes('starred')) this.starred([id], 'add');
    if (flags.includes('read')) return;
    if (flags.some((flag) => flag.endsWith('mentioned'))) insert(state.unread_msgs.mentions, id);
    if (message.type === 'stream') insert(this.inTopic(message.stream_id, message.subject), id);
    else insert(this.inConversation(others ?? []), id);
  }

  flagged({ op, flag, messages, all, message_details }: FlagsEvent): void {
    if (flag === 'starred') return this.starred(messages, op);
    if (flag === 'collapsed') return;
    if (flag !== 'read') throw new Error(`this client does not know the flag ${flag}`);
    const { unread_msgs: unread } = this.state;
    // Flags of a changed message may be newer than the change: then this event reports what they had already.
    for (const id of all ? [...this.contradicted] : messages) this.contradicted.delete(id);
    if (all) return void Object.assign(unread, { pms: [], huddles: [], streams: [], mentions: [] });
    this.without(new Set(messages));
    if (op === 'add') return;
    for (const id of messages) {
      const details = message_details?.[id];
      if (!details) throw new Error(`${id} is unread without details`);
      const { mentioned, ...place } = details;
      if (mentioned) unread.mentions = [...unread.mentions, id].sort((a, b) => a - b);
      const list =
        place.type === 'stream' ? this.inTopic(place.stream_id, place.topic) : this.inConversation(place.user_ids);
      list.splice(0, Infinity, ...[...list, id].sort((a, b) => a - b));
    }
  }

  deleted({ message_ids, message_id }: DeletionEvent): void {
    const ids = message_ids ?? (message_id === undefined ? [] : [message_id]);
    if (ids.length === 0) throw new Error('a deletion of nothing');
    for (const id of ids) this.deletedIds.add(id);
    this.without(this.deletedIds);
    this.starred(ids, 'remove');
  }

  private starred(ids: readonly number[], op: string): void {
    const others = this.state.starred_messages.filter((id) => !ids.includes(id));
    this.state.starred_messages = op === 'add' ? [...others, ...ids].sort((a, b) => a - b) : others;
  }

  /**
   * No event tells a client that it cannot read a starred message any more, or that it can again.
   *
   * @param readable what it can read now
   * @param unreadable what it could not read when it registered
   */
  starredByAccess({ state: now }: ClientUnread, readable: ReadonlySet<number>, unreadable: ReadonlySet<number>): void {
    const kept = this.state.starred_messages.filter((id) => readable.has(id));
    const again = now.starred_messages.filter((id) => unreadable.has(id) || this.deletedIds.has(id));
    this.state.starred_messages = [...new Set([...kept, ...again])].sort((a, b) => a - b);
  }

  /** A moved message stays unread unless another event marks it as read or deleted. */
  changed({ message_id, message_ids, flags, stream_id, new_stream_id, orig_subject, subject }: UpdateEvent): void {
    const channel = new_stream_id ?? stream_id;
    const isThere = this.state.subscriptions.some((own) => own.stream_id === channel);
    const becomesRead = flags.includes('read') && (isThere || stream_id === undefined);
    if (becomesRead && this.isUnread(message_id)) this.contradicted.add(message_id);
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
   * Reads what a client cannot compute: the newest message after the newest was deleted. It receives no event about a
   * deletion in a channel that it cannot read.
   *
   * @throws Error when an event made a message read that was not. For a deleted one the flags are unknown
   */
  lookUp({ state: now }: ClientUnread): void {
    const { state } = this;
    for (const id of this.contradicted) if (!this.deletedIds.has(id)) throw new Error(`${id} was marked as read`);
    state.max_message_id = Math.min(state.max_message_id, now.max_message_id);
    const kept = state.recent_private_conversations.filter(({ max_message_id: id }) => !this.deletedIds.has(id));
    const known = new Set(kept.map(({ user_ids }) => user_ids.join()));
    const asked = now.recent_private_conversations.filter(({ user_ids }) => this.hasLost(user_ids));
    const found = asked.filter(({ user_ids }) => !known.has(user_ids.join()));
    state.recent_private_conversations = [...kept, ...found].sort((a, b) => b.max_message_id - a.max_message_id);
  }

  /** Whether the newest message of a conversation that this client knows was deleted. */
  private hasLost(user_ids: readonly number[]): boolean {
    const known = this.state.recent_private_conversations.find((one) => one.user_ids.join() === user_ids.join());
    return known !== undefined && this.deletedIds.has(known.max_message_id);
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

  /** The count also changes with muting, so clients compute it (contract/boot.md section 8). */
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
    const isSame = (one: RecentConversation) => one.user_ids.join() === user_ids.join();
    const known = state.recent_private_conversations.find(isSame);
    const newest = Math.max(max_message_id, known?.max_message_id ?? 0);
    const rest = state.recent_private_conversations.filter((one) => !isSame(one));
    const all = [{ max_message_id: newest, user_ids }, ...rest];
    state.recent_private_conversations = all.sort((a, b) => b.max_message_id - a.max_message_id);
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

/** Lists of ids are ascending. */
function insert(ids: number[], id: number): void {
  ids.splice(0, Infinity, ...[...new Set([...ids, id])].sort((a, b) => a - b));
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Topics are listed in the order of their first unread messages, which change. */
const byFirst = <Place extends { readonly unread_message_ids: readonly number[] }>(places: readonly Place[]): Place[] =>
  [...places].sort((a, b) => (a.unread_message_ids[0] ?? 0) - (b.unread_message_ids[0] ?? 0));

import type { ClientTopics } from './client-topics';

/** A `message` event with what this client needs of it (contract/messages.md section 3.2). */
export interface MessageEvent {
  readonly flags: readonly string[];
  readonly message: { readonly id: number } & (
    | { readonly type: 'stream'; readonly stream_id: number; readonly subject: string }
    | { readonly type: 'private'; readonly display_recipient: readonly { readonly id: number }[] }
  );
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

/** The part of a client's state that new messages change. */
interface State {
  readonly user_id: number;
  max_message_id: number;
  recent_private_conversations: RecentConversation[];
  readonly unread_msgs: UnreadMessages;
  readonly subscriptions: readonly { readonly stream_id: number; readonly [field: string]: unknown }[];
}

/** How a client keeps its unread messages as messages come. */
export class ClientUnread {
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
    const { unread_msgs: unread } = this.state;
    const read = new Set(messages);
    unread.mentions = unread.mentions.filter((id) => !read.has(id));
    for (const topic of unread.streams) {
      topic.unread_message_ids = topic.unread_message_ids.filter((id) => !read.has(id));
    }
    unread.streams = unread.streams.filter((topic) => topic.unread_message_ids.length > 0);
  }

  /** The count changes with what is muted, too, so that clients work it out (contract/boot.md section 8). */
  counted(): UnreadMessages {
    const { unread_msgs: unread, subscriptions } = this.state;
    const muted = new Set(subscriptions.filter((own) => own['is_muted'] === true).map(({ stream_id }) => stream_id));
    const isLoud = ({ stream_id, topic }: UnreadMessages['streams'][number]) =>
      [!muted.has(stream_id), false, true, true][this.topics.policyOf(stream_id, topic)] ?? false;
    const loud = [...unread.pms, ...unread.huddles, ...unread.streams.filter(isLoud)];
    return { ...unread, count: loud.reduce((sum, { unread_message_ids: ids }) => sum + ids.length, 0) };
  }

  private others(people: readonly { readonly id: number }[]): number[] {
    return people.map(({ id }) => id).filter((id) => id !== this.state.user_id);
  }

  /** Conversations are told newest first. */
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

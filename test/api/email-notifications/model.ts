import { OFFLINE_MS } from '@annals/presence';
import { BATCHING_MS } from '../../support/mail/missed';

/** The users who may miss messages. The sender is somebody else. */
export const READERS = ['bob', 'cat'] as const;
export type ReaderName = (typeof READERS)[number];
export const TOPICS = ['one', 'two'] as const;
type Topic = (typeof TOPICS)[number];
export type TopicChoice = 'inherits' | 'muted' | 'followed';

/** One thing that happens. Messages are named by their order. */
export type MissingAct =
  | { readonly act: 'direct'; readonly to: readonly ReaderName[] }
  | { readonly act: 'say'; readonly topic: Topic; readonly mentions: readonly ReaderName[] | 'all' }
  | { readonly act: 'read'; readonly by: ReaderName; readonly message: number }
  | { readonly act: 'delete'; readonly message: number }
  | { readonly act: 'choose'; readonly by: ReaderName; readonly topic: Topic; readonly choice: TopicChoice }
  | { readonly act: 'mute'; readonly by: ReaderName; readonly isOn: boolean }
  | { readonly act: 'want'; readonly by: ReaderName; readonly isOn: boolean }
  | { readonly act: 'active'; readonly by: ReaderName }
  | { readonly act: 'wait'; readonly ms: number };

interface ModelMessage {
  readonly conversation: string;
  readonly topic: Topic | null;
  readonly to: readonly ReaderName[];
  readonly mentions: readonly ReaderName[] | 'all';
  readonly readBy: Set<ReaderName>;
  isDeleted: boolean;
}

interface ModelReader {
  readonly topics: Map<Topic, TopicChoice>;
  hasMuted: boolean;
  wantsMails: boolean;
  activeAt: number;
  /** When mails about messages are due. */
  readonly waiting: Map<number, number>;
}

/** A mail: its reader, and its messages in their order. */
export interface ModelMail {
  readonly to: ReaderName;
  readonly messages: readonly number[];
}

/** Which mails a history causes, in a few plain rules. Nothing happens before the first act. */
export class MissedModel {
  readonly messages: ModelMessage[] = [];
  readonly mails: ModelMail[] = [];
  private now = 1_000_000_000_000;
  private readonly readers = new Map<ReaderName, ModelReader>(
    READERS.map((name) => [
      name,
      { topics: new Map(), hasMuted: false, wantsMails: true, activeAt: 0, waiting: new Map() },
    ]),
  );

  apply(act: MissingAct): void {
    this.happen(act);
    for (const name of READERS) this.mailWhatIsDue(name, this.reader(name));
  }

  private happen(act: MissingAct): void {
    if (act.act === 'wait') this.now += act.ms;
    else if (act.act === 'direct') this.send(`direct ${act.to.join()}`, null, act.to, []);
    else if (act.act === 'say') this.send(`topic ${act.topic}`, act.topic, READERS, act.mentions);
    else if (act.act === 'delete') this.delete(act.message);
    else this.choose(act, this.reader(act.by));
  }

  private choose(act: Extract<MissingAct, { by: ReaderName }>, reader: ModelReader): void {
    if (act.act === 'read') this.messages[act.message]?.readBy.add(act.by);
    else if (act.act === 'choose') reader.topics.set(act.topic, act.choice);
    else if (act.act === 'want') reader.wantsMails = act.isOn;
    else if (act.act === 'active') reader.activeAt = this.now;
    else {
      reader.hasMuted = act.isOn;
      if (act.isOn) for (const { to, readBy } of this.messages) if (to.includes(act.by)) readBy.add(act.by);
    }
  }

  private delete(message: number): void {
    const found = this.messages[message];
    if (found) found.isDeleted = true;
  }

  private send(
    conversation: string,
    topic: Topic | null,
    to: readonly ReaderName[],
    mentions: ModelMessage['mentions'],
  ): void {
    const readBy = new Set(READERS.filter((name) => this.reader(name).hasMuted));
    const message = { conversation, topic, to, mentions, readBy, isDeleted: false };
    const id = this.messages.push(message) - 1;
    for (const name of READERS) {
      const reader = this.reader(name);
      if (this.isWanted(name, message)) reader.waiting.set(id, this.notWhileOnline(reader, this.now + BATCHING_MS));
    }
  }

  private isWanted(name: ReaderName, { to, topic, mentions, readBy, isDeleted }: ModelMessage): boolean {
    if (isDeleted || readBy.has(name) || !to.includes(name)) return false;
    const { wantsMails, topics } = this.reader(name);
    if (topic === null) return wantsMails;
    const choice = topics.get(topic) ?? 'inherits';
    if (choice === 'followed') return true;
    if (!wantsMails) return false;
    return mentions === 'all' ? choice !== 'muted' : mentions.includes(name);
  }

  private isOnline = ({ activeAt }: ModelReader): boolean => activeAt >= this.now - OFFLINE_MS;

  private notWhileOnline(reader: ModelReader, due: number): number {
    return this.isOnline(reader) ? Math.max(due, reader.activeAt + OFFLINE_MS + 1) : due;
  }

  private mailWhatIsDue(name: ReaderName, reader: ModelReader): void {
    const { waiting } = reader;
    if (![...waiting.values()].some((due) => due <= this.now)) return;
    if (this.isOnline(reader)) {
      for (const [id, due] of waiting) waiting.set(id, this.notWhileOnline(reader, due));
      return;
    }
    const conversations = new Map<string, number[]>();
    for (const id of [...waiting.keys()].sort((a, b) => a - b)) {
      const message = this.messages[id];
      if (!message || !this.isWanted(name, message)) continue;
      conversations.set(message.conversation, [...(conversations.get(message.conversation) ?? []), id]);
    }
    for (const messages of conversations.values()) this.mails.push({ to: name, messages });
    waiting.clear();
  }

  private reader(name: ReaderName): ModelReader {
    const found = this.readers.get(name);
    if (!found) throw new Error(`nobody is called ${name}`);
    return found;
  }
}

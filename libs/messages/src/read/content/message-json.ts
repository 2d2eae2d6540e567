import { longWork } from '@annals/kernel';
import type { MessageId, UserId } from '@annals/kernel/domain';
import { RENDERER_VERSION } from '@annals/markdown';
import { LRUCache } from 'lru-cache';
import type { LoadedMessages, MessageRow } from './message-row';
import type { MessageFormat } from './present-message';
import { presentActivity, presentContent, presentPlace, presentSender, sourceOf } from './present-message';
import type { Submessage } from '../widgets/submessages';
import type { Text } from './texts';

/** The form in which texts are requested. */
export interface RenderingRequest {
  /** Key of the user: rendering work is shared fairly between users. */
  readonly asker: string;
  /** Whether the answer has texts as HTML. */
  readonly asHtml: boolean;
}

/** Fields of a message as JSON, without the braces. */
export interface ContentJson {
  readonly json: string;
  /** Bytes of its text as HTML or Markdown. */
  readonly bytes: number;
}

interface Cached extends ContentJson {
  readonly of: Text;
}

/** Fields of messages by message and form; what was used last stays. */
export type ContentCache = LRUCache<string, Cached>;

/** @param maxSize in code units of JSON */
export const contentCache = (maxSize: number): ContentCache =>
  new LRUCache<string, Cached>({ maxSize, sizeCalculation: ({ json }) => json.length + 1 });

const CACHE = contentCache(64_000_000);

/**
 * The fields of messages that are the same for all readers, as JSON. They are cached for as long as the message itself is
 * (`MessageFacts`): an entry is used only for the very text that it was made of.
 */
export class MessageContents {
  private readonly made = new Map<MessageId, ContentJson>();

  constructor(
    private readonly loaded: LoadedMessages,
    private readonly request: RenderingRequest,
    private readonly cache = CACHE,
  ) {}

  /**
   * Makes the fields of a message, at once if they are cached.
   *
   * @returns bytes of its text and its widget, 0 for a message that is not there
   */
  prepare(id: MessageId): number | Promise<number> {
    const widget = submessageBytes(this.loaded.submessages.get(id) ?? []);
    const text = this.prepareText(id);
    return typeof text === 'number' ? text + widget : text.then((bytes) => bytes + widget);
  }

  private prepareText(id: MessageId): number | Promise<number> {
    const row = this.loaded.rows.get(id);
    if (!row) return 0;
    const known = this.cache.get(this.keyOf(row));
    if (known?.of !== row.text) return this.make(row);
    this.made.set(id, known);
    return known.bytes;
  }

  /** The fields of a message that was prepared. */
  of(id: MessageId): ContentJson {
    const made = this.made.get(id);
    if (!made) throw new Error(`message ${id} was not prepared`);
    return made;
  }

  private async make(row: MessageRow): Promise<number> {
    const { asker, asHtml } = this.request;
    const text = asHtml ? await this.loaded.rendered.ahead(row.text, asker) : sourceOf(row.text);
    const { result: json } = await longWork.run(asker, () => fieldsOf(presentContent(row, text, asHtml)));
    const made = { of: row.text, json, bytes: Buffer.byteLength(text) };
    this.cache.set(this.keyOf(row), made);
    this.made.set(row.id, made);
    return made.bytes;
  }

  private keyOf({ id, text }: MessageRow): string {
    const { realmId, rendered } = this.loaded;
    return `${realmId}:${id}:${this.request.asHtml}:${rendered.variantOf(text)}:${RENDERER_VERSION}`;
  }
}

/** Approximate bytes of the JSON of a submessage beside its content. */
const SUBMESSAGE_BYTES = 120;

const submessageBytes = (submessages: readonly Submessage[]): number =>
  submessages.reduce((sum, { content }) => sum + Buffer.byteLength(content) + SUBMESSAGE_BYTES, 0);

/** The fields of an object as JSON, without the braces. */
const fieldsOf = (value: object): string => JSON.stringify(value).slice(1, -1);

/** `presentActivity` of a message to which nothing happened. */
const NO_ACTIVITY = fieldsOf({ reactions: [], submessages: [] });

/** Writes the messages of one answer as JSON. What messages share is written once: their senders and places. */
export class MessageWriter {
  private readonly senders = new Map<UserId, string>();
  private readonly places = new Map<string, string>();

  constructor(
    private readonly loaded: LoadedMessages,
    private readonly contents: MessageContents,
    private readonly look: MessageFormat,
  ) {}

  /** The message object with flags (contract/boot.md section 9). */
  write(id: MessageId, flags: readonly string[]): string {
    const row = this.loaded.rows.get(id);
    if (!row) throw new Error(`message ${id} does not exist`);
    const content = this.contents.of(id);
    return `{${content.json},${this.sender(row)},${this.place(row)},${this.activity(id)},"flags":${JSON.stringify(flags)}}`;
  }

  /** Most messages have none, so nothing is looked up for them twice. */
  private activity(id: MessageId): string {
    const { reactions, submessages, movedAt, changes } = this.loaded;
    const hasAny = reactions.has(id) || submessages.has(id) || movedAt.has(id) || changes.has(id);
    if (!hasAny) return NO_ACTIVITY;
    return fieldsOf(presentActivity(id, this.loaded, this.look.allowEmptyTopicName));
  }

  private sender({ senderId }: MessageRow): string {
    return remembered(this.senders, senderId, () => fieldsOf(presentSender(senderId, this.loaded, this.look)));
  }

  private place(row: MessageRow): string {
    const key = row.topicId === null ? `conversation ${row.conversationId}` : `topic ${row.topicId}`;
    return remembered(this.places, key, () => fieldsOf(presentPlace(row, this.loaded, this.look)));
  }
}

function remembered<Key>(known: Map<Key, string>, key: Key, make: () => string): string {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}

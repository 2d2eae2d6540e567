import type { EventLog, Kernel } from '@annals/kernel';
import { feedReader } from '@annals/kernel';
import type { Actor, Instant, LogPoint, Position, Recorded } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import type { AudienceRules } from '../delivery/audience/audience-rules';
import { loadAudienceFacts } from '../delivery/audience/audience-facts';
import type { Presentation, Waiting } from '../delivery/presentation';
import type { LogPages } from '../delivery/reading/log-pages';
import { addresses } from '../domain/audience';
import { cursorOf, positionOf } from '../domain/event-id';
import type { WireEvent } from '../domain/flag-events';
import { isTermination } from '../domain/terminations';
import { ClientQueue } from '../queues/client-queue';
import type { QueueOptions } from '../queues/client-queue';
import type { UsualQueues } from '../register/usual-queues';
import type { StoredClientEvent } from '../translation/client-event';
import { appendsOf } from '../translation/translations';
import type { Translations } from '../translation/translations';
import { readHiddenMessages } from './hidden-messages';
import { readWholeAppends } from './whole-appends';

/** A client event as an account gets it, with the event of the log that it follows from. */
export interface ReceivedEvent {
  readonly event: WireEvent;
  readonly cause: Recorded;
}

/** Client events in order: all that an account gets up to `through`, the end of an append. */
export interface ReceivedPage {
  readonly events: readonly ReceivedEvent[];
  readonly through: Position;
  /** Why it ends there, although the log continues. Null in normal operation. */
  readonly error: Error | null;
}

/** Which client events of an account are read. */
export interface AccountReading {
  /** Types of client events. Null for all. */
  readonly types: readonly string[] | null;
  /** The id after which they are read. */
  readonly after: number;
  /** The newest position of the log. */
  readonly head: Position;
}

/** Whole appends, with their client events that need no facts. */
interface KnownAppends {
  readonly events: readonly Recorded[];
  readonly direct: readonly StoredClientEvent[];
  readonly error: Error | null;
}

interface Parts {
  readonly kernel: Pick<Kernel, 'database' | 'keepUp' | 'registry'> & { readonly events: EventLog };
  readonly pages: LogPages;
  readonly translations: Translations;
  readonly presentation: Presentation;
  readonly rules: AudienceRules;
  readonly usual: Pick<UsualQueues, 'of'>;
}

/**
 * The client events of accounts, however old they are. They are translated again from the log, so nothing is lost when
 * stored client events are deleted. An account gets what a queue would have given it then, as far as it may still see it
 * now.
 */
export class AccountEvents {
  constructor(private readonly parts: Parts) {}

  /** The client events after an id. An event with `position × 65,536 + k` as its id is the same in every answer. */
  async page(by: Actor, { types, after, head }: AccountReading): Promise<ReceivedPage> {
    const { pages } = this.parts;
    const from = await pages.boundary(by.realmId, cursorOf(after, 0 as Position).seen);
    const read = await pages.after(by.realmId, from, head);
    const { events, direct, error } = this.known(read);
    const received = await this.received(by, types, { events, direct }, after);
    return { events: received, through: events.at(-1)?.position ?? from, error };
  }

  /**
   * The client events with these ids, as far as the account may still see them.
   *
   * @param ids ascending
   * @throws UnknownEventType when only a newer release can translate them
   */
  async at(by: Actor, types: readonly string[] | null, ids: readonly number[]): Promise<ReceivedEvent[]> {
    const { events: log } = this.parts.kernel;
    const positions = [...new Set(ids.map(positionOf))];
    const { error, ...known } = this.known(await readWholeAppends(log, by.realmId, positions));
    if (error) throw error;
    const wanted = new Set(ids);
    return (await this.received(by, types, known, 0)).filter(({ event }) => wanted.has(event.id));
  }

  private async received(
    by: Actor,
    types: readonly string[] | null,
    { events, direct }: Pick<KnownAppends, 'events' | 'direct'>,
    after: number,
  ): Promise<ReceivedEvent[]> {
    const through = events.at(-1)?.position;
    if (through === undefined) return [];
    await this.parts.kernel.keepUp.reach(new Map([[by.realmId, through]]));
    const queue = await this.queueOf(by, types);
    const translated = await this.translated(by, queue, events, direct);
    const causes = new Map(events.map((event) => [event.position, event]));
    return (await this.written(queue, translated, after, through)).flatMap((event) => {
      const cause = causes.get(positionOf(event.id));
      return cause ? [{ event, cause }] : [];
    });
  }

  /** The appends before the first one that cannot be translated, which only a newer release may know. */
  private known(events: readonly Recorded[]): KnownAppends {
    const { registry } = this.parts.kernel;
    const known: Recorded[] = [];
    const direct: StoredClientEvent[] = [];
    for (const append of appendsOf(events)) {
      try {
        for (const { type } of append) registry.definition(type);
        direct.push(...this.parts.translations.direct(append));
      } catch (error) {
        return { events: known, direct, error: error as Error };
      }
      known.push(...append);
    }
    return { events: known, direct, error: null };
  }

  private async translated(
    by: Actor,
    queue: ClientQueue,
    events: readonly Recorded[],
    direct: readonly StoredClientEvent[],
  ): Promise<readonly StoredClientEvent[]> {
    const { translations, kernel } = this.parts;
    const client = await kernel.database.pool.connect();
    try {
      const reader = feedReader(kernel.events, by.realmId, client);
      const all = [...direct, ...(await translations.stored(reader, events))];
      const wanted = all.filter(({ type }) => queue.wants(type) && !isTermination(type));
      const visible = await this.stillVisible(by, queue, wanted, client);
      return visible.sort((one, other) => one.position - other.position || one.k - other.k);
    } finally {
      client.release();
    }
  }

  /** Those that the account would also get if they happened now. */
  private async stillVisible(
    by: Actor,
    { options }: ClientQueue,
    events: readonly StoredClientEvent[],
    client: ClientBase,
  ): Promise<StoredClientEvent[]> {
    if (events.length === 0) return [];
    const { kernel, rules } = this.parts;
    const now = await this.now(by, client);
    const listener = { userId: by.userId, allPublicStreams: options.allPublicStreams };
    const present = events.map((event) => ({ ...event, ...now }));
    const facts = await loadAudienceFacts(feedReader(kernel.events, by.realmId, client), rules, present, [listener]);
    const addressed = events.filter(({ audience }) => addresses(audience, listener, now, facts));
    const hidden = await readHiddenMessages(client, by, addressed.flatMap(messageOf));
    return addressed.filter((event) => !messageOf(event).some((id) => hidden.has(id)));
  }

  private async now({ realmId }: Actor, client: ClientBase): Promise<LogPoint> {
    const position = (await this.parts.kernel.events.heads([realmId], client)).get(realmId) ?? (0 as Position);
    const [event] = await this.parts.kernel.events.storedAt(realmId, [position], client);
    return { position, at: event?.at ?? (0 as Instant) };
  }

  /** An answer of the presentation is limited, so it is asked until it has written all. */
  private async written(
    queue: ClientQueue,
    events: readonly StoredClientEvent[],
    after: number,
    through: Position,
  ): Promise<WireEvent[]> {
    const written: WireEvent[] = [];
    let waiting: Waiting = { queue, cursor: cursorOf(after, 0 as Position), signals: [], isStreamed: true };
    for (;;) {
      const rest = events.filter(({ position }) => position > waiting.cursor.seen);
      const [served] = await this.parts.presentation.serve(queue.realmId, rest, through, [waiting]);
      if (served === undefined || served === 'lost')
        throw new Error(`client events of realm ${queue.realmId} up to ${through} cannot be written`);
      written.push(...served.events);
      if (!served.ends) return written;
      waiting = { ...waiting, cursor: served.cursor };
    }
  }

  /** A queue as a program of today registers it, with the defaults of the account. */
  private async queueOf(by: Actor, eventTypes: readonly string[] | null): Promise<ClientQueue> {
    const usual = await this.parts.usual.of(by);
    const cursor = { id: 0, seen: 0 as Position };
    const options: QueueOptions = { ...PROGRAM, ...usual, eventTypes };
    return new ClientQueue(by.realmId, '', by.userId, 0 as Position, 0 as Instant, options, cursor);
  }
}

/** Markdown, and every capability: no event is written in an older form. */
const PROGRAM = {
  applyMarkdown: false,
  clientGravatar: false,
  includeSubscribers: false,
  slimPresence: true,
  keyId: null,
  capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    simplified_presence_events: true,
    individual_emoji_changes: true,
  },
} as const;

/** The message that an event is about, if it is about one. */
function messageOf({ payload }: StoredClientEvent): number[] {
  const { messageId } = payload as { readonly messageId?: unknown };
  return typeof messageId === 'number' ? [messageId] : [];
}

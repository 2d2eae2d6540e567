import type { ClientBase } from 'pg';
import type { EventLog } from '../log/event-log';
import type { ClientEvent, EventDefinition, FactOf, Position, RealmId, Recorded, Role, UserId } from '../domain/index';

/** A database connection on which a feed reads its facts, for one realm. */
export interface FeedReader {
  readonly realmId: RealmId;
  readonly client: ClientBase;
  /** The events of one stream, in order: for what was so at the position of an older event. */
  readonly stream: (name: string) => Promise<readonly Recorded[]>;
  /** The events at these positions, in order: for words that an event holds. */
  readonly at: (positions: readonly Position[]) => Promise<readonly Recorded[]>;
}

/** A connection with which feeds and presenters read. */
export const feedReader = (
  events: Pick<EventLog, 'stream' | 'at'>,
  realmId: RealmId,
  client: ClientBase,
): FeedReader => ({
  realmId,
  client,
  stream: (name) => events.stream(realmId, name, 0, client),
  at: (positions) => events.at(realmId, [...new Set(positions)], client),
});

/** What a queue was registered with, and who owns it: everything a presenter may depend on (contract/realtime.md section 2). */
export interface QueueProfile {
  readonly queueId: string;
  readonly userId: UserId;
  /** At the position of the event. */
  readonly role: Role;
  /** Whether the event is for the queue only because it listens to all public channels: it reaches nobody by that. */
  readonly isOverhearing: boolean;
  /** Canonical address of the organization, with scheme and port, without a slash at the end. */
  readonly url: string;
  readonly applyMarkdown: boolean;
  readonly clientGravatar: boolean;
  readonly includeSubscribers: boolean | 'partial';
  readonly slimPresence: boolean;
  readonly capabilities: ClientCapabilities;
}

/** contract/realtime.md section 2.1; all false unless the client declares them. */
export interface ClientCapabilities {
  readonly notification_settings_null: boolean;
  readonly bulk_message_deletion: boolean;
  readonly user_avatar_url_field_optional: boolean;
  readonly stream_typing_notifications: boolean;
  readonly user_settings_object: boolean;
  readonly linkifier_url_template: boolean;
  readonly user_list_incomplete: boolean;
  readonly include_deactivated_groups: boolean;
  readonly archived_channels: boolean;
  readonly empty_topic_name: boolean;
  readonly simplified_presence_events: boolean;
  readonly individual_emoji_changes: boolean;
}

/** A client event with its place: `id` is `position × 65,536 + k`. */
export interface PlacedClientEvent extends ClientEvent {
  readonly position: Position;
  readonly k: number;
}

interface Translation {
  readonly type: string;
  readonly translate: (event: Recorded, facts: unknown, append: readonly Recorded[]) => readonly ClientEvent[];
  /** Whether anything can be said of the event; left out when something can be said of all of them. */
  readonly concerns?: (event: Recorded) => boolean;
}

/**
 * What clients see of a context's domain events: facts are gathered once for a page, then everything is pure. What a feed
 * without facts says follows from the log alone, so it is translated where it is delivered; what a feed with facts says
 * is of the time when it was translated, so a worker stores it (decision 21).
 */
export interface Feed {
  readonly name: string;
  readonly facts: ((reader: FeedReader, events: readonly Recorded[]) => Promise<unknown>) | null;
  readonly translations: ReadonlyMap<string, Translation['translate']>;
  /** Of the types of which not every event is listened to. */
  readonly concerns: ReadonlyMap<string, NonNullable<Translation['concerns']>>;
}

interface TranslationOf<Facts> {
  readonly type: string;
  readonly translate: (event: never, facts: Facts, append: readonly Recorded[]) => readonly ClientEvent[];
  readonly concerns?: (event: never) => boolean;
}

/**
 * Declares a feed.
 *
 * @param declaration.facts reads, in as few queries as possible, what the translations need beside the events; it is given
 *   those that the feed listens to, and what it reads may be newer than they are. Left out where the events, and the
 *   others of their append, are enough.
 * @param declaration.translations one per event type, see `translate`
 */
export function defineFeed<Facts = null>(declaration: {
  name: string;
  facts?: (reader: FeedReader, events: readonly Recorded[]) => Promise<Facts>;
  translations: readonly TranslationOf<Facts>[];
}): Feed {
  const translations = declaration.translations as unknown as readonly Translation[];
  return {
    name: declaration.name,
    facts: declaration.facts ?? null,
    translations: new Map(translations.map(({ type, translate: to }) => [type, to])),
    concerns: new Map(translations.flatMap(({ type, concerns }) => (concerns ? [[type, concerns]] : []))),
  };
}

/**
 * Binds a pure translation to an event type.
 *
 * @param to gets the event, the feed's facts, and all events of the same append in order
 * @param concerns a pure function of the event: of those for which it is false, `to` says nothing and need not be asked
 */
export function translate<D extends EventDefinition, Facts>(
  definition: D,
  to: (event: Recorded<FactOf<D>>, facts: Facts, append: readonly Recorded[]) => readonly ClientEvent[],
  concerns?: (event: Recorded<FactOf<D>>) => boolean,
): TranslationOf<Facts> {
  return { type: definition.type, translate: to, ...(concerns && { concerns }) };
}

/**
 * Writes the payload of one type of client event for one queue. Words and current attributes are read once per batch;
 * the rest is pure.
 */
export interface Presenter {
  /** Event type of the wire. */
  readonly type: string;
  /**
   * @param listeners whose queues wait for these events: nothing need be read of anybody else
   * @param guests those among whom the events go to who could not see everybody around then
   *   (contract/permissions.md section 7); hardly ever any
   */
  readonly load: (
    reader: FeedReader,
    events: readonly PlacedClientEvent[],
    listeners: readonly UserId[],
    guests: readonly UserId[],
  ) => Promise<unknown>;
  /**
   * The JSON objects for this queue, without `id` and with `type`; none when this queue does not get the event.
   * Several only for old clients that know single forms.
   */
  readonly present: (
    event: PlacedClientEvent,
    loaded: never,
    queue: QueueProfile,
  ) => readonly Record<string, unknown>[];
  /** Queues with the same text share one rendering of the event; left out when every queue's differs. */
  readonly variant?: (event: PlacedClientEvent, loaded: never, queue: QueueProfile) => string;
  /** Comes before `present`, and takes its time: does what is long, when it is its turn. */
  readonly prepare?: (event: PlacedClientEvent, loaded: never, queue: QueueProfile) => Promise<unknown>;
}

/** Declares a presenter; see `Presenter`. */
export function definePresenter<Loaded>(presenter: {
  type: string;
  load: (
    reader: FeedReader,
    events: readonly PlacedClientEvent[],
    listeners: readonly UserId[],
    guests: readonly UserId[],
  ) => Promise<Loaded>;
  present: (event: PlacedClientEvent, loaded: Loaded, queue: QueueProfile) => readonly Record<string, unknown>[];
  variant?: (event: PlacedClientEvent, loaded: Loaded, queue: QueueProfile) => string;
  prepare?: (event: PlacedClientEvent, loaded: Loaded, queue: QueueProfile) => Promise<unknown>;
}): Presenter {
  return presenter;
}

import type { ClientBase } from 'pg';
import type { EventLog } from '../log/event-log';
import type { ClientEvent, EventDefinition, FactOf, Position, RealmId, Recorded, Role, UserId } from '../domain/index';

/** A database connection on which a feed reads its facts, for one realm. */
export interface FeedReader {
  readonly realmId: RealmId;
  readonly client: ClientBase;
  /** The events of one stream, in order, for the state at the position of an older event. */
  readonly stream: (name: string) => Promise<readonly Recorded[]>;
  /** The events at these positions, in order, for the texts of events. */
  readonly at: (positions: readonly Position[]) => Promise<readonly Recorded[]>;
}

/** The connection that feeds and presenters read with. */
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

/** The options and the owner of a queue: everything that a presenter may depend on (contract/realtime.md section 2). */
export interface QueueProfile {
  readonly queueId: string;
  readonly userId: UserId;
  /** At the position of the event. */
  readonly role: Role;
  /**
   * Whether the event is for the queue only because the queue receives all public channels. No user receives a message
   * through such a queue.
   */
  readonly isThroughAllPublic: boolean;
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

/** A client event with its position: `id` is `position × 65,536 + k`. */
export interface PositionedClientEvent extends ClientEvent {
  readonly position: Position;
  readonly k: number;
}

interface Translation {
  readonly type: string;
  readonly translate: (event: Recorded, facts: unknown, append: readonly Recorded[]) => readonly ClientEvent[];
  /** Whether a translation concerns the event; absent if it concerns all. */
  readonly concerns?: (event: Recorded) => boolean;
}

/**
 * The client events of a context's domain events. Facts are read once for a page, and everything else is pure. The
 * client events of a feed without facts follow from the log alone, so they are translated at delivery. A feed with
 * facts depends on the time of its translation, so a worker stores its client events (decision 21).
 */
export interface Feed {
  readonly name: string;
  readonly facts: ((reader: FeedReader, events: readonly Recorded[]) => Promise<unknown>) | null;
  readonly translations: ReadonlyMap<string, Translation['translate']>;
  /** For types of which only some events have client events. */
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
 * @param declaration.facts reads, in as few queries as possible, what the translations need beside the events. It
 * receives the events that the feed handles. What it reads may be newer than they are. Absent if the events of an
 * append are enough.
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
 * @param to receives the event, the feed's facts, and all events of the same append in order
 * @param concerns a pure function of the event; where it is false, `to` returns nothing and need not be called
 */
export function translate<D extends EventDefinition, Facts>(
  definition: D,
  to: (event: Recorded<FactOf<D>>, facts: Facts, append: readonly Recorded[]) => readonly ClientEvent[],
  concerns?: (event: Recorded<FactOf<D>>) => boolean,
): TranslationOf<Facts> {
  return { type: definition.type, translate: to, ...(concerns && { concerns }) };
}

/**
 * Writes the payload of one type of client event for one queue. Texts and current attributes are read once per batch.
 * Everything else is pure.
 */
export interface Presenter {
  /** Event type on the wire. */
  readonly type: string;
  /**
   * @param listeners the users whose queues wait for these events; nothing need be read for others
   * @param guests the receivers of these events who could not see all users at that time (contract/permissions.md
   * section 7); mostly none
   */
  readonly load: (
    reader: FeedReader,
    events: readonly PositionedClientEvent[],
    listeners: readonly UserId[],
    guests: readonly UserId[],
  ) => Promise<unknown>;
  /**
   * The JSON objects for this queue, without `id` and with `type`; none if this queue does not receive the event.
   * Several objects only for old clients that know single forms.
   */
  readonly present: (
    event: PositionedClientEvent,
    loaded: never,
    queue: QueueProfile,
  ) => readonly Record<string, unknown>[];
  /** Queues with the same text share one rendering of the event; absent if each queue's differs. */
  readonly variant?: (event: PositionedClientEvent, loaded: never, queue: QueueProfile) => string;
  /** Runs before `present`. Does long work in time slices. */
  readonly prepare?: (event: PositionedClientEvent, loaded: never, queue: QueueProfile) => Promise<unknown>;
}

/** Declares a presenter; see `Presenter`. */
export function definePresenter<Loaded>(presenter: {
  type: string;
  load: (
    reader: FeedReader,
    events: readonly PositionedClientEvent[],
    listeners: readonly UserId[],
    guests: readonly UserId[],
  ) => Promise<Loaded>;
  present: (event: PositionedClientEvent, loaded: Loaded, queue: QueueProfile) => readonly Record<string, unknown>[];
  variant?: (event: PositionedClientEvent, loaded: Loaded, queue: QueueProfile) => string;
  prepare?: (event: PositionedClientEvent, loaded: Loaded, queue: QueueProfile) => Promise<unknown>;
}): Presenter {
  return presenter;
}

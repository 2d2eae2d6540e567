import type { Logger } from 'pino';
import type { Pool } from 'pg';
import type { Position, RealmId, UserId } from '@annals/kernel/domain';
import { Role, grouped } from '@annals/kernel/domain';
import type { EventLog, FeedReader, Kernel, Presenter, QueueProfile } from '@annals/kernel';
import { feedReader } from '@annals/kernel';
import type { StoredClientEvent } from '../translation/client-event';
import type { AudienceFacts, Listener } from '../domain/audience';
import type { Cursor } from '../domain/event-id';
import type { WireEvent } from '../domain/flag-events';
import type { MessageEventFields } from '../domain/narrow';
import type { ClientQueue } from '../queues/client-queue';
import type { AudienceRules } from './audience/audience-rules';
import { addresses } from '../domain/audience';
import { isTermination, keysOf, POLLS_ENDED, QUEUES_ENDED } from '../domain/terminations';
import { lastLoggedId, eventId, transientEventId, NOT_LOGGED, nextId, positionOf } from '../domain/event-id';
import { roughSize } from '../domain/rough-size';
import { matchesNarrow } from '../domain/narrow';
import { loadAudienceFacts } from './audience/audience-facts';

/** A queue and its cursor. */
export interface Waiting {
  readonly queue: ClientQueue;
  readonly cursor: Cursor;
  /** In order, those that may be for the queue. They were sent before the end of what it is served. */
  readonly signals: readonly StoredClientEvent[];
  /** Its client may acknowledge some of the events. */
  readonly isStreamed: boolean;
}

/** The delivery to a queue. `lost`: the queue has ended, and its client has to register again. */
export type Served =
  | {
      readonly events: readonly WireEvent[];
      readonly cursor: Cursor;
      /** How many of the waiting signals are done. */
      readonly signals: number;
      /** The poll is answered now, even without events. */
      readonly ends: boolean;
      /** Keys of the account were revoked. A stream ends. */
      readonly keysEnded: boolean;
    }
  | 'lost';

/** Most events of one answer, unless a single position has more (contract/realtime.md section 10). */
const MAX_EVENTS = 1_000;
/** Most bytes of one answer, unless a single position has more: a large topic may be moved several times. */
const MAX_BYTES = 8_000_000;
/** The same of a stream, whose client may stop reading for a while. */
const MAX_STREAMED_BYTES = 1_000_000;

/** JSON objects of one queue, without their ids. */
type Objects = readonly Readonly<Record<string, unknown>>[];

/** The client events of one batch, with all facts that are needed to write them for any queue. */
interface Batch {
  readonly facts: AudienceFacts;
  /** Canonical address of the organization. */
  readonly url: string;
  readonly loaded: ReadonlyMap<string, unknown>;
  /** The JSON of an event for queues of one variant. */
  readonly written: Map<StoredClientEvent, Map<string, Objects>>;
  /** The approximate bytes of an object that was written for a variant, or for one queue. */
  readonly sizes: Map<Objects[number], number>;
}

/**
 * Decides for which queues client events are, and writes them in the form that each queue asked for
 * (contract/realtime.md section 5).
 */
export class Presentation {
  private readonly presenters: ReadonlyMap<string, Presenter>;

  constructor(
    presenters: readonly Presenter[],
    private readonly rules: AudienceRules,
    /** The name of the empty topic for old clients. */
    private readonly emptyTopic: string,
    private readonly addressOf: (realmId: RealmId) => Promise<string>,
    private readonly pool: Pool,
    private readonly events: Pick<EventLog, 'stream' | 'at'>,
    private readonly log: Logger,
    /** Brings the read models of a realm to a position, while they are live in two versions. */
    private readonly keepUp: Pick<Kernel['keepUp'], 'reach'>,
  ) {
    this.presenters = new Map(presenters.map((presenter) => [presenter.type, presenter]));
  }

  /**
   * Facts and texts are read once for all queues. The audience of a signal is evaluated at its place in the log.
   *
   * @param events in order, all of the realm after the least advanced queue and up to `through`
   * @throws when a signal cannot be written
   */
  async serve(
    realmId: RealmId,
    events: readonly StoredClientEvent[],
    through: Position,
    waiting: readonly Waiting[],
  ): Promise<Served[]> {
    const logged = events.filter((event) => waiting.some((each) => mayConcern(each, event)));
    const signals = new Set(waiting.flatMap((each) => each.signals));
    const wanted = signals.size === 0 ? logged : inOrder([...logged, ...signals], ({ position }) => position);
    if (wanted.length === 0) {
      return waiting.map((each) => ({
        events: [],
        cursor: movedOn(each, through),
        signals: 0,
        ends: false,
        keysEnded: false,
      }));
    }
    await this.keepUp.reach(new Map([[realmId, through]]));
    const { mine, batch } = await this.read(realmId, wanted, logged, waiting);
    const served: Served[] = [];
    for (const [index, each] of waiting.entries()) {
      served.push(await this.write(each, mine[index] ?? [], batch, through));
    }
    return served;
  }

  private async read(
    realmId: RealmId,
    wanted: readonly StoredClientEvent[],
    logged: readonly StoredClientEvent[],
    waiting: readonly Waiting[],
  ): Promise<{ readonly mine: readonly StoredClientEvent[][]; readonly batch: Batch }> {
    const client = await this.pool.connect();
    try {
      const reader = feedReader(this.events, realmId, client);
      const facts = await loadAudienceFacts(reader, this.rules, wanted, waiting.map(listenerOf));
      const mine = waiting.map((each) => eventsOf(each, logged, facts));
      const loaded = await this.load(reader, new Set(mine.flat()), usersOf(waiting), facts.guests);
      const url = await this.addressOf(realmId);
      return { mine, batch: { facts, loaded, url, written: new Map(), sizes: new Map() } };
    } finally {
      client.release();
    }
  }

  private async load(
    reader: FeedReader,
    needed: ReadonlySet<StoredClientEvent>,
    listeners: readonly UserId[],
    guests: readonly UserId[],
  ): Promise<Map<string, unknown>> {
    const byType = grouped(needed, ({ type }) => type);
    const loaded = new Map<string, unknown>();
    for (const [type, events] of byType) {
      const presenter = this.presenters.get(type);
      if (presenter) loaded.set(type, await presenter.load(reader, events, listeners, guests));
    }
    return loaded;
  }

  private async write(
    { queue, cursor, signals, isStreamed }: Waiting,
    mine: readonly StoredClientEvent[],
    batch: Batch,
    through: Position,
  ): Promise<Served> {
    if (mine.some((event) => event.type === QUEUES_ENDED && ends(queue, event))) return 'lost';
    const events: WireEvent[] = [];
    const maxBytes = isStreamed ? MAX_STREAMED_BYTES : MAX_BYTES;
    let bytes = 0;
    const until = (seen: number, rest: number | null, keysEnded = false): Served => ({
      events,
      cursor: { id: events.at(-1)?.id ?? cursor.id, seen: Math.max(seen, cursor.seen) as Position },
      signals: rest === null ? signals.length : signals.filter((signal) => placeOf(signal, cursor) < rest).length,
      ends: rest !== null,
      keysEnded,
    });
    try {
      for (const [place, here] of grouped(mine, (event) => placeOf(event, cursor))) {
        const { written: more, size } = await this.writePlace(queue, place, here, batch, cursor.id);
        bytes += size;
        const isTooMuch = events.length + more.length > MAX_EVENTS || bytes > maxBytes;
        if (events.length > 0 && isTooMuch) return until(positionOf(place - 1), place);
        for (const event of more) events.push(event);
        if (here.some(({ type }) => type === POLLS_ENDED)) return until(positionOf(place), place, true);
      }
    } catch (error) {
      // It may be a signal. The caller tries again without signals.
      if (signals.length > 0) throw error;
      // A skipped event would leave the client wrong for good. A fresh snapshot does not need the event.
      this.log.error({ err: error, queue: queue.id, realm: queue.realmId }, 'an event cannot be written for a queue');
      return 'lost';
    }
    return until(through, null);
  }

  /** Numbers all objects at one place, then leaves out those that the client has already. */
  private async writePlace(
    queue: ClientQueue,
    place: number,
    events: readonly StoredClientEvent[],
    batch: Batch,
    after: number,
  ): Promise<{ readonly written: readonly WireEvent[]; readonly size: number }> {
    const written: WireEvent[] = [];
    let size = 0;
    const position = positionOf(place);
    let previous = lastLoggedId(position - 1);
    for (const event of events) {
      const isSignal = event.k === NOT_LOGGED;
      for (const object of await this.objects(queue, event, batch)) {
        previous = isSignal
          ? transientEventId(Math.max(previous, after), position)
          : nextId(position, event.k, previous);
        if (!isSignal && previous <= after) continue;
        written.push({ ...object, type: event.type, id: previous });
        size += sizeOf(object, batch);
      }
    }
    return { written, size };
  }

  private async objects(queue: ClientQueue, event: StoredClientEvent, batch: Batch): Promise<Objects> {
    const presenter = this.presenters.get(event.type);
    if (!presenter) return [];
    const loaded = batch.loaded.get(event.type) as never;
    const profile = profileOf(queue, event, batch);
    const variant = presenter.variant?.(event, loaded, profile);
    const variants = batch.written.get(event) ?? new Map<string, Objects>();
    batch.written.set(event, variants);
    const known = variant === undefined ? undefined : variants.get(variant);
    if (known) return this.narrowed(queue, event, known);
    await presenter.prepare?.(event, loaded, profile);
    const objects = presenter.present(event, loaded, profile);
    if (variant !== undefined) variants.set(variant, objects);
    return this.narrowed(queue, event, objects);
  }

  private narrowed({ options }: ClientQueue, { type }: StoredClientEvent, objects: Objects): Objects {
    if (type !== 'message' || options.narrow.length === 0) return objects;
    const messages = objects as unknown as readonly MessageEventFields[];
    return messages.every((message) => matchesNarrow(options.narrow, message, this.emptyTopic)) ? objects : [];
  }
}

function sizeOf(object: Objects[number], { sizes }: Batch): number {
  const size = sizes.get(object) ?? roughSize(object);
  sizes.set(object, size);
  return size;
}

const movedOn = ({ cursor }: Waiting, through: Position): Cursor =>
  through > cursor.seen ? { id: cursor.id, seen: through } : cursor;

const mayConcern = ({ queue, cursor }: Waiting, { type, position }: StoredClientEvent): boolean =>
  position > cursor.seen && (queue.wants(type) || isTermination(type));

const ends = ({ options }: ClientQueue, event: StoredClientEvent): boolean =>
  keysOf(event)?.some((key) => key === options.keyId) ?? true;

/** The events for a queue, in the order of delivery. */
function eventsOf(waiting: Waiting, logged: readonly StoredClientEvent[], facts: AudienceFacts): StoredClientEvent[] {
  const { cursor, signals } = waiting;
  const isFor = (event: StoredClientEvent) => addresses(event.audience, listenerOf(waiting), event, facts);
  const mine = logged.filter((event) => mayConcern(waiting, event) && isFor(event));
  if (signals.length === 0) return mine;
  return inOrder([...mine, ...signals.filter(isFor)], (event) => placeOf(event, cursor));
}

/** A signal follows what was logged before it. A queue that is further already receives it at once. */
const placeOf = ({ position, k }: StoredClientEvent, { id, seen }: Cursor): number =>
  k === NOT_LOGGED ? eventId(Math.max(position, seen, positionOf(id)), k) : eventId(position, 0);

const inOrder = <Item>(items: Item[], placeIn: (item: Item) => number): Item[] =>
  items.sort((one, other) => placeIn(one) - placeIn(other));

const usersOf = (those: readonly Pick<Waiting, 'queue'>[]): UserId[] => [
  ...new Set(those.map(({ queue }) => queue.userId)),
];

const listenerOf = ({ queue }: Pick<Waiting, 'queue'>): Listener => ({
  userId: queue.userId,
  allPublicStreams: queue.options.allPublicStreams,
});

const profileOf = (
  { id, userId, options }: ClientQueue,
  event: StoredClientEvent,
  { facts, url }: Batch,
): QueueProfile => ({
  queueId: id,
  userId,
  role: facts.roleOf(userId, event) ?? Role.guest,
  isThroughAllPublic:
    options.allPublicStreams && !addresses(event.audience, { userId, allPublicStreams: false }, event, facts),
  url,
  applyMarkdown: options.applyMarkdown,
  clientGravatar: options.clientGravatar,
  includeSubscribers: options.includeSubscribers,
  slimPresence: options.slimPresence,
  capabilities: options.capabilities,
});

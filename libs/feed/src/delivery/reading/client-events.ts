import type { Position, RealmId, Recorded } from '@annals/kernel/domain';
import type { EventRegistry } from '@annals/kernel';
import { grouped } from '@annals/kernel/domain';
import type { StoredClientEvent } from '../../translation/client-event';
import type { Translations } from '../../translation/translations';
import { roughSize } from '../../domain/rough-size';
import { appendsOf } from '../../translation/translations';
import type { ClientEventRows, ReadClientEvent, StoredRows } from './client-event-rows';
import type { LogPages } from './log-pages';

/** Where client events end for now, although the log continues. */
export interface Stop {
  /** The domain event that cannot be translated yet. */
  readonly at: Position;
  /** Why it cannot be translated: UnknownEventType if only a newer release can. Null if a worker has still to do it. */
  readonly error: Error | null;
}

/** Client events in order; everything up to `through`, the end of an append, is among them. */
export interface ClientEventPage {
  readonly events: readonly ReadClientEvent[];
  readonly through: Position;
  readonly stop: Stop | null;
  /** Some of the stored ones were deleted because they were old. */
  readonly isGone: boolean;
}

const NONE_STORED: StoredRows = {
  events: [],
  through: Infinity as Position,
  checkpoint: Infinity as Position,
  horizon: 0 as Position,
};

/**
 * The client events of the log. Those that need no facts are translated here, and stored ones are read. Both are returned in
 * the order of the log. Events of one append stay together.
 */
export class ClientEvents {
  constructor(
    private readonly pages: LogPages,
    private readonly rows: ClientEventRows,
    private readonly translations: Translations,
    private readonly registry: Pick<EventRegistry, 'definition'>,
  ) {}

  /**
   * The newest ones.
   *
   * @param after the end of an append
   * @param head the end of an append that is known to be in the log
   */
  async newest(realmId: RealmId, after: Position, head: Position): Promise<ClientEventPage> {
    return this.page(realmId, after, await this.pages.newest(realmId, after, head));
  }

  /** Older ones, between the ends of two appends. */
  async between(realmId: RealmId, after: Position, upTo: Position): Promise<ClientEventPage> {
    return this.page(realmId, after, await this.pages.after(realmId, after, upTo));
  }

  private async page(realmId: RealmId, after: Position, events: readonly Recorded[]): Promise<ClientEventPage> {
    const appends = appendsOf(events);
    let rows = await this.stored(realmId, this.storedIn(events));
    const first = this.storedIn(appends[0] ?? []);
    // However large it is, an append is read at once, or delivery would never pass it.
    if (first.some(({ position }) => position > rows.through)) rows = await this.stored(realmId, first, true);
    return this.merged(after, appends, rows);
  }

  private merged(after: Position, appends: readonly (readonly Recorded[])[], rows: StoredRows): ClientEventPage {
    const kept = grouped(rows.events, ({ position }) => position);
    const events: ReadClientEvent[] = [];
    let [through, stop, isGone]: [Position, Stop | null, boolean] = [after, null, false];
    for (const append of appends) {
      const stored = this.storedIn(append).map(({ position }) => position);
      const awaited = stored.find((position) => position > rows.checkpoint);
      if (awaited !== undefined) stop = { at: awaited, error: null };
      if (stop || stored.some((position) => position > rows.through)) break;
      isGone ||= stored.some((position) => position <= rows.horizon);
      try {
        for (const { type } of append) this.registry.definition(type);
        const direct = this.translations.direct(append).map(sized);
        const due =
          stored.length === 0 ? direct : [...direct, ...stored.flatMap((position) => kept.get(position) ?? [])];
        for (const event of due.sort(inOrder)) events.push(event);
      } catch (error) {
        stop = { at: (append[0] as Recorded).position, error: error as Error };
        break;
      }
      through = (append.at(-1) as Recorded).position;
    }
    return { events, through, stop, isGone };
  }

  private async stored(
    realmId: RealmId,
    [first, ...others]: readonly Recorded[],
    isWhole = false,
  ): Promise<StoredRows> {
    return first ? this.rows.of(realmId, [first, ...others], isWhole) : NONE_STORED;
  }

  private storedIn(events: readonly Recorded[]): Recorded[] {
    return events.filter((event) => this.translations.isStored(event));
  }
}

const inOrder = (one: StoredClientEvent, other: StoredClientEvent): number =>
  one.position - other.position || one.k - other.k;

const sized = (event: StoredClientEvent): ReadClientEvent => ({
  ...event,
  size: roughSize(event.audience) + roughSize(event.payload),
});

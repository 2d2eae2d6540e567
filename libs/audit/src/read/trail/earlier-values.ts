import type { PropertyChange, EventDescription, PropertyValue, StreamSearch } from '@annals/kernel';
import type { RealmId, Recorded } from '@annals/kernel/domain';

/** How many events before a place are read in each round. The first event nearly always has the value. */
const ROUNDS = [1, 8, 64, 512] as const;

/** The value of a property before an event, and the event that gave it. */
export interface EarlierValue {
  readonly value: unknown;
  readonly givenBy: Recorded;
}

interface Wanted {
  readonly key: string;
  readonly stream: string;
  readonly property: PropertyValue;
  /** Everything from this version on was looked at. */
  below: number;
}

/** Finds values before changes: the last earlier event of the same stream that gives the property a value has it. */
export class EarlierValues {
  private readonly found = new Map<string, EarlierValue>();
  private readonly types: readonly string[];

  constructor(
    private readonly search: StreamSearch,
    private readonly descriptions: ReadonlyMap<string, EventDescription>,
  ) {
    this.types = [...descriptions.values()].filter(({ hasValues }) => hasValues).map(({ type }) => type);
  }

  /** Looks for the values before all changes of these events that lack them. */
  async read(realmId: RealmId, events: readonly Recorded[]): Promise<this> {
    let wanted = events.flatMap((event) => this.wantedOf(event));
    wanted = this.lookWithin(events, wanted);
    for (let round = 0; wanted.length > 0; round++) {
      wanted = await this.lookFurther(realmId, wanted, ROUNDS[round] ?? ROUNDS[ROUNDS.length - 1] ?? 1);
    }
    return this;
  }

  /** The value before a change; undefined if no earlier event gave one. */
  before(event: Recorded, change: PropertyChange): EarlierValue | undefined {
    return this.found.get(keyOf(event, change));
  }

  private wantedOf(event: Recorded): Wanted[] {
    const changes = this.descriptions.get(event.type)?.changes(event) ?? [];
    return changes
      .filter((change) => !('before' in change))
      .map((property) => ({
        key: keyOf(event, property),
        stream: event.stream,
        property,
        below: event.version,
      }));
  }

  /** The events before it are often among those that are shown. */
  private lookWithin(events: readonly Recorded[], wanted: readonly Wanted[]): Wanted[] {
    const known = new Map(events.map((event) => [`${event.stream} ${event.version}`, event]));
    return wanted.filter((one) => {
      for (;;) {
        const event = known.get(`${one.stream} ${one.below - 1}`);
        if (!event) return one.below > 1;
        one.below -= 1;
        if (this.isGivenBy(event, one)) return false;
      }
    });
  }

  private async lookFurther(realmId: RealmId, wanted: readonly Wanted[], limit: number): Promise<Wanted[]> {
    const places = new Map(wanted.map(({ stream, below }) => [`${stream} ${below}`, { stream, below }]));
    const lists = await this.search.lastBefore(realmId, [...places.values()], this.types, limit);
    const read = new Map([...places.keys()].map((place, n) => [place, lists[n] ?? []]));
    return wanted.filter((one) => {
      const events = read.get(`${one.stream} ${one.below}`) ?? [];
      if (events.some((event) => this.isGivenBy(event, one))) return false;
      one.below = events.at(-1)?.version ?? 1;
      return events.length === limit && one.below > 1;
    });
  }

  private isGivenBy(event: Recorded, { key, property }: Wanted): boolean {
    const description = this.descriptions.get(event.type);
    if (!description?.hasValues) return false;
    const given = [...description.changes(event), ...description.begins(event)].find(
      (value) => value.property === property.property && value.of === property.of,
    );
    if (!given) return false;
    this.found.set(key, { value: given.after, givenBy: event });
    return true;
  }
}

const keyOf = ({ position }: Recorded, { property, of = '' }: PropertyValue): string => `${position} ${property} ${of}`;

import type { EventDescription, NamedKind, NamedThing, StreamSearch } from '@annals/kernel';
import type { RealmId, Recorded, Role } from '@annals/kernel/domain';
import { accountStream } from '@annals/kernel/domain';

/** What is known of a thing at a position. */
export interface KnownState {
  /** Null if it was erased. Undefined if no event gave one. */
  readonly name?: string | null | undefined;
  readonly role?: Role | undefined;
  readonly isBot?: boolean | undefined;
  readonly isPrivate?: boolean | undefined;
}

/** The streams with the events that name a thing. Messages have no name. */
const STREAMS: Readonly<Record<NamedKind, ((id: number) => string) | null>> = {
  user: (id) => accountStream(id as Parameters<typeof accountStream>[0]),
  channel: (id) => `channel-${id}`,
  topic: (id) => `topic-${id}`,
  group: (id) => `group-${id}`,
  file: (id) => `file-${id}`,
  emoji: (id) => `emoji-${id}`,
  'channel-folder': () => 'channel-folders',
  'default-channel-group': () => 'default-channel-groups',
  'profile-field': () => 'profile-fields',
  message: null,
};

interface Since {
  readonly position: number;
  readonly state: KnownState;
}

/** The names of things at every position of the log, read with one query for all of them. */
export class Names {
  private constructor(private readonly histories: ReadonlyMap<string, readonly Since[]>) {}

  static async read(
    search: StreamSearch,
    descriptions: ReadonlyMap<string, EventDescription>,
    realmId: RealmId,
    things: readonly NamedThing[],
  ): Promise<Names> {
    const streams = new Set(things.flatMap(({ kind, id }) => STREAMS[kind]?.(id) ?? []));
    const types = [...descriptions.values()].filter(({ names }) => names !== null).map(({ type }) => type);
    const histories = new Map<string, Since[]>();
    for (const event of await search.ofTypes(realmId, [...streams], types)) {
      add(histories, event, descriptions.get(event.type));
    }
    return new Names(histories);
  }

  /**
   * What was known of a thing right after the event at a position, or right before it. For a thing that did not exist yet,
   * it is what was known of it at first.
   */
  at(named: NamedThing, position: number): KnownState {
    const history = this.histories.get(keyOf(named)) ?? [];
    const end = named.before ? position : position + 1;
    return (history.findLast((since) => since.position < end) ?? history[0])?.state ?? {};
  }

  /** What is known of a thing now. */
  now(named: NamedThing): KnownState {
    return this.histories.get(keyOf(named))?.at(-1)?.state ?? {};
  }
}

const keyOf = ({ kind, id }: NamedThing): string => `${kind} ${id}`;

function add(histories: Map<string, Since[]>, event: Recorded, description: EventDescription | undefined): void {
  for (const { thing, ...said } of description?.names?.(event) ?? []) {
    const history = histories.get(keyOf(thing)) ?? [];
    history.push({ position: event.position, state: { ...history.at(-1)?.state, ...said } });
    histories.set(keyOf(thing), history);
  }
}

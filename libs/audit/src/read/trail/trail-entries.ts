import { isDeepStrictEqual } from 'node:util';
import type { PropertyChange, EventDescription, NamedThing, SentencePart } from '@annals/kernel';
import { Kernel, StreamSearch, descriptionsOf, thing } from '@annals/kernel';
import type { EventDefinition, RealmId, Recorded, Subject, UserId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { EarlierValues } from './earlier-values';
import { Names } from './names';
import { EntryAccess, seesWordsOf } from './entry-access';
import { sentenceOf } from './sentence';
import { rfc3339 } from '../times';
import type { TrailActor, TrailEntry, TrailRights } from './trail-entry';

/** An event with what its description says. */
interface Described {
  readonly event: Recorded;
  readonly parts: readonly SentencePart[];
  readonly changes: readonly PropertyChange[];
}

/** A page of events with what was read for all of them. */
interface Page {
  readonly names: Names;
  readonly earlier: EarlierValues;
  readonly addresses: ReadonlyMap<number, string>;
  readonly rights: TrailRights;
}

/** Makes entries of the trail from events, with a few queries for all of them. */
@Injectable()
export class TrailEntries {
  /** What the trail says about each event type. */
  readonly descriptions: ReadonlyMap<string, EventDescription>;
  private readonly search: StreamSearch;
  private readonly definitions: ReadonlyMap<string, EventDefinition>;

  constructor(private readonly kernel: Kernel) {
    const { registry } = kernel;
    this.definitions = new Map(registry.types.map((type) => [type, registry.definition(type)]));
    this.descriptions = descriptionsOf(kernel.options.contexts);
    this.search = new StreamSearch(kernel.database.pool, kernel.registry);
  }

  /** The entries of these events, in their order, as a reader with these rights may see them. */
  async of(realmId: RealmId, events: readonly Recorded[], rights: TrailRights): Promise<TrailEntry[]> {
    const { search, descriptions } = this;
    const described = events.map((event) => this.described(event));
    const [names, earlier, addresses] = await Promise.all([
      Names.read(search, descriptions, realmId, described.flatMap(thingsOf)),
      new EarlierValues(search, descriptions).read(realmId, events),
      search.addresses(realmId, rights.words === 'none' ? [] : events.map(({ position }) => position)),
    ]);
    const page: Page = { names, earlier, addresses, rights };
    return described.map((one) => this.entry(one, page));
  }

  private described(event: Recorded): Described {
    const description = this.descriptions.get(event.type);
    // An event whose type only a newer release knows gets a general sentence.
    const parts = description?.sentence(event) ?? [`stored an event ${event.type}`];
    return { event, parts, changes: description?.changes(event) ?? [] };
  }

  private entry({ event, parts, changes }: Described, page: Page): TrailEntry {
    const subjects = this.subjectsOf(event);
    const access = new EntryAccess(event, this.authorOf(event), page.names, page.rights, subjects);
    const actor = actorOf(event, page.names);
    const words = wordsState(event, access);
    return {
      position: event.position,
      id: `${this.kernel.installation}/${event.realmId}/${event.position}`,
      ...this.typeOf(event),
      at: rfc3339(event.at),
      actor,
      sentence: sentenceOf(actor?.full_name ?? null, parts, access),
      subjects: subjects.map(([kind, id]) => ({ kind, id })),
      data: event.data,
      words: words === 'shown' ? event.sealed : null,
      words_state: words,
      changes: this.changesOf(event, changes, page, access),
      request: {
        id: event.correlation,
        client: event.client,
        address: access.seesAddress ? (page.addresses.get(event.position) ?? null) : null,
      },
    };
  }

  private typeOf({ type }: Recorded): Pick<TrailEntry, 'type' | 'version'> {
    const known = this.definitions.get(type);
    if (known) return { type, version: known.v };
    // A newer version of a known type, as `decodeAny` names it, or a type of a newer release.
    const [, name, version] = /^(.*) v(\d+)$/.exec(type) ?? [];
    return { type: name ?? type, version: Number(version ?? 1) };
  }

  private subjectsOf(event: Recorded): readonly Subject[] {
    return this.definitions.get(event.type)?.subjects(event.data, event.position) ?? [];
  }

  /** Null if only a newer release knows the type. */
  private authorOf(event: Recorded): UserId | null {
    return this.descriptions.get(event.type)?.author(event) ?? null;
  }

  private seesWordsOf(event: Recorded, rights: TrailRights): boolean {
    return seesWordsOf(this.authorOf(event), this.subjectsOf(event), rights);
  }

  private changesOf(
    event: Recorded,
    changes: readonly PropertyChange[],
    page: Page,
    access: EntryAccess,
  ): TrailEntry['changes'] {
    return changes.flatMap((change) => {
      const { property, after = null } = change;
      const { before, isShown } = this.before(event, change, page);
      // An event may set a property to the value that it had. Whether two erased values differ is unknown.
      if (after !== null && isDeepStrictEqual(before, after)) return [];
      if (!seesValues(change, access)) return [{ property, before: null, after: null }];
      return [{ property, before: isShown ? before : null, after }];
    });
  }

  /** The value before a change, and whether a reader who sees the value after it may see it. */
  private before(
    event: Recorded,
    change: PropertyChange,
    { earlier, rights }: Page,
  ): { before: unknown; isShown: boolean } {
    if ('before' in change) return { before: change.before ?? null, isShown: true };
    const found = earlier.before(event, change);
    if (!found) return { before: change.initially ?? null, isShown: true };
    // Another user may have written the earlier value.
    const isShown = !change.isWords || this.seesWordsOf(found.givenBy, rights);
    return { before: found.value ?? null, isShown };
  }
}

/** The names that are needed for a sentence and its changes. */
function thingsOf({ event, parts, changes }: Described): NamedThing[] {
  const actor = event.actorId === null ? [] : [thing.user(event.actorId)];
  return [...actor, ...changes.flatMap(({ nameOf }) => nameOf ?? []), ...parts.filter(isNamed)];
}

const isNamed = (part: SentencePart): part is NamedThing => typeof part === 'object' && 'kind' in part;

/** The account as it was when it acted, so before its own event. */
function actorOf({ actorId, position }: Recorded, names: Names): TrailActor | null {
  if (actorId === null) return null;
  const { name, role = Role.member, isBot = false } = names.at(thing.user(actorId, { before: true }), position);
  return { user_id: actorId, full_name: name ?? `user ${actorId}`, role, is_bot: isBot };
}

function wordsState({ sealed }: Recorded, { seesWords }: EntryAccess): TrailEntry['words_state'] {
  if (sealed === null || (typeof sealed === 'object' && Object.keys(sealed).length === 0)) return 'none';
  if (sealed === 'erased') return 'erased';
  return seesWords ? 'shown' : 'withheld';
}

function seesValues({ isWords, nameOf }: PropertyChange, access: EntryAccess): boolean {
  if (access.seesWords) return true;
  return !isWords && (!nameOf || access.portrait(nameOf) !== null);
}

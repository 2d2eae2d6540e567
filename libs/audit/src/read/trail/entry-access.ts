import type { NamedThing } from '@annals/kernel';
import type { Recorded, Subject, UserId } from '@annals/kernel/domain';
import type { Names, KnownState } from './names';
import type { TrailRights } from './trail-entry';

/** What one reader may see of one event. */
export class EntryAccess {
  /** Whether the reader sees what people wrote. */
  readonly seesWords: boolean;
  /** Whether the reader sees the IP address of the request. */
  readonly seesAddress: boolean;

  constructor(
    private readonly event: Pick<Recorded, 'actorId' | 'position'>,
    author: UserId | null,
    private readonly names: Names,
    private readonly rights: TrailRights,
    subjects: readonly Subject[],
  ) {
    this.seesAddress = isOwnAct(event, rights) || rights.words === 'all';
    this.seesWords = seesWordsOf(author, subjects, rights);
  }

  /** What the reader may know of a thing at the position of the event. Null if its name is withheld. */
  portrait(named: NamedThing): KnownState | null {
    const then = this.names.at(named, this.event.position);
    return this.seesName(named, then) ? then : null;
  }

  private seesName(named: NamedThing, then: KnownState): boolean {
    if (this.seesWords) return true;
    if (named.kind === 'topic' || named.kind === 'file') return false;
    if (named.kind === 'user') return isOwnAct(this.event, this.rights) || isReader(named.id, this.rights);
    if (named.kind !== 'channel' || this.rights.channels.has(named.id)) return true;
    return then.isPrivate !== true && this.names.now(named).isPrivate !== true;
  }
}

/** Whether a reader sees the words of an event. @param author who wrote them; null if that is not known */
export function seesWordsOf(author: UserId | null, subjects: readonly Subject[], rights: TrailRights): boolean {
  const { words } = rights;
  if (typeof words === 'string') return words === 'all';
  return author === words.ownOf || subjects.some(([kind, id]) => kind === 'person' && id === words.ownOf);
}

/** What others did to the reader of `/audit/me` names no further users. Auditors know everybody. */
const isReader = (user: number, { words }: TrailRights): boolean => typeof words === 'string' || user === words.ownOf;

const isOwnAct = ({ actorId }: Pick<Recorded, 'actorId'>, { words }: TrailRights): boolean =>
  typeof words === 'object' && actorId === words.ownOf;

import { lastUsed } from '../../last-used';
import type { RealmId } from '../../domain/index';
import type { Append } from './append';
import type { Head, Locked, Plan } from './batch';
import { realmOf, restedOn } from './batch';

/** Streams whose version a lane remembers: those of the accounts, topics and channels that it met most recently. */
const MAX_STREAMS = 50_000;
/** Batches in a row without a write of another process to a realm, after which a lane assumes that there is none. */
const ALONE_AFTER = 8;

/** The version that a stream has if the assumption of an append holds; it was not read. */
export interface Supposed {
  readonly realmId: RealmId;
  readonly stream: string;
  readonly version: number;
}

/** What a batch is planned on before its heads are locked. The plan holds if both turn out to be true under the lock. */
export interface Assumption {
  readonly locked: Locked;
  readonly supposed: readonly Supposed[];
}

interface Known {
  /** Null after a failure, until it has been looked. */
  readonly head: Head | null;
  readonly alone: number;
  /** Versions that were learned in another era are not known any more: somebody else has written since. */
  readonly era: number;
}

/**
 * What a lane knows of the realms it writes to. Every write moves a realm's head, so as long as the head is where the
 * lane left it, all that it knows of the realm's streams is exact, and one look at the head is enough to be sure.
 */
export class KnownRealms {
  private readonly realms = new Map<RealmId, Known>();
  private readonly versions = lastUsed<{ readonly version: number; readonly era: number }>(MAX_STREAMS);
  private eras = 0;

  /** Undefined when the batch needs to be told something under the lock: guards, streams that are not known. */
  assume(appends: readonly Append[]): Assumption | undefined {
    const heads = new Map<RealmId, Head>();
    const versions = new Map<string, number>();
    const supposed: Supposed[] = [];
    for (const { realmId, guards, opensRealm } of appends) {
      const known = this.realms.get(realmId);
      if (!known?.head || known.alone < ALONE_AFTER || guards.length > 0 || opensRealm) return undefined;
      heads.set(realmId, known.head);
    }
    for (const [place, { realmId, stream, claimed }] of restedOn(appends)) {
      const remembered = this.versions.get(place);
      if (remembered && remembered.era === this.realms.get(realmId)?.era) {
        versions.set(place, remembered.version);
        continue;
      }
      if (claimed === 'any') return undefined;
      versions.set(place, claimed);
      supposed.push({ realmId, stream, version: claimed });
    }
    return { locked: { heads, versions, failing: new Set() }, supposed };
  }

  /**
   * After a commit.
   * @param locked what was true under the lock, of all streams that the batch rests on
   */
  learn({ heads, versions }: Locked, plan: Plan): void {
    const eras = new Map<RealmId, number>();
    for (const [realmId, head] of plan.heads) {
      const known = this.realms.get(realmId);
      const before = heads.get(realmId);
      const same = known?.head != null && known.head.position === before?.position && known.head.at === before.at;
      const alone = same ? known.alone + 1 : known?.head === null ? known.alone : 0;
      const era = same ? known.era : ++this.eras;
      this.realms.set(realmId, { head, alone, era });
      eras.set(realmId, era);
    }
    for (const [place, version] of plan.versions) {
      // A stream named by its position may have been looked for before it was there.
      if (!versions.has(place) && !this.versions.has(place)) continue;
      const era = eras.get(realmOf(place));
      if (era !== undefined) this.versions.set(place, { version, era });
    }
  }

  /** After an assumption that was wrong: somebody else writes to one of these realms. */
  forget(appends: readonly Append[]): void {
    for (const { realmId } of appends) this.realms.delete(realmId);
  }

  /** After any other failure: should it lie in what was thought to be known, it must not come again. */
  doubt(appends: readonly Append[]): void {
    for (const { realmId } of appends) {
      const known = this.realms.get(realmId);
      if (known) this.realms.set(realmId, { ...known, head: null });
    }
  }

  forgetAll(): void {
    this.realms.clear();
  }
}

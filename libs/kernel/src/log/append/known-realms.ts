import { lastUsed } from '../../last-used';
import type { RealmId } from '../../domain/index';
import type { Append } from './append';
import type { Head, Locked, BatchPlan } from './batch';
import { realmOf, streamDependencies } from './batch';

/** Most streams whose version a lane remembers: those of the accounts, topics and channels that it used last. */
const MAX_STREAMS = 50_000;
/**
 * After so many batches without a write of another process to a realm, a lane assumes that there is no other writer.
 */
const ALONE_AFTER = 8;

/** The version that a stream has if the assumption of an append holds. It was not read. */
export interface Supposed {
  readonly realmId: RealmId;
  readonly stream: string;
  readonly version: number;
}

/**
 * The assumptions of a batch that is planned before its heads are locked. The plan holds if both are true under the
 * lock.
 */
export interface Assumption {
  readonly locked: Locked;
  readonly supposed: readonly Supposed[];
}

interface Known {
  /** Null after a failure, until the head was read. */
  readonly head: Head | null;
  readonly alone: number;
  /** Versions that were read in another era are not known any more: another process has written since. */
  readonly era: number;
}

/**
 * The heads and versions that a lane knows of the realms that it writes to. Every write moves a realm's head. So as long as
 * the head is where the lane left it, the known versions of the realm's streams are exact, and only the head is checked.
 */
export class KnownRealms {
  private readonly realms = new Map<RealmId, Known>();
  private readonly versions = lastUsed<{ readonly version: number; readonly era: number }>(MAX_STREAMS);
  private eras = 0;

  /** Undefined when the batch has to read under the lock: guards, or streams whose version is not known. */
  assume(appends: readonly Append[]): Assumption | undefined {
    const heads = new Map<RealmId, Head>();
    const versions = new Map<string, number>();
    const supposed: Supposed[] = [];
    for (const { realmId, guards, opensRealm } of appends) {
      const known = this.realms.get(realmId);
      if (!known?.head || known.alone < ALONE_AFTER || guards.length > 0 || opensRealm) return undefined;
      heads.set(realmId, known.head);
    }
    for (const [key, { realmId, stream, claimed }] of streamDependencies(appends)) {
      const remembered = this.versions.get(key);
      if (remembered && remembered.era === this.realms.get(realmId)?.era) {
        versions.set(key, remembered.version);
        continue;
      }
      if (claimed === 'any') return undefined;
      versions.set(key, claimed);
      supposed.push({ realmId, stream, version: claimed });
    }
    return { locked: { heads, versions, failing: new Set() }, supposed };
  }

  /**
   * To be called after a commit.
   *
   * @param locked what was true under the lock, of all streams that the batch depends on
   */
  learn({ heads, versions }: Locked, plan: BatchPlan): void {
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
    for (const [key, version] of plan.versions) {
      // A stream named by its position may have been read before it existed.
      if (!versions.has(key) && !this.versions.has(key)) continue;
      const era = eras.get(realmOf(key));
      if (era !== undefined) this.versions.set(key, { version, era });
    }
  }

  /** To be called after a wrong assumption: another process writes to one of these realms. */
  forget(appends: readonly Append[]): void {
    for (const { realmId } of appends) this.realms.delete(realmId);
  }

  /** To be called after any other failure: if a known value caused it, it must not happen again. */
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

import type { CurrentBlock, RegisterOptions } from '@annals/kernel';
import { Kernel, longWork } from '@annals/kernel';
import type { Actor, UserId } from '@annals/kernel/domain';
import { DAY_MS, ReadyJson } from '@annals/kernel/domain';
import { RealmFacts } from '@annals/realm';
import { UserAccess, UserFacts, Viewers, emailFor } from '@annals/users';
import { Injectable } from '@nestjs/common';
import type { Presence } from '../domain/presence';
import type { KnownPresences } from '../read/known-presences';
import { legacy, modern } from '../read/present-presence';
import { KEPT_DAYS } from '../read/presence-rows';
import { Presences } from './presences';

/** Days of presences in an answer to a client that names no limit. */
export const HISTORY_DAYS = 14;
/** Users whose legacy form is written in one piece. */
const AT_ONCE = 500;

/** Which presences a client wants, and in which form. */
export interface PresenceQuery {
  readonly form: 'modern' | 'legacy';
  /** Only presences that changed after this update; -1 for all. */
  readonly since: number;
  readonly historyDays: number;
}

/** A list of presences in an answer. */
export interface PresenceList {
  readonly presences: ReadyJson | Readonly<Record<string, unknown>>;
  /** The update after which the client asks next; -1 without any presence. */
  readonly lastUpdateId: number;
}

const NOTHING: PresenceList = { presences: {}, lastUpdateId: -1 };

/** The presences of all users whom an actor may see (contract/realtime.md section 8). */
@Injectable()
export class PresenceLists implements CurrentBlock {
  readonly keys = ['presence'];

  constructor(
    private readonly kernel: Kernel,
    private readonly realms: RealmFacts,
    private readonly users: UserFacts,
    private readonly userAccess: UserAccess,
    private readonly viewers: Viewers,
    private readonly presences: Presences,
  ) {}

  async list(by: Actor, asked: PresenceQuery): Promise<PresenceList> {
    // Older ones do not exist, and a larger number would be another text in memory.
    const query = { ...asked, historyDays: Math.min(asked.historyDays, KEPT_DAYS) };
    if ((await this.realms.of(by.realmId)).settings.presence_disabled) return NOTHING;
    const known = await this.presences.of(by.realmId);
    const accessible = await this.userAccess.accessibleTo(by);
    if (query.form === 'modern') return this.modern(known, query, accessible);
    const lastUpdateId = updateIdOf(known);
    return { presences: await this.legacy(by, known, query, accessible), lastUpdateId };
  }

  /** contract/boot.md section 4.1 */
  async read(by: Actor, options: RegisterOptions): Promise<Readonly<Record<string, unknown>>> {
    const form = options.slimPresence ? 'modern' : 'legacy';
    const list = await this.list(by, { form, since: -1, historyDays: options.presenceHistoryLimitDays });
    return {
      presences: list.presences,
      presence_last_update_id: list.lastUpdateId,
      server_timestamp: this.kernel.clock.now() / 1_000,
    };
  }

  /** The same text for all who may see everybody. It is written again after a second, because presences grow old. */
  private modern(known: KnownPresences, query: PresenceQuery, accessible: ReadonlySet<UserId> | null): PresenceList {
    const write = () =>
      `{${this.chosen(known, query, accessible)
        .map(([userId, one]) => `"${userId}":${JSON.stringify(modern(one))}`)
        .join()}}`;
    const second = Math.floor(this.kernel.clock.now() / 1_000);
    const key = `${query.since} ${query.historyDays} ${second}`;
    const { text, head } = accessible ? { text: write(), head: known.head } : known.text(key, write);
    return { presences: new ReadyJson(text), lastUpdateId: updateIdOf({ head }) };
  }

  private async legacy(
    by: Actor,
    known: KnownPresences,
    query: PresenceQuery,
    accessible: ReadonlySet<UserId> | null,
  ): Promise<Readonly<Record<string, unknown>>> {
    const chosen = this.chosen(known, query, accessible);
    const viewer = await this.viewers.of(by);
    const accounts = await this.users.accounts(
      by.realmId,
      chosen.map(([userId]) => userId),
    );
    const present = ([userId, one]: readonly [UserId, Presence]) => {
      const account = accounts.get(userId);
      return account ? [[emailFor(account, viewer), legacy(one)] as const] : [];
    };
    const entries = await longWork.map(`${by.realmId}:${by.userId}`, chosen, AT_ONCE, present);
    return Object.fromEntries(entries.flat());
  }

  private chosen(
    known: KnownPresences,
    { since, historyDays }: PresenceQuery,
    accessible: ReadonlySet<UserId> | null,
  ): (readonly [UserId, Presence])[] {
    const oldest = this.kernel.clock.now() - historyDays * DAY_MS;
    const all = [...known.since(since, oldest)];
    return accessible ? all.filter(([userId]) => accessible.has(userId)) : all;
  }
}

/** As clients know it: -1 before the first update. */
const updateIdOf = ({ head }: Pick<KnownPresences, 'head'>): number => (head === 0 ? -1 : head);

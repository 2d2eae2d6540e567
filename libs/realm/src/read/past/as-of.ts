import { Moments } from '@annals/kernel';
import type { Actor, Instant, Moment, Origin, Position, RealmId, UserId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { mayAuditContent } from '../../domain/audit-rights';
import { reject } from '../../domain/rejections';
import { RealmFacts } from '../realm-facts';

/** A question about the past (contract/audit.md section 4.1). */
export interface AsOf {
  readonly realmId: RealmId;
  /** The answer shows the organization right after the event at this position. */
  readonly position: Position;
  /** The time of the moment. New members become full members by time alone. */
  readonly at: Instant;
  /** The viewer with the role and the groups of then. Null for an account that could not see anything then. */
  readonly viewer: Actor | null;
  /** The same account as it is: what it may not see today is left out. Null when it does not matter. */
  readonly today: Actor | null;
}

/** An account at a position of the log. */
export interface AccountThen {
  readonly realmId: RealmId;
  readonly userId: UserId;
  readonly position: Position;
  readonly at: Instant;
  readonly origin: Origin;
}

/** Accounts as actors of the past, with role, rights and all groups. The context that knows accounts and groups provides it. */
export abstract class PastActors {
  /** @returns null for an account that did not exist at the position, or was not active */
  abstract actorAt(account: AccountThen): Promise<Actor | null>;
}

/** The parameter of a request that names a moment of the past. */
export interface AsOfAsked {
  readonly as_of?: Moment;
  /** The account whose view is asked for. Left out for the own one. */
  readonly viewer_id?: UserId;
}

/** A read of what another account could read, as the log has it: ids, numbers and words of the API, and nothing that people wrote. */
export interface AuditedReading {
  /** Method and path, such as `GET /messages`. */
  readonly endpoint: string;
  readonly parameters: Readonly<Record<string, string | number | boolean | (string | number)[]>>;
  /** Parameters have words that `parameters` must not have, so different reads may look the same there. */
  readonly leavesOut?: boolean | undefined;
  /** How many things the answer contained. */
  readonly results: number;
}

/** Records reads of what other accounts could read (contract/audit.md section 1). The context that audits provides it. */
export abstract class AuditedReadings {
  /** A read is answered after it is recorded. */
  abstract record(by: Actor, reading: AuditedReading): Promise<void>;
}

/** Resolves the parameters of a request about the past. */
@Injectable()
export class AsOfQuestions {
  constructor(
    private readonly moments: Moments,
    private readonly actors: PastActors,
    private readonly realms: RealmFacts,
  ) {}

  /**
   * What another account could read then is asked for whatever it may read today.
   *
   * @returns null for a request about the present
   * @throws Rejected BAD_MOMENT, UNAUTHORIZED_AUDIT for the view of an account without the right to read contents, BAD_REQUEST
   *   for such a view of the present
   */
  async of(by: Actor, { as_of: moment, viewer_id: viewerId }: AsOfAsked): Promise<AsOf | null> {
    if (viewerId !== undefined) ensure(mayAuditContent(by, (await this.realms.of(by.realmId)).settings));
    if (moment === undefined && viewerId !== undefined) throw reject.viewerOfPresent();
    if (moment === undefined) return null;
    const { realmId, origin } = by;
    const userId = viewerId ?? by.userId;
    const resolved = await this.moments.resolve(realmId, moment);
    const at = 'time' in moment ? moment.time : (resolved.at ?? (0 as Instant));
    const then = { realmId, position: resolved.position, at };
    const viewer = await this.actors.actorAt({ ...then, userId, origin });
    return { ...then, viewer, today: viewerId === undefined ? by : null };
  }
}

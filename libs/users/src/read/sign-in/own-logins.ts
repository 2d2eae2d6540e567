import { Kernel, StreamSearch } from '@annals/kernel';
import type { Actor, Position, RealmId } from '@annals/kernel/domain';
import { OrganizationFacts } from '@annals/realm';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { isExpired } from '../../domain/sign-in/sessions';

/** A key or a session of the actor. Times are in milliseconds since the epoch. */
interface OwnLogin {
  readonly id: number;
  /** Name of the program that logged in. */
  readonly client: string;
  readonly beganAt: number;
  /** The address that the login came from. Null if it is not known, or was erased. */
  readonly address: string | null;
  /** Of this request. */
  readonly isCurrent: boolean;
}

export interface OwnKey extends OwnLogin {
  /** Known to the hour. Null for a key that was never used. */
  readonly usedAt: number | null;
}

export interface OwnSession extends OwnLogin {
  /** How the person proved who they are. */
  readonly method: string;
  /** Known to the hour. */
  readonly usedAt: number;
}

/** The API keys and the sessions of the actor, the newest first. */
export class GetOwnLogins extends Query<{
  readonly keys: readonly OwnKey[];
  readonly sessions: readonly OwnSession[];
}> {
  constructor(readonly by: Actor) {
    super();
  }
}

type Stored<Login extends OwnLogin> = Omit<Login, 'address' | 'isCurrent'> & { readonly position: Position };

@QueryHandler(GetOwnLogins)
export class GetOwnLoginsHandler implements IQueryHandler<GetOwnLogins> {
  private readonly log: StreamSearch;

  constructor(
    private readonly kernel: Kernel,
    private readonly organizations: OrganizationFacts,
  ) {
    this.log = new StreamSearch(kernel.database.pool, kernel.registry);
  }

  async execute({ by }: GetOwnLogins) {
    const now = this.kernel.clock.now();
    const keys = await this.rows<Stored<OwnKey>>(by, KEYS_SQL);
    const since = (await this.organizations.reactivation(by.realmId))?.position ?? 0;
    const isValid = (one: Stored<OwnSession>) => one.position > since && !isExpired(one, now);
    const sessions = (await this.rows<Stored<OwnSession>>(by, SESSIONS_SQL)).filter(isValid);
    const addresses = await this.addresses(by.realmId, [...keys, ...sessions]);
    const shown = <Login extends { readonly id: number; readonly position: Position }>(
      { position, ...login }: Login,
      current: number | undefined,
    ) => ({ ...login, address: addresses.get(position) ?? null, isCurrent: login.id === current });
    return {
      keys: keys.map((key) => shown(key, by.keyId)),
      sessions: sessions.map((session) => shown(session, by.sessionId)),
    };
  }

  private async rows<Row extends object>({ realmId, userId }: Actor, text: string): Promise<Row[]> {
    const { rows } = await this.kernel.database.pool.query<Row>(text, [realmId, userId]);
    return rows;
  }

  private addresses(realmId: RealmId, logins: readonly { readonly position: Position }[]) {
    return this.log.addresses(
      realmId,
      logins.map(({ position }) => position),
    );
  }
}

const KEYS_SQL = `SELECT k.key_id AS id, k.client, k.issued_at AS "beganAt", k.issued_position AS position, s.used_at AS "usedAt"
  FROM view.issued_keys k JOIN secrets s ON s.realm_id = k.realm_id AND s.id = 'api-key-' || k.key_id
  WHERE k.realm_id = $1 AND k.user_id = $2 ORDER BY k.key_id DESC`;

const SESSIONS_SQL = `SELECT v.session_id AS id, v.client, v.method, v.began_at AS "beganAt", v.began_position AS position,
    s.used_at AS "usedAt"
  FROM view.sessions v JOIN secrets s ON s.realm_id = v.realm_id AND s.id = 'session-' || v.session_id
  WHERE v.realm_id = $1 AND v.user_id = $2 ORDER BY v.session_id DESC`;

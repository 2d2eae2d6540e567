import { BASE32, Kernel, randomText } from '@annals/kernel';
import type { SecretChange } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { InvitationId, RegistrationId } from '../domain/events';

const LENGTH = 24;
/** The form of a token, which has 120 bits. */
export const TOKEN = /^[a-z2-7]{24}$/;

/** What a token is for. It is also the kind of its secret. */
type Purpose = 'invitation' | 'registration';
type IdOf<P extends Purpose> = P extends 'invitation' ? InvitationId : RegistrationId;

const nameOf = (purpose: Purpose, id: number): string => `${purpose}-${id}`;

/**
 * Tokens of links that let somebody join. They are stored as they are, beside the log, because links are shown and mailed
 * again. A token is of use until its invitation or registration ends, and only to join.
 */
@Injectable()
export class JoinTokens {
  constructor(private readonly kernel: Kernel) {}

  /** A token that nobody can guess. */
  random(): string {
    return randomText(BASE32, LENGTH);
  }

  /** The secret of a new invitation or registration. */
  put(purpose: Purpose, id: number, token: string): SecretChange {
    return { put: nameOf(purpose, id), kind: purpose, value: Buffer.from(token) };
  }

  /** Forgets the token of one that has ended. */
  drop(purpose: Purpose, id: number): SecretChange {
    return { drop: nameOf(purpose, id) };
  }

  /** What a token is for. Undefined for one that is of no use. */
  async find<P extends Purpose>(realmId: RealmId, purpose: P, token: string): Promise<IdOf<P> | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const { rows } = await this.kernel.database.pool.query<{ id: string }>({
      name: 'invitations-by-token',
      text: 'SELECT id FROM secrets WHERE realm_id = $1 AND kind = $2 AND value = $3',
      values: [realmId, purpose, Buffer.from(token)],
    });
    const [found] = rows;
    return found && (Number(found.id.slice(purpose.length + 1)) as IdOf<P>);
  }

  /** Tokens by what they are for. Those that have ended are left out. */
  async tokensOf(realmId: RealmId, purpose: Purpose, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map();
    const byName = new Map(ids.map((id) => [nameOf(purpose, id), id]));
    const { rows } = await this.kernel.database.pool.query<{ id: string; value: Buffer }>({
      name: 'invitations-tokens',
      text: 'SELECT id, value FROM secrets WHERE realm_id = $1 AND id = ANY($2::text[])',
      values: [realmId, [...byName.keys()]],
    });
    return new Map(rows.map(({ id, value }) => [byName.get(id) ?? 0, value.toString()]));
  }
}

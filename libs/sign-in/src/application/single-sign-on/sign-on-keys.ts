import type { Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import type { AuthenticationMethod } from '@annals/realm';
import { ApiKeys, logIn } from '@annals/users';
import { Injectable } from '@nestjs/common';
import { SignedOn } from '../../domain/single-sign-on/identity-events';
import { identitiesAggregate } from '../../domain/single-sign-on/identities';

/** How somebody logged in, for the log. */
export interface LoginWay {
  readonly method: AuthenticationMethod;
  readonly provider: string | null;
}

/** Gives keys to accounts whose person was proved without a password of this server. */
@Injectable()
export class SignOnKeys {
  constructor(private readonly keys: ApiKeys) {}

  /** A new key of the account, valid when the append is stored. */
  async key(work: Work, userId: UserId, way: LoginWay): Promise<string> {
    const key = this.keys.random();
    await this.keys.issue(work, userId, key, logIn);
    await noteLogin(work, userId, { way, as: 'key' });
    return key;
  }
}

/** Records how somebody logged in, and what they got. */
export async function noteLogin(
  work: Work,
  userId: UserId,
  { way: { method, provider }, as }: { readonly way: LoginWay; readonly as: 'key' | 'session' },
): Promise<void> {
  await work.decide(identitiesAggregate, userId, () => [fact(SignedOn, { userId, method, provider, as })]);
}

import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import { reject } from '../../domain/single-sign-on/sign-on-rejections';
import type { ProvenLogin } from './proven-login';
import { Once, unguessableToken } from './once';

/** What is stored until somebody has decided whether they want an account. */
export type WaitingJoiner = Pick<ProvenLogin, 'person' | 'to'>;

/** How long somebody may take to decide. */
const JOINING_MS = 60 * 60_000;

/** People who were proved, have no account, and were asked whether they want one. */
@Injectable()
export class WaitingJoiners {
  constructor(private readonly once: Once) {}

  /** @returns the token with which the browser continues */
  async begin(realmId: RealmId, joiner: WaitingJoiner): Promise<string> {
    const token = unguessableToken();
    await this.once.put(realmId, 'joining', token, joiner, JOINING_MS);
    return token;
  }

  /** @throws Rejected for a token that was used, or is too old */
  async of(realmId: RealmId, token: string): Promise<WaitingJoiner> {
    const joiner = (await this.once.look(realmId, 'joining', token)) as WaitingJoiner | undefined;
    if (!joiner) throw reject.flowEnded();
    return joiner;
  }

  async end(realmId: RealmId, token: string): Promise<void> {
    await this.once.take(realmId, 'joining', token);
  }
}

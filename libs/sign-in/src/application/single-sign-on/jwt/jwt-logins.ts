import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { ProvenPerson } from '../../../domain/single-sign-on/flow';
import { reject } from '../../../domain/single-sign-on/sign-on-rejections';
import { JwtTokens } from './jwt-tokens';
import { Once, unguessableToken } from '../once';

/** A login that the visitor has to confirm. */
interface JwtConfirmation {
  readonly email: string;
  readonly confirmation: string;
}

/** How long somebody may take to confirm. */
const CONFIRMED_MS = 10 * 60_000;

/** Logins of browsers by JSON Web Tokens. */
@Injectable()
export class JwtLogins {
  constructor(
    private readonly tokens: JwtTokens,
    private readonly once: Once,
  ) {}

  /** @throws Rejected for a token that is not valid here and now */
  async begin(realmId: RealmId, token: string): Promise<JwtConfirmation> {
    const person = await this.tokens.personOf(realmId, token);
    if (person.verifiedEmail === null) throw reject.addressUnusable();
    const confirmation = unguessableToken();
    await this.once.put(realmId, 'jwt-confirmation', confirmation, person, CONFIRMED_MS);
    return { email: person.verifiedEmail, confirmation };
  }

  /** @throws Rejected for what was confirmed before, or too late */
  async finish(realmId: RealmId, confirmation: string): Promise<ProvenPerson> {
    const person = await this.once.take(realmId, 'jwt-confirmation', confirmation);
    if (!person) throw reject.flowEnded();
    return person as ProvenPerson;
  }
}

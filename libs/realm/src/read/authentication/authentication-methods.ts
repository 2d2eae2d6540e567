import type { FactCache, Work } from '@annals/kernel';
import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { Injectable } from '@nestjs/common';
import type { ClientBase, Pool } from 'pg';
import type { AuthenticationMethod, MethodChoices } from '../../domain/authentication/authentication-events';
import { AuthenticationMethodsChosen } from '../../domain/authentication/authentication-events';
import { METHODS, isMethodOn, methodsAggregate } from '../../domain/authentication/authentication-methods';
import { reject } from '../../domain/rejections';
import { ServerFeatures } from '../../server-features';
import { RealmFacts } from '../realm-facts';

const ALL = 'methods';

/** Every way to log in that the server offers an organization, and whether the organization allows it. */
export type OfferedMethods = MethodChoices;

/** The choices of an organization. */
export async function readMethodChoices(client: Pool | ClientBase, realmId: RealmId): Promise<MethodChoices> {
  const { rows } = await client.query<{ method: AuthenticationMethod; isOn: boolean }>({
    name: 'realm-authentication-methods',
    text: `SELECT method, is_on AS "isOn" FROM view.realm_authentication_methods WHERE realm_id = $1`,
    values: [realmId],
  });
  return Object.fromEntries(rows.map(({ method, isOn }) => [method, isOn]));
}

/** The offered methods with the choices of the organization. */
export const withChoices = (offered: readonly AuthenticationMethod[], choices: MethodChoices): OfferedMethods =>
  Object.fromEntries(offered.map((method) => [method, isMethodOn(choices, method)]));

/** Whether people may log in with a password, of this server or of a directory. */
export const allowsPasswords = ({ Email = false, LDAP = false }: OfferedMethods): boolean => Email || LDAP;

/** The ways to log in to organizations. Choices are cached in the process, exact after the fence. */
@Injectable()
export class AuthenticationMethods {
  private readonly choices: FactCache<MethodChoices>;

  constructor(
    kernel: Kernel,
    private readonly realms: RealmFacts,
    private readonly features: ServerFeatures,
  ) {
    this.choices = kernel.facts<MethodChoices>({
      touched: ({ type }) => (type === AuthenticationMethodsChosen.type ? [ALL] : []),
      load: async (realmId) => new Map([[ALL, await readMethodChoices(kernel.database.pool, realmId)]]),
    });
  }

  /** Every way that the server offers the organization, and whether it is on. */
  async of(realmId: RealmId): Promise<OfferedMethods> {
    return withChoices(await this.offered(realmId), (await this.choices.get(realmId, ALL)) ?? {});
  }

  /** Whether people may log in to the organization in this way. */
  async isOn(realmId: RealmId, method: AuthenticationMethod): Promise<boolean> {
    return (await this.of(realmId))[method] ?? false;
  }

  /** The same in a unit of work. The append depends on the choices of the organization. */
  async isOnIn(work: Work, method: AuthenticationMethod): Promise<boolean> {
    const choices = await work.read(methodsAggregate, METHODS);
    return withChoices(await this.offered(work.realmId), choices)[method] ?? false;
  }

  /** @throws Rejected PASSWORD_AUTH_DISABLED when nobody may log in to the organization with a password */
  async ensurePasswords(realmId: RealmId): Promise<void> {
    if (!allowsPasswords(await this.of(realmId))) throw reject.passwordsOff();
  }

  private async offered(realmId: RealmId): Promise<readonly AuthenticationMethod[]> {
    const { subdomain } = await this.realms.of(realmId);
    return this.features.signIn.methodsOf(subdomain);
  }
}

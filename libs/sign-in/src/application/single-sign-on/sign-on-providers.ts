import type { RealmId } from '@annals/kernel/domain';
import type { RealmFacts } from '@annals/realm';
import type {
  JwtIssuer,
  OidcProvider,
  SamlProvider,
  SignOnProviders,
  TrustedHeader,
} from '../../domain/single-sign-on/providers';
import { isFor } from '../../domain/single-sign-on/providers';

type Kinds = Pick<SignOnProviders, 'oidc' | 'saml' | 'jwt' | 'headers'>;
type OneOf<Kind extends keyof Kinds> = Kinds[Kind][number];

/** The providers of the file, by organization. Whether the organization allows them is asked separately. */
export class OfferedProviders {
  constructor(
    readonly all: SignOnProviders,
    private readonly realms: RealmFacts,
  ) {}

  /** The provider of this name. Without a name the only one of the kind. Undefined if the organization has none. */
  async find<Kind extends 'oidc' | 'saml'>(
    kind: Kind,
    realmId: RealmId,
    name: string | undefined,
  ): Promise<OneOf<Kind> | undefined> {
    const some = await this.of(kind, realmId);
    return name === undefined ? (some.length === 1 ? some[0] : undefined) : some.find((one) => one.name === name);
  }

  /** All of one kind that the organization may use. */
  async of<Kind extends keyof Kinds>(kind: Kind, realmId: RealmId): Promise<readonly OneOf<Kind>[]> {
    const { subdomain } = await this.realms.of(realmId);
    const some: readonly (OidcProvider | SamlProvider | JwtIssuer | TrustedHeader)[] = this.all[kind];
    return some.filter((one) => isFor(subdomain, one));
  }
}

import { Kernel } from '@annals/kernel';
import type { RealmId } from '@annals/kernel/domain';
import { AuthenticationMethods, RealmFacts, ServerAddress } from '@annals/realm';
import type { UserRow } from '@annals/users';
import { readAllUsers } from '@annals/users';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { reject } from '../../domain/single-sign-on/sign-on-rejections';
import { isThisMachine } from '../../domain/single-sign-on/this-machine';

/** The people of an organization that a developer can log in as. */
export interface DevUsers {
  /** Address of the organization. */
  readonly url: string;
  readonly people: readonly UserRow[];
}

export class ListDevUsers extends Query<DevUsers> {
  /** @param hostName that of the request, as for `DevLogIn` */
  constructor(
    readonly realmId: RealmId,
    readonly hostName: string,
  ) {
    super();
  }
}

/** Most people in the list, as other servers have it. */
const MOST = 100;

@QueryHandler(ListDevUsers)
export class ListDevUsersHandler implements IQueryHandler<ListDevUsers> {
  constructor(
    private readonly kernel: Kernel,
    private readonly methods: AuthenticationMethods,
    private readonly realms: RealmFacts,
    private readonly address: ServerAddress,
  ) {}

  async execute({ realmId, hostName }: ListDevUsers): Promise<DevUsers> {
    if (!(await this.methods.isOn(realmId, 'Dev'))) throw reject.devOff();
    if (!isThisMachine(hostName)) throw reject.devElsewhere();
    const { subdomain } = await this.realms.of(realmId);
    const all = await readAllUsers(this.kernel.database.pool, realmId);
    const people = all.filter(({ isActive, botType, isSystemBot }) => isActive && botType === null && !isSystemBot);
    return { url: this.address.urlOf(subdomain), people: people.slice(0, MOST) };
  }
}

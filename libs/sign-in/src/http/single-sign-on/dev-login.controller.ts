import type { RealmId } from '@annals/kernel/domain';
import { isAdministrator, t, userId } from '@annals/kernel/domain';
import { AtRealm, Endpoint, Info, Params, RequestInfo, TextParam } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { isEmail } from 'class-validator';
import { DevLogIn } from '../../application/single-sign-on/log-in-by-token';
import { ListDevUsers } from '../../application/single-sign-on/list-dev-users';

class DevLoginParams {
  @TextParam({ trim: true, is: isEmail }) username: string;
}

const listed = t.Array(
  t.Object({
    email: t.String(),
    realm_url: t.String(),
    realm_uri: t.String({ deprecated: true, description: 'The same as `realm_url`.' }),
  }),
);

/** Logins without a password, for developers of clients (`ANNALS_DEV_LOGINS`). */
@Controller()
export class DevLoginController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** contract/boot.md section 2.2 */
  @Endpoint('POST', 'dev_fetch_api_key', {
    audience: 'public',
    section: 'boot 2.2',
    summary: 'Get a key without a password, for development only',
    command: 'DevLogIn',
    evenIfFull: true,
    returns: t.Object({ api_key: t.String(), email: t.String(), user_id: userId }),
  })
  async logIn(
    @AtRealm() realmId: RealmId,
    @Info() { origin, hostName }: RequestInfo,
    @Params(DevLoginParams) { username }: DevLoginParams,
  ) {
    const command = new DevLogIn(realmId, username, origin, hostName);
    const { apiKey, email, userId: id } = await this.commands.execute(command);
    return { api_key: apiKey, email, user_id: id };
  }

  /** contract/boot.md section 2.2 */
  @Endpoint('GET', 'dev_list_users', {
    audience: 'public',
    section: 'boot 2.2',
    summary: 'Who can log in without a password, for development only',
    returns: t.Object({ direct_admins: listed, direct_users: listed }),
  })
  async list(@AtRealm() realmId: RealmId, @Info() { hostName }: RequestInfo) {
    const { url, people } = await this.queries.execute(new ListDevUsers(realmId, hostName));
    const present = (some: typeof people) =>
      some.map(({ deliveryEmail: email }) => ({ email, realm_url: url, realm_uri: url }));
    return {
      direct_admins: present(people.filter(isAdministrator)),
      direct_users: present(people.filter((person) => !isAdministrator(person))),
    };
  }
}

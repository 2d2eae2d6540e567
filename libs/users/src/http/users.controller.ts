import { longWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { PastRequests } from './past-requests';
import { By, Endpoint, Params, asOfShape, presentAsOf } from '@annals/web';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { DeactivateUser } from '../application/account/deactivate-user';
import { DeactivateSelf } from '../application/account/deactivate-self';
import { UpdateUser } from '../application/account/update-user';
import { GetUser, GetUsers } from '../read/account/get-users';
import { AT_ONCE, PresentedPastUsers } from './presented-past-users';
import { NewestMessage } from '../read/newest-message';
import { presentUser } from '../read/account/present-user';
import { Profiles } from '../read/profile/profiles';
import type { UserRow } from '../read/account/user-row';
import { Viewers } from '../read/account/viewer';
import { ownUserShape, userShape } from './shapes';
import {
  DeactivateUserParams,
  GetOwnUserParams,
  GetUserParams,
  GetUsersParams,
  UpdateUserParams,
  toAccountPatch,
  toDeletions,
} from './users.params';

@Controller()
export class UsersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly viewers: Viewers,
    private readonly profiles: Profiles,
    private readonly newest: NewestMessage,
    private readonly asOf: PastRequests,
    private readonly pastUsers: PresentedPastUsers,
  ) {}

  /** contract/users.md section 2 */
  @Endpoint('GET', 'users', {
    audience: 'public-access',
    section: 'users 2',
    summary: 'All accounts',
    returns: t.Object({ members: t.Array(userShape), ...asOfShape }),
  })
  async list(@By() by: Actor, @Params(GetUsersParams) params: GetUsersParams) {
    const asOf = await this.asOf.of(by, params);
    if (asOf) return { members: await this.pastUsers.list(asOf, by, params), ...presentAsOf(asOf) };
    const users = await this.queries.execute(new GetUsers(by, params.user_ids ?? null));
    return { members: await this.shown(by, users, params) };
  }

  /** contract/boot.md section 2.3 */
  @Endpoint('GET', 'users/me', {
    audience: 'anyone',
    section: 'boot 2.3',
    summary: 'The own account',
    returns: ownUserShape,
  })
  async own(@By() by: Actor, @Params(GetOwnUserParams) params: GetOwnUserParams) {
    const user = await this.queries.execute(new GetUser(by, String(by.userId)));
    // The own avatar is never left out, whatever the request says (contract/boot.md section 2.3).
    const [shown] = await this.shown(by, [user], { ...params, client_gravatar: false });
    return { max_message_id: await this.newest.receivedBy(by), ...shown };
  }

  /** INTERFACE.md 4.8 */
  @Endpoint('GET', 'users/:user', {
    audience: 'anyone',
    section: '4.8',
    summary: 'One account, by id or address',
    returns: t.Object({ user: userShape, ...asOfShape }),
  })
  async show(@By() by: Actor, @Params(GetUserParams) params: GetUserParams) {
    const asOf = await this.asOf.of(by, params);
    if (asOf) return { user: await this.pastUsers.one(asOf, by, params), ...presentAsOf(asOf) };
    const user = await this.queries.execute(new GetUser(by, params.user));
    const [shown] = await this.shown(by, [user], params);
    return { user: shown };
  }

  /** INTERFACE.md 4.5 */
  @Endpoint('PATCH', 'users/:user', {
    audience: 'anyone',
    section: '4.5',
    summary: 'Change an account, by id or address',
    command: 'UpdateUser',
    returns: null,
  })
  async update(@By() by: Actor, @Params(UpdateUserParams) params: UpdateUserParams): Promise<void> {
    const user = await this.queries.execute(new GetUser(by, params.user));
    await this.commands.execute(new UpdateUser(by, user.userId, toAccountPatch(params)));
  }

  /** contract/users.md section 5 */
  @Endpoint('DELETE', 'users/me', {
    audience: 'anyone',
    section: 'users 5',
    summary: 'End the own account',
    command: 'DeactivateSelf',
    evenIfFull: true,
    returns: null,
  })
  async leave(@By() by: Actor): Promise<void> {
    await this.commands.execute(new DeactivateSelf(by));
  }

  /** contract/users.md section 5 */
  @Endpoint('DELETE', 'users/:user_id', {
    audience: 'administrators',
    section: 'users 5',
    summary: "End a person's account",
    command: 'DeactivateUser',
    evenIfFull: true,
    returns: null,
  })
  async deactivate(@By() by: Actor, @Params(DeactivateUserParams) params: DeactivateUserParams): Promise<void> {
    const { user_id, deactivation_notification_comment: comment } = params;
    await this.commands.execute(new DeactivateUser(by, user_id, toDeletions(params), comment));
  }

  private async shown(
    by: Actor,
    users: readonly UserRow[],
    asked: { readonly client_gravatar: boolean; readonly include_custom_profile_fields: boolean },
  ) {
    const viewer = await this.viewers.of(by);
    const profile = await this.profiles.of(by, users, asked.include_custom_profile_fields);
    const clientGravatar = asked.client_gravatar;
    const present = (user: UserRow) => presentUser(user, viewer, { clientGravatar, profileData: profile(user) });
    return longWork.map(`${by.realmId}:${by.userId}`, users, AT_ONCE, present);
  }
}

import { longWork } from '@annals/kernel';
import type { Actor } from '@annals/kernel/domain';
import type { AsOf } from '@annals/realm';
import { Injectable } from '@nestjs/common';
import type { UsersThen } from '../read/account/past-users';
import { PastUsers } from '../read/account/past-users';
import { presentUser } from '../read/account/present-user';
import type { UserRow } from '../read/account/user-row';
import type { Viewer } from '../read/account/viewer';
import { Viewers } from '../read/account/viewer';
import { NO_PROFILE } from '../read/profile/profiles';
import { PastRequests } from './past-requests';
import type { GetUserParams, GetUsersParams } from './users.params';

/** Accounts that are presented at a stretch, before other work runs. */
export const AT_ONCE = 200;

/** User objects of the past. */
@Injectable()
export class PresentedPastUsers {
  constructor(
    private readonly users: PastUsers,
    private readonly viewers: Viewers,
    private readonly requests: PastRequests,
  ) {}

  async list(asOf: AsOf, by: Actor, params: GetUsersParams) {
    const viewer = await this.viewers.of(asOf.viewer ?? by);
    const found = await this.users.list(asOf, params.user_ids ?? null, params.include_custom_profile_fields);
    const asked = { ...(params.user_ids && { user_ids: [...params.user_ids] }) };
    await this.requests.answered(by, asOf, params, recorded('GET /users', found, asked));
    return longWork.map(`${by.realmId}:${by.userId}`, found.users, AT_ONCE, presenter(found, viewer, params));
  }

  /** @throws Rejected BAD_REQUEST for an account that the viewer may not see */
  async one(asOf: AsOf, by: Actor, params: GetUserParams) {
    const viewer = await this.viewers.of(asOf.viewer ?? by);
    const found = await this.users.one(asOf, params.user, viewer, params.include_custom_profile_fields);
    const asked = { user_ids: found.users.map(({ userId }) => userId) };
    await this.requests.answered(by, asOf, params, recorded('GET /users/{user}', found, asked));
    return found.users.map(presenter(found, viewer, params))[0];
  }
}

/** What the log says of a read of the accounts that another account could see: ids, and no emails. */
const recorded = (endpoint: string, { users }: UsersThen, parameters: { readonly user_ids?: number[] }) => ({
  endpoint,
  parameters: { ...parameters },
  results: users.length,
});

const presenter =
  (
    { profiles }: UsersThen,
    viewer: Viewer,
    asked: Pick<GetUsersParams, 'client_gravatar' | 'include_custom_profile_fields'>,
  ) =>
  (user: UserRow) =>
    presentUser(user, viewer, {
      clientGravatar: asked.client_gravatar,
      profileData: asked.include_custom_profile_fields ? (profiles.get(user.userId) ?? NO_PROFILE) : null,
    });

import { defineContext } from '@annals/kernel';
import { realmPresenter, realmRegisterBlock } from '@annals/realm';
import { emailFree, lastOwner, nameFree, stillActive } from './application/guards';
import {
  AccountCreated,
  ApiKeyIssued,
  ApiKeysRevoked,
  BotAcquired,
  Deactivated,
  FirstLoggedIn,
  FullNameChanged,
  PasswordSet,
  RoleChanged,
} from './domain/events';
import { usersFeed } from './feed/users.feed';
import { botsPresenter, usersPresenter } from './feed/users.presenter';
import { botsRegisterBlock, usersRegisterBlock } from './read/register';
import { departedAmong } from './read/user-row';
import { usersView } from './read/users.view';

/** Brings what the organization shows of itself too, because that leaves deactivated people out. */
export const usersContext = defineContext({
  name: 'users',
  events: [
    AccountCreated,
    BotAcquired,
    FullNameChanged,
    RoleChanged,
    Deactivated,
    PasswordSet,
    ApiKeyIssued,
    ApiKeysRevoked,
    FirstLoggedIn,
  ],
  guards: [emailFree, nameFree, lastOwner, stillActive],
  projections: [usersView],
  feeds: [usersFeed],
  presenters: [usersPresenter, botsPresenter, realmPresenter(departedAmong)],
  registerBlocks: [usersRegisterBlock, botsRegisterBlock, realmRegisterBlock(departedAmong)],
});

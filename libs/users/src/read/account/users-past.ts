import type { TablePast } from '@annals/kernel';
import { accountStream } from '@annals/kernel/domain';
import type { UserId } from '@annals/kernel/domain';
import {
  AccountCreated,
  AddressChanged,
  AvatarChanged,
  BotDefaultsChanged,
  BotOwnerChanged,
  Deactivated,
  FirstLoggedIn,
  FullNameChanged,
  OwnSettingsChanged,
  ProfileDeleted,
  Reactivated,
  RoleChanged,
  SpecialPermissionsChanged,
} from '../../domain/events';
import { ownSettingsAggregate } from '../../domain/settings/own-settings';

/**
 * Accounts at an earlier position. A deleted profile stays deleted. The `version` is not that of then, because events
 * that change nothing else are not read.
 */
export const usersPast: TablePast = {
  streams: ({ user_id }) => [accountStream(user_id as UserId), ownSettingsAggregate.stream(user_id as UserId)],
  types: [
    AccountCreated,
    FullNameChanged,
    AddressChanged,
    SpecialPermissionsChanged,
    RoleChanged,
    Deactivated,
    Reactivated,
    OwnSettingsChanged,
    FirstLoggedIn,
    BotOwnerChanged,
    BotDefaultsChanged,
    AvatarChanged,
  ],
  lasting: [ProfileDeleted],
};

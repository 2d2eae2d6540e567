import type { TablePast } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { accountStream } from '@annals/kernel/domain';
import { ProfileDeleted } from '../../domain/events';
import {
  ProfileFieldChoicesChanged,
  ProfileFieldDeleted,
  ProfileValueCleared,
  ProfileValueSet,
} from '../../domain/profile/profile-events';
import { profileAggregate } from '../../domain/profile/profile-values';

/** Values of profile fields at an earlier position. Those of a deleted profile stay deleted. */
export const profileValuesPast: TablePast = {
  streams: ({ user_id }) => [
    profileAggregate.stream(user_id as UserId),
    'profile-fields',
    accountStream(user_id as UserId),
  ],
  types: [ProfileValueSet, ProfileValueCleared, ProfileFieldChoicesChanged, ProfileFieldDeleted],
  lasting: [ProfileDeleted],
  // Anybody may have had a value that was removed with its field or choice.
  deletedSince: `SELECT u.user_id FROM view.users AS u WHERE u.realm_id = $1 AND u.bot_type IS NULL AND NOT u.is_deleted
    AND EXISTS (SELECT FROM view.profile_removals AS r WHERE r.realm_id = $1 AND r.position > $2)`,
};

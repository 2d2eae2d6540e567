import type { FeedReader } from '@annals/kernel';
import type { Position, Recorded, UserId } from '@annals/kernel/domain';
import { userAggregate } from '../../domain/account/account';
import { EmailVisibility } from '../../domain/email/email-visibility';
import type { AccountCreated, AddressChanged, OwnSettingsChanged, ProfileDeleted } from '../../domain/events';
import { erasedEmail } from '../../domain/account/names';
import { ownSettingsAggregate } from '../../domain/settings/own-settings';
import type { UserRow } from '../account/user-row';

/**
 * An account with its email and email visibility right after the event at a position. All else is as in the row.
 * Undefined when it did not exist yet.
 */
export type EmailsAt = (user: UserRow, position: Position) => UserRow | undefined;

/** One change of an email or of its visibility. */
type Change = { readonly position: Position } & Partial<Pick<UserRow, 'deliveryEmail' | 'addressVisibility'>>;

/**
 * Emails at positions from `first` on: a late delivery must not reveal an email that the user could not see then.
 * Nothing is read for accounts whose email has not changed since.
 */
export async function readEmailsAt(reader: FeedReader, users: Iterable<UserRow>, first: Position): Promise<EmailsAt> {
  const histories = new Map<UserId, readonly Change[]>();
  for (const { userId, addressPosition } of users) {
    if (addressPosition > first) histories.set(userId, await historyOf(reader, userId));
  }
  return (user, position) => {
    const history = histories.get(user.userId);
    if (!history) return user;
    const changes = history.filter((change) => change.position <= position).map(({ position: _, ...change }) => change);
    if (changes.length === 0) return undefined;
    return { ...user, addressVisibility: EmailVisibility.everyone, ...(Object.assign({}, ...changes) as object) };
  };
}

async function historyOf(reader: FeedReader, userId: UserId): Promise<Change[]> {
  const account = await reader.stream(userAggregate.stream(userId));
  const chosen = await reader.stream(ownSettingsAggregate.stream(userId));
  return [...account.flatMap(emailIn), ...chosen.flatMap(visibilityIn)].sort((a, b) => a.position - b.position);
}

function emailIn(event: Recorded): Change[] {
  if (event.type === 'users.ProfileDeleted') {
    const { data, position } = event as Recorded<ProfileDeleted>;
    const hidden = { addressVisibility: EmailVisibility.nobody };
    return [{ position, deliveryEmail: erasedEmail(data.userId), ...hidden }];
  }
  if (event.type !== 'users.AccountCreated' && event.type !== 'users.AddressChanged') return [];
  const { data, sealed, position } = event as Recorded<AccountCreated | AddressChanged>;
  return [{ position, deliveryEmail: sealed === 'erased' ? erasedEmail(data.userId) : sealed.email }];
}

function visibilityIn(event: Recorded): Change[] {
  const { data, position } = event as Recorded<OwnSettingsChanged>;
  const { email_address_visibility: addressVisibility } = data.settings;
  return addressVisibility === undefined ? [] : [{ position, addressVisibility }];
}

import type { Actor, BotType, Position, Recorded, Role, UserId, Verdict } from '@annals/kernel/domain';
import { defineAggregate, ensure, fact } from '@annals/kernel/domain';
import type { Avatar, BotDefaults } from './account-parts';
import { FIRST_AVATAR, NO_BOT_DEFAULTS } from './account-parts';
import type { EmailRules } from '../email/email';
import { changeEmail } from '../email/email';
import type { AccountEvent, KeyId, AddressChanged } from '../events';
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
} from '../events';
import { checkedFullName, nameKey } from './names';
import { mayAdministerBot, mayChangeEmails, mayChangeRole, mayDeactivate, mayEditUsers } from '../policies';
import type { ValuePatch } from '../profile/profile-values';
import { reject } from '../rejections';

/** An account as the rules need it. */
export interface Account {
  readonly userId: UserId;
  readonly role: Role;
  readonly isActive: boolean;
  /** Nothing is known any more of who it belonged to. */
  readonly isDeleted: boolean;
  /** Where in the log it ended; null while it is active. */
  readonly goneSince: Position | null;
  readonly botType: BotType | null;
  readonly botOwnerId: UserId | null;
  readonly isSystemBot: boolean;
  readonly fullName: string;
  /** The real address; null once it was erased. */
  readonly email: string | null;
  readonly canCreateUsers: boolean;
  readonly canChangeUserEmails: boolean;
  readonly awaitsFirstLogin: boolean;
  /** Brought along from elsewhere. */
  readonly isImported: boolean;
  /** In the order in which they were issued. */
  readonly keys: readonly KeyId[];
  /** Bots it owns, deactivated ones included. */
  readonly bots: readonly UserId[];
  readonly avatar: Avatar;
  /** People have none. */
  readonly botDefaults: BotDefaults;
}

/** The name of an account whose texts were erased. */
export const ERASED_NAME = 'Deleted user';

/** Keys an account can have at once; each login makes one. */
export const MAX_KEYS = 50;

type Happened = Exclude<Recorded<AccountEvent>, { type: 'users.AccountCreated' }>;

export const userAggregate = defineAggregate<Account | null, AccountEvent, UserId>('user', null, (account, event) => {
  if (event.type === 'users.AccountCreated') {
    const { userId, role, botType, botOwnerId, isSystemBot, awaitsFirstLogin } = event.data;
    const { canCreateUsers, canChangeUserEmails, isImported = false } = event.data;
    const fullName = event.sealed === 'erased' ? ERASED_NAME : event.sealed.fullName;
    const parts = { keys: [], bots: [], avatar: FIRST_AVATAR, botDefaults: NO_BOT_DEFAULTS };
    const fresh = { isActive: true, isDeleted: false, goneSince: null, ...parts };
    const permissions = { canCreateUsers, canChangeUserEmails };
    const words = { fullName, email: emailOf(event) };
    const origin = { isSystemBot, awaitsFirstLogin, isImported };
    return { userId, role, botType, botOwnerId, ...origin, ...permissions, ...words, ...fresh };
  }
  return account && { ...account, ...changed(account, event) };
});

const emailOf = ({ sealed }: { readonly sealed: { readonly email: string } | 'erased' }): string | null =>
  sealed === 'erased' ? null : sealed.email;

function changed(account: Account, event: Happened): Partial<Account> {
  switch (event.type) {
    case 'users.BotAcquired':
      return { bots: [...account.bots, event.data.botId] };
    case 'users.BotReleased':
      return { bots: account.bots.filter((bot) => bot !== event.data.botId) };
    case 'users.BotOwnerChanged':
      return { botOwnerId: event.data.to };
    case 'users.BotDefaultsChanged':
      return { botDefaults: { ...account.botDefaults, ...event.data.defaults } };
    case 'users.AvatarChanged':
      return { avatar: { file: event.data.file, version: event.data.version } };
    case 'users.FullNameChanged':
      return { fullName: event.sealed === 'erased' ? ERASED_NAME : event.sealed.fullName };
    case 'users.AddressChanged':
      return { email: emailOf(event) };
    case 'users.SpecialPermissionsChanged': {
      const { canCreateUsers, canChangeUserEmails } = event.data;
      return { canCreateUsers, canChangeUserEmails };
    }
    case 'users.RoleChanged':
      return { role: event.data.to };
    case 'users.Deactivated':
      return { isActive: false, goneSince: event.position };
    case 'users.Reactivated':
      return { isActive: true, goneSince: null };
    case 'users.ProfileDeleted':
      return { isDeleted: true, fullName: ERASED_NAME, email: null };
    case 'users.MessagesDisowned':
    case 'users.PasswordSet':
      return {};
    case 'users.ApiKeyIssued':
      return { keys: [...account.keys, event.data.keyId] };
    case 'users.ApiKeysRevoked': {
      const revoked = new Set(event.data.keyIds);
      return { keys: account.keys.filter((key) => !revoked.has(key)) };
    }
    case 'users.FirstLoggedIn':
      return { awaitsFirstLogin: false };
  }
}

export type NewAccount = AccountCreated['data'] & AccountCreated['sealed'];

/** What the organization's other accounts say about a new or a renamed one; the append must guard both. */
export interface Uniqueness {
  readonly emailTaken: boolean;
  /** False where the organization allows equal names. */
  readonly nameTaken: boolean;
}

/** What the organization says about a new account. */
export interface Admission extends Uniqueness {
  /** Whether the organization wants addresses like this one. */
  readonly address: Verdict;
}

/**
 * Opens an account (contract/users.md sections 3 and 7).
 *
 * @throws Rejected for a bad name, an address that is unwanted, or a name or address that is in use
 */
export function openAccount(
  state: Account | null,
  { email, fullName, ...data }: NewAccount,
  rules: Admission,
): AccountCreated[] {
  if (state) throw new Error(`account ${state.userId} exists already`);
  const name = checkedFullName(fullName);
  ensure(rules.address);
  if (rules.emailTaken) throw data.botType === null ? reject.emailTaken() : reject.usernameTaken();
  if (rules.nameTaken) throw reject.nameTaken();
  return [fact(AccountCreated, data, { email, fullName: name })];
}

/** Records with the owner that a bot is theirs; refused for a deactivated owner. */
export function acquireBot(owner: Account | null, botId: UserId): BotAcquired[] {
  const { userId, isActive } = known(owner);
  if (!isActive) throw reject.accountDeactivated();
  return [fact(BotAcquired, { userId, botId })];
}

/** Whether a requested name differs from the present one; a blank one does not. */
export const isOtherName = (account: Pick<Account, 'fullName'>, wished: string | undefined): wished is string =>
  wished !== undefined && wished.trim() !== '' && wished.trim() !== account.fullName;

/** Whether another name is also another one where names must be unique. */
export const claimsName = (account: Pick<Account, 'fullName'>, wished: string): boolean =>
  nameKey(wished.trim()) !== nameKey(account.fullName);

export type AccountChange = FullNameChanged | RoleChanged | AddressChanged;

/** What an administrator may change of an account in one request. */
export interface AccountPatch {
  readonly fullName?: string | undefined;
  readonly role?: Role | undefined;
  readonly email?: string | undefined;
  /** Decided in the stream of the profile. */
  readonly profileData?: readonly ValuePatch[];
}

/**
 * Changes name, role and address of an account, all or nothing; deactivated ones too (contract/users.md section 4).
 *
 * @param rules.isLastOwner whether there is no other active owner among people; the append must guard it
 * @throws Rejected for the first part that is refused
 */
export function updateAccount(
  state: Account | null,
  wish: AccountPatch,
  actor: Pick<Actor, 'role' | 'canChangeUserEmails'>,
  rules: { readonly nameTaken: boolean; readonly isLastOwner: boolean; readonly address: EmailRules },
): AccountChange[] {
  ensure(mayEditUsers(actor));
  const account = known(state);
  if (account.isDeleted) throw reject.isDeleted();
  if (account.botType !== null && wish.profileData?.length) throw reject.noProfileOfBots();
  const { userId, role: from, isActive } = account;
  const facts: AccountChange[] = [];
  if (isOtherName(account, wish.fullName)) {
    const fullName = checkedFullName(wish.fullName);
    if (rules.nameTaken) throw reject.nameTaken();
    facts.push(fact(FullNameChanged, { userId }, { fullName }));
  }
  if (wish.role !== undefined && wish.role !== from) {
    ensure(mayChangeRole(actor, from, wish.role, rules.isLastOwner));
    facts.push(fact(RoleChanged, { userId, from, to: wish.role, isActive }));
  }
  if (wish.email === undefined) return facts;
  ensure(mayChangeEmails(actor));
  return [...facts, ...changeEmail(account, wish.email, rules.address)];
}

/** Ends a person's account; bots have a way of their own (contract/users.md section 5). */
export function deactivate(
  state: Account | null,
  actor: Pick<Actor, 'role'>,
  rules: { readonly isLastOwner: boolean },
): Deactivated[] {
  const account = known(state);
  if (account.botType !== null) throw reject.noSuchUser();
  if (!account.isActive) throw reject.isDeactivated();
  ensure(mayDeactivate(actor, account, rules.isLastOwner));
  return [deactivated(account)];
}

/** Deactivates a bot; a deactivated one does not change (contract/users.md section 7). */
export function deactivateBot(state: Account | null, actor: Pick<Actor, 'userId' | 'role'>): Deactivated[] {
  if (!state || state.isSystemBot || state.botType === null) throw reject.noSuchBot();
  ensure(mayAdministerBot(actor, state));
  return state.isActive ? [deactivated(state)] : [];
}

/** Deactivates a bot together with its owner. */
export const deactivateWithOwner = (bot: Account | null): Deactivated[] => (bot?.isActive ? [deactivated(bot)] : []);

export const deactivated = ({ userId, role, botOwnerId }: Account) => fact(Deactivated, { userId, role, botOwnerId });

export const setPassword = (state: Account | null): PasswordSet[] => [
  fact(PasswordSet, { userId: known(state).userId }),
];

/**
 * Issues a key. At the limit, the least recently used key ends.
 *
 * @param leastRecentlyUsed the account's keys, the one unused for longest first; needed at the limit only
 */
export function issueKey(
  state: Account | null,
  keyId: KeyId,
  leastRecentlyUsed: readonly KeyId[],
): (ApiKeysRevoked | ApiKeyIssued)[] {
  const { userId, keys } = known(state);
  const surplus = leastRecentlyUsed.slice(0, Math.max(0, keys.length + 1 - MAX_KEYS));
  const issued = fact(ApiKeyIssued, { userId, keyId });
  return surplus.length === 0 ? [issued] : [fact(ApiKeysRevoked, { userId, keyIds: surplus }), issued];
}

/** Another key in the place of all there are: each of them ends (contract/boot.md section 2.2). */
export function regenerateKey(state: Account | null, keyId: KeyId): (ApiKeysRevoked | ApiKeyIssued)[] {
  const account = known(state);
  if (!account.isActive) throw reject.accountDeactivated();
  return keyReplaced(account, keyId);
}

/** One key in the place of all that an account has. */
export function keyReplaced({ userId, keys }: Account, keyId: KeyId): (ApiKeysRevoked | ApiKeyIssued)[] {
  const issued = fact(ApiKeyIssued, { userId, keyId });
  return keys.length === 0 ? [issued] : [fact(ApiKeysRevoked, { userId, keyIds: [...keys] }), issued];
}

/** Issues one more key; refused for a deactivated account. */
export function grantKey(state: Account | null, keyId: KeyId, leastRecentlyUsed: readonly KeyId[]): AccountEvent[] {
  if (!known(state).isActive) throw reject.accountDeactivated();
  return issueKey(state, keyId, leastRecentlyUsed);
}

/** Issues a key after a login (contract/boot.md section 2.2). */
export const logIn = (state: Account | null, keyId: KeyId, leastRecentlyUsed: readonly KeyId[]): AccountEvent[] => [
  ...firstLogin(state),
  ...grantKey(state, keyId, leastRecentlyUsed),
];

/** The first use of an account that another user created; later ones are no facts (contract/users.md section 1). */
export function firstLogin(state: Account | null): FirstLoggedIn[] {
  const { userId, isActive, awaitsFirstLogin, isImported } = known(state);
  if (!isActive || !awaitsFirstLogin) return [];
  return [fact(FirstLoggedIn, { userId, ...(isImported && { wasImported: true as const }) })];
}

/** @throws Rejected when there is no such account, or it is the system's own */
export function known(state: Account | null): Account {
  if (!state || state.isSystemBot) throw reject.noSuchUser();
  return state;
}

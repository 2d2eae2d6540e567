import type { Actor, BotType, Recorded, Role, UserId, Verdict } from '@annals/kernel/domain';
import { defineAggregate, ensure, fact } from '@annals/kernel/domain';
import type { AccountStatus, Avatar, BotDefaults, OrphanedBefore } from './account-parts';
import { ACTIVE, FIRST_PARTS, isActive, orphanedAfter } from './account-parts';
import type { EmailRules } from '../email/email';
import { changeEmail } from '../email/email';
import type { AccountEvent, AddressChanged, ApiKeyIssued, ApiKeysRevoked, KeyId } from '../events';
import { AccountCreated, BotAcquired, Deactivated, FullNameChanged, PasswordSet, RoleChanged } from '../events';
import type { SessionBegan, SessionId, SessionsEnded } from '../sign-in/session-events';
import { checkedFullName, personKey } from './names';
import { mayAdministerBot, mayChangeEmails, mayChangeRole, mayDeactivate, mayEditUsers } from '../policies';
import type { ValuePatch } from '../profile/profile-values';
import { reject } from '../rejections';

/** An account as the rules need it. */
export interface Account {
  readonly userId: UserId;
  readonly role: Role;
  readonly status: AccountStatus;
  readonly orphaned: OrphanedBefore;
  readonly botType: BotType | null;
  readonly botOwnerId: UserId | null;
  readonly isSystemBot: boolean;
  readonly fullName: string;
  /** The real email. Null once it was erased. */
  readonly email: string | null;
  readonly canCreateUsers: boolean;
  readonly canChangeUserEmails: boolean;
  readonly awaitsFirstLogin: boolean;
  /** Imported from another server. */
  readonly isImported: boolean;
  /** In the order of their creation. */
  readonly keys: readonly KeyId[];
  /** Sessions of browsers that have not ended, in the order in which they began. Some may have expired. */
  readonly sessions: readonly SessionId[];
  /** Bots that it owns, also deactivated ones. */
  readonly bots: readonly UserId[];
  readonly avatar: Avatar;
  /** Null for people. */
  readonly botDefaults: BotDefaults;
}

/** The name of an account whose texts were erased. */
export const ERASED_NAME = 'Deleted user';

type Happened = Exclude<Recorded<AccountEvent>, { type: 'users.AccountCreated' }>;

export const userAggregate = defineAggregate<Account | null, AccountEvent, UserId>('user', null, (account, event) => {
  if (event.type === 'users.AccountCreated') {
    const { userId, role, botType, botOwnerId, isSystemBot, awaitsFirstLogin } = event.data;
    const { isImported = false } = event.data;
    const fullName = event.sealed === 'erased' ? ERASED_NAME : event.sealed.fullName;
    const fresh = { keys: [], sessions: [], bots: [], ...FIRST_PARTS };
    const avatar = { ...FIRST_PARTS.avatar, file: event.data.avatarFile ?? null };
    const permissions = specialPermissionsOf(event.data);
    const words = { fullName, email: emailOf(event) };
    const origin = { isSystemBot, awaitsFirstLogin, isImported };
    return { userId, role, botType, botOwnerId, ...origin, ...permissions, ...words, ...fresh, avatar };
  }
  return account && { ...account, ...changed(account, event) };
});

const emailOf = ({ sealed }: { readonly sealed: { readonly email: string } | 'erased' }): string | null =>
  sealed === 'erased' ? null : sealed.email;

const specialPermissionsOf = ({
  canCreateUsers,
  canChangeUserEmails,
}: Pick<Account, 'canCreateUsers' | 'canChangeUserEmails'>) => ({ canCreateUsers, canChangeUserEmails });

function keysAfter(keys: readonly KeyId[], event: ApiKeyIssued | ApiKeysRevoked): readonly KeyId[] {
  return event.type === 'users.ApiKeyIssued' ? [...keys, event.data.keyId] : without(keys, event.data.keyIds);
}

function sessionsAfter(sessions: readonly SessionId[], event: SessionBegan | SessionsEnded): readonly SessionId[] {
  if (event.type === 'users.SessionBegan') return [...sessions, event.data.sessionId];
  return without(sessions, event.data.sessionIds);
}

function without<Id>(ids: readonly Id[], ended: readonly Id[]): readonly Id[] {
  const gone = new Set(ended);
  return ids.filter((id) => !gone.has(id));
}

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
    case 'users.SpecialPermissionsChanged':
      return specialPermissionsOf(event.data);
    case 'users.RoleChanged':
      return { role: event.data.to };
    case 'users.Deactivated':
      return { status: { kind: 'deactivated', since: event.position } };
    case 'users.Reactivated':
      return { status: ACTIVE };
    case 'users.ProfileDeleted':
      return { status: { kind: 'deleted' }, fullName: ERASED_NAME, email: null };
    case 'users.MessagesDisowned':
      return { orphaned: orphanedAfter(account.orphaned, event) };
    case 'users.PasswordSet':
      return {};
    case 'users.ApiKeyIssued':
    case 'users.ApiKeysRevoked':
      return { keys: keysAfter(account.keys, event) };
    case 'users.SessionBegan':
    case 'users.SessionsEnded':
      return { sessions: sessionsAfter(account.sessions, event) };
    case 'users.FirstLoggedIn':
      return { awaitsFirstLogin: false };
  }
}

export type NewAccount = AccountCreated['data'] & AccountCreated['sealed'];

/** Facts about the organization's other accounts for a new or renamed one. The append must guard both. */
export interface UniquenessFacts {
  readonly emailTaken: boolean;
  /** False if the organization allows equal names. */
  readonly nameTaken: boolean;
}

/** Rules of the organization for a new account. */
export interface Admission extends UniquenessFacts {
  /** Whether the organization allows this email. */
  readonly address: Verdict;
}

/**
 * Opens an account (contract/users.md sections 3 and 7).
 *
 * @throws Rejected for an invalid name, an email that is not allowed, or a name or email that is in use
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

/** Records with the owner that a bot is theirs. Refused for a deactivated owner. */
export function acquireBot(owner: Account | null, botId: UserId): BotAcquired[] {
  const account = known(owner);
  if (!isActive(account)) throw reject.accountDeactivated();
  return [fact(BotAcquired, { userId: account.userId, botId })];
}

/** Whether a requested name differs from the present one. A blank one does not. */
export const isOtherName = (account: Pick<Account, 'fullName'>, requested: string | undefined): requested is string =>
  requested !== undefined && requested.trim() !== '' && requested.trim() !== account.fullName;

/** Whether a new name has to be claimed if names must be unique. */
export const claimsName = (account: Pick<Account, 'fullName'>, requested: string): boolean =>
  personKey(requested.trim()) !== personKey(account.fullName);

export type AccountChange = FullNameChanged | RoleChanged | AddressChanged;

/** The fields of an account that an administrator may change in one request. */
export interface AccountPatch {
  readonly fullName?: string | undefined;
  readonly role?: Role | undefined;
  readonly email?: string | undefined;
  /** Decided in the stream of the profile. */
  readonly profileData?: readonly ValuePatch[];
}

/**
 * Changes name, role and email of an account, all or nothing, also of deactivated ones (contract/users.md section 4).
 *
 * @param rules.isLastOwner whether there is no other active owner among people. The append must guard it
 * @throws Rejected for the first part that is refused
 */
export function updateAccount(
  state: Account | null,
  input: AccountPatch,
  actor: Pick<Actor, 'role' | 'canChangeUserEmails'>,
  rules: { readonly nameTaken: boolean; readonly isLastOwner: boolean; readonly address: EmailRules },
): AccountChange[] {
  ensure(mayEditUsers(actor));
  const account = known(state);
  if (account.status.kind === 'deleted') throw reject.isDeleted();
  if (account.botType !== null && input.profileData?.length) throw reject.noProfileOfBots();
  const { userId, role: from } = account;
  const facts: AccountChange[] = [];
  if (isOtherName(account, input.fullName)) {
    const fullName = checkedFullName(input.fullName);
    if (rules.nameTaken) throw reject.nameTaken();
    facts.push(fact(FullNameChanged, { userId }, { fullName }));
  }
  if (input.role !== undefined && input.role !== from) {
    ensure(mayChangeRole(actor, from, input.role, rules.isLastOwner));
    facts.push(fact(RoleChanged, { userId, from, to: input.role, isActive: isActive(account) }));
  }
  if (input.email === undefined) return facts;
  ensure(mayChangeEmails(actor));
  return [...facts, ...changeEmail(account, input.email, rules.address)];
}

/** Deactivates a person's account. Bots have a decision of their own (contract/users.md section 5). */
export function deactivateAccount(
  state: Account | null,
  actor: Pick<Actor, 'role'>,
  rules: { readonly isLastOwner: boolean },
): Deactivated[] {
  const account = known(state);
  if (account.botType !== null) throw reject.noSuchUser();
  if (!isActive(account)) throw reject.isDeactivated();
  ensure(mayDeactivate(actor, account, rules.isLastOwner));
  return [deactivated(account)];
}

/** Deactivates a bot. A deactivated one does not change (contract/users.md section 7). */
export function deactivateBot(state: Account | null, actor: Pick<Actor, 'userId' | 'role'>): Deactivated[] {
  if (!state || state.isSystemBot || state.botType === null) throw reject.noSuchBot();
  ensure(mayAdministerBot(actor, state));
  return isActive(state) ? [deactivated(state)] : [];
}

/** Deactivates a bot together with its owner. */
export const deactivateWithOwner = (bot: Account | null): Deactivated[] =>
  bot && isActive(bot) ? [deactivated(bot)] : [];

export const deactivated = ({ userId, role, botOwnerId }: Account) => fact(Deactivated, { userId, role, botOwnerId });

export const setPassword = (state: Account | null): PasswordSet[] => [
  fact(PasswordSet, { userId: known(state).userId }),
];

/** @throws Rejected when there is no such account, or it is the system's own */
export function known(state: Account | null): Account {
  if (!state || state.isSystemBot) throw reject.noSuchUser();
  return state;
}

import type { Actor, Role, UserId } from '@annals/kernel/domain';
import { allowedIf, ensure, fact } from '@annals/kernel/domain';
import type { Account } from './account';
import { isOtherName } from './account';
import { MAX_KEYS, issueKey, keyReplaced } from '../sign-in/keys';
import { avatarChanged } from '../profile/avatar';
import type { BotDefaults } from './account-parts';
import { isActive } from './account-parts';
import { changeEmail } from '../email/email';
import type { AddressChanged, ApiKeyIssued, ApiKeysRevoked, AvatarChanged, KeyId } from '../events';
import { BotDefaultsChanged, BotOwnerChanged, BotReleased, FullNameChanged, RoleChanged } from '../events';
import { checkedFullName } from './names';
import { mayAdministerBot, mayChangeBotRole, mayPassBotOn } from '../policies';
import { reject } from '../rejections';

/** The fields of a bot that one request may change. */
export interface BotChange {
  readonly fullName?: string | undefined;
  /** Its new address. */
  readonly email?: string | undefined;
  /** Values for the service behind it, by their keys. */
  readonly config?: Readonly<Record<string, string>> | undefined;
  readonly role?: Role | undefined;
  readonly ownerId?: UserId | undefined;
  /** The name of the files of its new picture. */
  readonly avatarFile?: string | undefined;
  readonly defaults?: Partial<BotDefaults> | undefined;
}

/** Facts about other accounts for the change of a bot. */
export interface BotChangeRules {
  /** Another account has the new name, and names must be unique. The append must guard it. */
  readonly nameTaken: boolean;
  /** Another account has the new address. The append must guard it. */
  readonly emailTaken: boolean;
  /** The new owner, if the actor may see that account. The append must depend on it. */
  readonly newOwner: Account | null;
}

/**
 * Changes a bot, all of the patch or nothing. A deactivated bot can be changed, a deleted one cannot (contract/users.md
 * section 7).
 *
 * @throws Rejected for the first part that is refused
 */
export function changeBot(
  state: Account | null,
  input: BotChange,
  actor: Pick<Actor, 'userId' | 'role'>,
  { nameTaken, emailTaken, newOwner }: BotChangeRules,
): (FullNameChanged | AddressChanged | RoleChanged | BotOwnerChanged | AvatarChanged | BotDefaultsChanged)[] {
  const bot = administeredBot(state, actor);
  const { userId, role: from } = bot;
  const facts: ReturnType<typeof changeBot> = [];
  if (Object.keys(input.config ?? {}).length > 0) throw reject.unknownConfiguration();
  if (isOtherName(bot, input.fullName)) {
    const fullName = checkedFullName(input.fullName);
    if (nameTaken) throw reject.nameTaken();
    facts.push(fact(FullNameChanged, { userId }, { fullName }));
  }
  if (input.email !== undefined) {
    const rules = { address: allowedIf(!emailTaken, reject.usernameTaken), taken: false };
    facts.push(...changeEmail(bot, input.email, rules));
  }
  if (input.role !== undefined && input.role !== from) {
    ensure(mayChangeBotRole(actor, from, input.role));
    facts.push(fact(RoleChanged, { userId, from, to: input.role, isActive: isActive(bot) }));
  }
  if (input.ownerId !== undefined && input.ownerId !== bot.botOwnerId) {
    ensure(mayPassBotOn(actor, bot));
    facts.push(...giveBot(bot, input.ownerId, newOwner));
  }
  if (input.avatarFile !== undefined) facts.push(...avatarChanged(bot, input.avatarFile));
  return [...facts, ...botDefaultsChanged({ ...bot, botOwnerId: input.ownerId ?? bot.botOwnerId }, input.defaults)];
}

/** Changes the default channels of a bot; equal values are left out. */
export function botDefaultsChanged(bot: Account, requested: Partial<BotDefaults> = {}): BotDefaultsChanged[] {
  const { userId, botOwnerId, botDefaults } = bot;
  const names = Object.keys(botDefaults) as (keyof BotDefaults)[];
  const changed = names.filter((name) => requested[name] !== undefined && requested[name] !== botDefaults[name]);
  if (changed.length === 0) return [];
  const defaults = Object.fromEntries(changed.map((name) => [name, requested[name]]));
  return [fact(BotDefaultsChanged, { userId, botOwnerId, isActive: isActive(bot), defaults })];
}

/**
 * Gives a bot to an active person; no change if it is theirs.
 *
 * @throws Rejected when there is no such person, or they are deactivated or a bot
 */
export function giveBot(bot: Account, to: UserId, newOwner: Account | null): BotOwnerChanged[] {
  const { userId, botOwnerId: from } = bot;
  if (to === from) return [];
  if (!newOwner || newOwner.isSystemBot) throw reject.noSuchNewOwner();
  if (newOwner.botType !== null) throw reject.newOwnerIsBot();
  if (!isActive(newOwner)) throw reject.newOwnerDeactivated();
  return [fact(BotOwnerChanged, { userId, from, to, isActive: isActive(bot) })];
}

/** Records with the former owner that a bot is no longer theirs. */
export const releaseBot = (owner: Account | null, botId: UserId): BotReleased[] =>
  owner?.bots.includes(botId) ? [fact(BotReleased, { userId: owner.userId, botId })] : [];

/** One key in place of all keys of a bot, also of a deactivated one (contract/permissions.md section 7). */
export function renewBotKey(
  state: Account | null,
  keyId: KeyId,
  actor: Pick<Actor, 'userId' | 'role'>,
): (ApiKeysRevoked | ApiKeyIssued)[] {
  const bot = administeredBot(state, actor);
  ensure(mayPassBotOn(actor, bot));
  return keyReplaced(bot, keyId);
}

/**
 * One more key of a bot, also of a deactivated one. At the limit, the oldest key that nobody has used ends.
 *
 * @param neverUsed the bot's keys that were never used, the oldest first; needed at the limit only
 * @throws Rejected as for a new key in place of all, and if all keys are used
 */
export function issueBotKey(
  state: Account | null,
  keyId: KeyId,
  neverUsed: readonly KeyId[],
  actor: Pick<Actor, 'userId' | 'role'>,
): (ApiKeysRevoked | ApiKeyIssued)[] {
  const bot = administeredBot(state, actor);
  ensure(mayPassBotOn(actor, bot));
  if (bot.keys.length >= MAX_KEYS && neverUsed.length === 0) throw reject.tooManyKeys({ limit: MAX_KEYS });
  return issueKey(bot, keyId, neverUsed);
}

/**
 * @throws Rejected when it is no bot of the organization, was deleted, or belongs to another user and the actor is no
 *   administrator
 */
export function administeredBot(state: Account | null, actor: Pick<Actor, 'userId' | 'role'>): Account {
  if (!state || state.isSystemBot || state.botType === null) throw reject.noSuchBot();
  ensure(mayAdministerBot(actor, state));
  if (state.status.kind === 'deleted') throw reject.isDeleted();
  return state;
}

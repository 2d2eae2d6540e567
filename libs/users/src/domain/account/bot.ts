import type { Actor, Role, UserId } from '@annals/kernel/domain';
import { ensure, fact } from '@annals/kernel/domain';
import type { Account } from './account';
import { isOtherName, keyReplaced } from './account';
import { avatarChanged } from '../profile/avatar';
import type { BotDefaults } from './account-parts';
import type { ApiKeyIssued, ApiKeysRevoked, AvatarChanged, KeyId } from '../events';
import { BotDefaultsChanged, BotOwnerChanged, BotReleased, FullNameChanged, RoleChanged } from '../events';
import { checkedFullName } from './names';
import { mayAdministerBot, mayChangeBotRole, mayPassBotOn } from '../policies';
import { reject } from '../rejections';

/** What may be changed of a bot in one request. */
export interface BotChange {
  readonly fullName?: string | undefined;
  readonly role?: Role | undefined;
  readonly ownerId?: UserId | undefined;
  /** What the files of its new picture are called. */
  readonly avatarFile?: string | undefined;
  readonly defaults?: Partial<BotDefaults> | undefined;
}

/** What others say about the change of a bot. */
export interface BotChangeRules {
  /** Another account has the new name and the organization wants unique ones; the append must guard it. */
  readonly nameTaken: boolean;
  /** Who is to own it, as far as the actor may know them; the append must rest on their account. */
  readonly newOwner: Account | null;
}

/**
 * Changes a bot, all of the patch or nothing; a deactivated one too, but no deleted one (contract/users.md section 7).
 *
 * @throws Rejected for the first part that is refused
 */
export function changeBot(
  state: Account | null,
  wish: BotChange,
  actor: Pick<Actor, 'userId' | 'role'>,
  { nameTaken, newOwner }: BotChangeRules,
): (FullNameChanged | RoleChanged | BotOwnerChanged | AvatarChanged | BotDefaultsChanged)[] {
  const bot = administeredBot(state, actor);
  const { userId, role: from, isActive } = bot;
  const facts: ReturnType<typeof changeBot> = [];
  if (isOtherName(bot, wish.fullName)) {
    const fullName = checkedFullName(wish.fullName);
    if (nameTaken) throw reject.nameTaken();
    facts.push(fact(FullNameChanged, { userId }, { fullName }));
  }
  if (wish.role !== undefined && wish.role !== from) {
    ensure(mayChangeBotRole(actor, from, wish.role));
    facts.push(fact(RoleChanged, { userId, from, to: wish.role, isActive }));
  }
  if (wish.ownerId !== undefined && wish.ownerId !== bot.botOwnerId) {
    ensure(mayPassBotOn(actor, bot));
    facts.push(...giveBot(bot, wish.ownerId, newOwner));
  }
  if (wish.avatarFile !== undefined) facts.push(...avatarChanged(bot, wish.avatarFile));
  return [...facts, ...botDefaultsChanged({ ...bot, botOwnerId: wish.ownerId ?? bot.botOwnerId }, wish.defaults)];
}

/** Changes the default channels of a bot; equal values are left out. */
export function botDefaultsChanged(bot: Account, wished: Partial<BotDefaults> = {}): BotDefaultsChanged[] {
  const { userId, botOwnerId, isActive, botDefaults } = bot;
  const names = Object.keys(botDefaults) as (keyof BotDefaults)[];
  const changed = names.filter((name) => wished[name] !== undefined && wished[name] !== botDefaults[name]);
  if (changed.length === 0) return [];
  const defaults = Object.fromEntries(changed.map((name) => [name, wished[name]]));
  return [fact(BotDefaultsChanged, { userId, botOwnerId, isActive, defaults })];
}

/**
 * Gives a bot to an active person; no change if it is theirs.
 *
 * @throws Rejected when there is no such person, or they are deactivated or a bot
 */
export function giveBot(bot: Account, to: UserId, newOwner: Account | null): BotOwnerChanged[] {
  const { userId, botOwnerId: from, isActive } = bot;
  if (to === from) return [];
  if (!newOwner || newOwner.isSystemBot) throw reject.noSuchNewOwner();
  if (newOwner.botType !== null) throw reject.newOwnerIsBot();
  if (!newOwner.isActive) throw reject.newOwnerDeactivated();
  return [fact(BotOwnerChanged, { userId, from, to, isActive })];
}

/** Records with the former owner that a bot is no longer theirs. */
export const releaseBot = (owner: Account | null, botId: UserId): BotReleased[] =>
  owner?.bots.includes(botId) ? [fact(BotReleased, { userId: owner.userId, botId })] : [];

/** Another key in the place of all that a bot had; also of one that has ended (contract/permissions.md section 7). */
export function renewBotKey(
  state: Account | null,
  keyId: KeyId,
  actor: Pick<Actor, 'userId' | 'role'>,
): (ApiKeysRevoked | ApiKeyIssued)[] {
  const bot = administeredBot(state, actor);
  ensure(mayPassBotOn(actor, bot));
  return keyReplaced(bot, keyId);
}

/** @throws Rejected when it is no bot of the organization's, was deleted, or is not theirs and they no administrator */
export function administeredBot(state: Account | null, actor: Pick<Actor, 'userId' | 'role'>): Account {
  if (!state || state.isSystemBot || state.botType === null) throw reject.noSuchBot();
  ensure(mayAdministerBot(actor, state));
  if (state.isDeleted) throw reject.isDeleted();
  return state;
}

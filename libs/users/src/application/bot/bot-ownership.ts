import type { Work } from '@annals/kernel';
import type { UserId } from '@annals/kernel/domain';
import { ensure } from '@annals/kernel/domain';
import { acquireBot, userAggregate } from '../../domain/account/account';
import { giveBot, releaseBot } from '../../domain/account/bot';
import { mayPassBotOn } from '../../domain/policies';
import { reject } from '../../domain/rejections';

/**
 * Gives a bot to an active person, and records that with both owners. The caller checks permissions, except whether the
 * actor may give away the permissions of the bot.
 *
 * @throws Rejected when that is not allowed, or bot or person are unknown or deactivated
 */
export async function handOver(work: Work, botId: UserId, to: UserId): Promise<void> {
  const bot = await work.read(userAggregate, botId);
  const newOwner = await work.read(userAggregate, to);
  if (!bot || bot.isSystemBot || bot.botType === null) throw reject.noSuchBot();
  if (to !== bot.botOwnerId) ensure(mayPassBotOn(work.actor, bot));
  const given = await work.decide(userAggregate, botId, () => giveBot(bot, to, newOwner));
  if (given.length > 0) await recordWithOwners(work, botId, bot.botOwnerId, to);
}

/**
 * The account of each owner records its bots, so that a bot is deactivated with its owner, and not with a former one.
 */
export async function recordWithOwners(work: Work, botId: UserId, from: UserId | null, to: UserId): Promise<void> {
  if (from !== null) await work.decide(userAggregate, from, (owner) => releaseBot(owner, botId));
  await work.decide(userAggregate, to, (owner) => acquireBot(owner, botId));
}

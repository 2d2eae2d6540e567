import type { BotType } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import { refusalOf } from '../../testing/refusal';
import type { AccountAudience } from './audience';
import { admit } from './audience';

const caller = (role: Role, botType: BotType | null = null) => ({ role, botType });
const CALLERS = {
  owner: caller(Role.owner),
  administrator: caller(Role.administrator),
  moderator: caller(Role.moderator),
  member: caller(Role.member),
  guest: caller(Role.guest),
  bot: caller(Role.member, 1),
  ownerBot: caller(Role.owner, 1),
  webhook: caller(Role.owner, 2),
};

/** Error code for each caller who is refused. */
const REFUSED: Record<AccountAudience, Partial<Record<keyof typeof CALLERS, string>>> = {
  anyone: { webhook: 'UNAUTHORIZED' },
  'public-access': { webhook: 'UNAUTHORIZED' },
  members: { guest: 'BAD_REQUEST', webhook: 'UNAUTHORIZED' },
  humans: { bot: 'BAD_REQUEST', ownerBot: 'BAD_REQUEST', webhook: 'UNAUTHORIZED' },
  session: { bot: 'BAD_REQUEST', ownerBot: 'BAD_REQUEST', webhook: 'UNAUTHORIZED' },
  'human-members': { guest: 'BAD_REQUEST', bot: 'BAD_REQUEST', ownerBot: 'BAD_REQUEST', webhook: 'UNAUTHORIZED' },
  bots: {
    owner: 'BAD_REQUEST',
    administrator: 'BAD_REQUEST',
    moderator: 'BAD_REQUEST',
    member: 'BAD_REQUEST',
    guest: 'BAD_REQUEST',
    webhook: 'UNAUTHORIZED',
  },
  webhooks: {
    owner: 'UNAUTHORIZED',
    administrator: 'UNAUTHORIZED',
    moderator: 'UNAUTHORIZED',
    member: 'UNAUTHORIZED',
    guest: 'UNAUTHORIZED',
    bot: 'UNAUTHORIZED',
    ownerBot: 'UNAUTHORIZED',
  },
  administrators: {
    moderator: 'UNAUTHORIZED_PRINCIPAL',
    member: 'UNAUTHORIZED_PRINCIPAL',
    guest: 'UNAUTHORIZED_PRINCIPAL',
    bot: 'UNAUTHORIZED_PRINCIPAL',
    webhook: 'UNAUTHORIZED',
  },
  owners: {
    administrator: 'UNAUTHORIZED_PRINCIPAL',
    moderator: 'UNAUTHORIZED_PRINCIPAL',
    member: 'UNAUTHORIZED_PRINCIPAL',
    guest: 'UNAUTHORIZED_PRINCIPAL',
    bot: 'UNAUTHORIZED_PRINCIPAL',
    webhook: 'UNAUTHORIZED',
  },
};

describe.each(Object.entries(REFUSED))('an endpoint for %s', (audience, refused) => {
  it.each(Object.entries(CALLERS))('and %s', (name, actor) => {
    const code = refused[name as keyof typeof CALLERS];
    const refusal = refusalOf(() => admit(actor, audience as AccountAudience, false));
    expect(refusal?.code).toBe(code);
  });
});

it('an endpoint may admit incoming-webhook bots', () => {
  expect(() => admit(CALLERS.webhook, 'anyone', true)).not.toThrow();
});

import type { Actor, ChannelId, UserId } from '@annals/kernel/domain';
import { Role, allowed, fact } from '@annals/kernel/domain';
import { given } from '../../../../../test/support/events/recorded-events';
import type { Account, NewAccount } from './account';
import { acquireBot, deactivateBot, openAccount, userAggregate } from './account';
import { MAX_KEYS } from '../sign-in/keys';
import type { BotChange } from './bot';
import { changeBot, giveBot, issueBotKey, releaseBot, renewBotKey } from './bot';
import type { AccountEvent, KeyId } from '../events';
import { ApiKeyIssued, AvatarChanged, BotAcquired, BotOwnerChanged, BotReleased, Deactivated } from '../events';
import { AddressChanged, BotDefaultsChanged, FullNameChanged, ProfileDeleted, RoleChanged } from '../events';

const id = (user: number) => user as UserId;
const [ANN, BEN, BOT] = [id(7), id(8), id(9)];
const FILE = 'f'.repeat(32);

function account(requested: Partial<NewAccount>, ...later: AccountEvent[]): Account {
  const input: NewAccount = {
    userId: ANN,
    email: 'ann@example.com',
    fullName: 'Ann',
    role: Role.member,
    botType: null,
    botOwnerId: null,
    isSystemBot: false,
    awaitsFirstLogin: false,
    canCreateUsers: false,
    canChangeUserEmails: false,
    ...requested,
  };
  const opened = openAccount(null, input, { address: allowed, emailTaken: false, nameTaken: false });
  return given<Account | null, AccountEvent>(userAggregate, ...opened, ...later) as Account;
}
const ended = (userId: UserId) => fact(Deactivated, { userId, role: Role.member, botOwnerId: null });
const bot = (...later: AccountEvent[]) =>
  account({ userId: BOT, fullName: 'Bot', botType: 1, botOwnerId: ANN }, ...later);
const ben = (...later: AccountEvent[]) => account({ userId: BEN }, ...later);
const by = (userId: UserId, role: Role = Role.member): Pick<Actor, 'userId' | 'role'> => ({ userId, role });
const free = { nameTaken: false, emailTaken: false, newOwner: null };
const change = (input: BotChange, actor = by(ANN), rules: Parameters<typeof changeBot>[3] = free) =>
  changeBot(bot(), input, actor, rules);
const given9 = fact(BotOwnerChanged, { userId: BOT, from: ANN, to: BEN, isActive: true });

describe('changing a bot', () => {
  it('applies the whole patch', () => {
    const input = { fullName: ' Helper ', role: Role.moderator, ownerId: BEN, avatarFile: FILE };
    const rules = { ...free, newOwner: ben() };
    expect(changeBot(bot(), input, by(id(1), Role.administrator), rules)).toEqual([
      fact(FullNameChanged, { userId: BOT }, { fullName: 'Helper' }),
      fact(RoleChanged, { userId: BOT, from: Role.member, to: Role.moderator, isActive: true }),
      given9,
      fact(AvatarChanged, { userId: BOT, file: FILE, version: 2 }),
    ]);
  });

  it('changes its address, unless another account has it', () => {
    const email = 'aide-bot@example.com';
    expect(change({ email })).toEqual([fact(AddressChanged, { userId: BOT }, { email })]);
    expect(change({ email: 'ann@example.com' })).toEqual([]);
    expect(() => change({ email }, by(ANN), { ...free, emailTaken: true })).toThrow('Username already in use.');
    expect(() => change({ email }, by(BEN))).toThrow('Insufficient permission');
  });

  it('has no values for the service behind it', () => {
    expect(change({ config: {} })).toEqual([]);
    expect(() => change({ config: { key: 'value' } })).toThrow('Invalid configuration data!');
  });

  it('changes its default channels, and records only changes', () => {
    const [general, random] = [5 as ChannelId, 6 as ChannelId];
    const all = { sendingChannel: general, eventsChannel: random, allPublicChannels: true };
    const about = { userId: BOT, botOwnerId: ANN, isActive: true };
    expect(change({ defaults: all })).toEqual([fact(BotDefaultsChanged, { ...about, defaults: all })]);
    const listening = bot(fact(BotDefaultsChanged, { ...about, defaults: all }));
    const input = { defaults: { ...all, sendingChannel: null } };
    expect(changeBot(listening, input, by(ANN), free)).toEqual([
      fact(BotDefaultsChanged, { ...about, defaults: { sendingChannel: null } }),
    ]);
    expect(changeBot(listening, { defaults: all }, by(ANN), free)).toEqual([]);
    const passedOn = { ownerId: BEN, defaults: { allPublicChannels: false } };
    expect(changeBot(listening, passedOn, by(ANN), { ...free, newOwner: ben() })).toEqual([
      given9,
      fact(BotDefaultsChanged, { ...about, botOwnerId: BEN, defaults: { allPublicChannels: false } }),
    ]);
  });

  it('leaves no event for equal values', () => {
    expect(change({ fullName: 'Bot', role: Role.member, ownerId: ANN })).toEqual([]);
    expect(change({ fullName: ' ' })).toEqual([]);
    expect(change({})).toEqual([]);
  });

  it('is allowed to its owner and administrators', () => {
    expect(() => change({}, by(BEN, Role.moderator))).toThrow('Insufficient permission');
    expect(() => change({}, by(BOT))).toThrow('Insufficient permission');
    expect(change({ fullName: 'Other' }, by(BEN, Role.administrator))).toHaveLength(1);
  });

  it('is for bots', () => {
    for (const state of [null, ben(), account({ userId: BOT, botType: 1, isSystemBot: true })]) {
      expect(() => changeBot(state, {}, by(id(1), Role.owner), free)).toThrow('No such bot');
    }
  });

  it('is refused for a deleted bot', () => {
    const deleted = bot(ended(BOT), fact(ProfileDeleted, { userId: BOT }));
    for (const input of [{ fullName: 'Back' }, { avatarFile: FILE }, {}]) {
      expect(() => changeBot(deleted, input, by(ANN), free)).toThrow('User is deleted');
    }
    expect(() => renewBotKey(deleted, 4 as KeyId, by(ANN))).toThrow('User is deleted');
    expect(() => changeBot(deleted, {}, by(BEN), free)).toThrow('Insufficient permission');
  });

  it('allows role changes to administrators only', () => {
    expect(() => change({ role: Role.guest })).toThrow('Must be an organization administrator');
    expect(() => change({ role: Role.owner }, by(BEN, Role.administrator))).toThrow('Must be an organization owner');
    expect(change({ role: Role.owner }, by(BEN, Role.owner))).toHaveLength(1);
  });

  it('is restricted to owners for a bot with a special permission', () => {
    for (const permission of ['canCreateUsers', 'canChangeUserEmails']) {
      const trusted = { ...bot(), [permission]: true };
      for (const actor of [by(ANN), by(ANN, Role.administrator), by(BEN, Role.administrator)]) {
        expect(() => changeBot(trusted, {}, actor, free)).toThrow('Must be an organization owner');
        expect(() => renewBotKey(trusted, 4 as KeyId, actor)).toThrow('Must be an organization owner');
        expect(() => deactivateBot(trusted, actor)).toThrow('Must be an organization owner');
      }
      expect(() => changeBot(trusted, {}, by(BEN), free)).toThrow('Insufficient permission');
      expect(changeBot(trusted, { fullName: 'Other' }, by(BEN, Role.owner), free)).toHaveLength(1);
      expect(renewBotKey(trusted, 4 as KeyId, by(BEN, Role.owner))).toHaveLength(1);
    }
  });

  it('gives away the permissions of an owner only by owners, and by the owner of the bot', () => {
    const mighty = bot(fact(RoleChanged, { userId: BOT, from: Role.member, to: Role.owner, isActive: true }));
    const rules = { ...free, newOwner: ben() };
    const administrator = by(BEN, Role.administrator);
    expect(() => changeBot(mighty, { ownerId: BEN }, administrator, rules)).toThrow('Must be an organization owner');
    expect(() => renewBotKey(mighty, 4 as KeyId, administrator)).toThrow('Must be an organization owner');
    expect(changeBot(mighty, { ownerId: ANN, fullName: 'Other' }, administrator, free)).toHaveLength(1);
    for (const actor of [by(ANN), by(BEN, Role.owner)]) {
      expect(changeBot(mighty, { ownerId: BEN }, actor, rules)).toEqual([given9]);
      expect(renewBotKey(mighty, 4 as KeyId, actor)).toHaveLength(1);
    }
  });

  it('refuses an invalid name and a name in use', () => {
    expect(() => change({ fullName: 'a*b' })).toThrow('Invalid characters');
    expect(() => change({ fullName: 'Other' }, by(ANN), { ...free, nameTaken: true })).toThrow('Unique names');
  });
});

describe('giving a bot away', () => {
  it('requires an active person', () => {
    expect(giveBot(bot(), BEN, ben())).toEqual([given9]);
    expect(() => giveBot(bot(), BEN, null)).toThrow('no such user');
    expect(() => giveBot(bot(), BEN, account({ userId: BEN, botType: 1, isSystemBot: true }))).toThrow('no such user');
    expect(() => giveBot(bot(), BEN, account({ userId: BEN, botType: 1 }))).toThrow("bots can't own");
    expect(() => giveBot(bot(), BEN, ben(ended(BEN)))).toThrow('user is deactivated');
  });

  it('is recorded with both owners, so that the bot is deactivated with the new one', () => {
    const had = account({}, ...acquireBot(account({}), BOT), fact(BotAcquired, { userId: ANN, botId: id(10) }));
    const released = releaseBot(had, BOT);
    expect(released).toEqual([fact(BotReleased, { userId: ANN, botId: BOT })]);
    const after = account({}, fact(BotAcquired, { userId: ANN, botId: BOT }), ...released);
    expect([after.bots, releaseBot(after, BOT), releaseBot(null, BOT)]).toEqual([[], [], []]);
    expect(bot(given9)).toMatchObject({ botOwnerId: BEN });
    expect(deactivateBot(bot(given9), by(BEN))).toMatchObject([{ data: { botOwnerId: BEN } }]);
    expect(() => deactivateBot(bot(given9), by(ANN))).toThrow('Insufficient permission');
  });
});

describe('a new key of a bot', () => {
  it('replaces all its keys', () => {
    const keyed = bot(fact(ApiKeyIssued, { userId: BOT, keyId: 3 as KeyId }));
    expect(renewBotKey(keyed, 4 as KeyId, by(ANN))).toMatchObject([
      { type: 'users.ApiKeysRevoked', data: { keyIds: [3] } },
      { type: 'users.ApiKeyIssued', data: { userId: BOT, keyId: 4 } },
    ]);
    expect(renewBotKey(bot(), 4 as KeyId, by(id(1), Role.administrator))).toHaveLength(1);
    expect(() => renewBotKey(keyed, 4 as KeyId, by(BEN))).toThrow('Insufficient permission');
    expect(() => renewBotKey(ben(), 4 as KeyId, by(BEN))).toThrow('No such bot');
  });
});

describe('one more key of a bot', () => {
  const issued = (key: number) => fact(ApiKeyIssued, { userId: BOT, keyId: key as KeyId });
  const keyIds = Array.from({ length: MAX_KEYS }, (_, n) => (n + 1) as KeyId);
  const next = (MAX_KEYS + 1) as KeyId;

  it('leaves the other keys valid', () => {
    expect(issueBotKey(bot(issued(3)), 4 as KeyId, [], by(ANN))).toEqual([issued(4)]);
    expect(issueBotKey(bot(issued(3)), 4 as KeyId, [], by(BEN, Role.administrator))).toEqual([issued(4)]);
  });

  it('replaces the oldest key that nobody has used at the limit, and none that is used', () => {
    const full = bot(...keyIds.map(issued));
    expect(issueBotKey(full, next, [7, 9] as KeyId[], by(ANN))).toMatchObject([
      { type: 'users.ApiKeysRevoked', data: { keyIds: [7] } },
      { type: 'users.ApiKeyIssued', data: { keyId: next } },
    ]);
    expect(() => issueBotKey(full, next, [], by(ANN))).toThrow('This bot uses 50 API keys.');
  });

  it('is refused to others, for people and for a deleted bot', () => {
    expect(() => issueBotKey(bot(), 4 as KeyId, [], by(BEN))).toThrow('Insufficient permission');
    expect(() => issueBotKey(ben(), 4 as KeyId, [], by(BEN))).toThrow('No such bot');
    expect(() => issueBotKey(null, 4 as KeyId, [], by(BEN))).toThrow('No such bot');
    const trusted = { ...bot(), canCreateUsers: true };
    expect(() => issueBotKey(trusted, 4 as KeyId, [], by(ANN))).toThrow('Must be an organization owner');
  });
});

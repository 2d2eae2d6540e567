import type { Recorded } from '@annals/kernel/domain';
import { addresseesOf, newcomerOf } from './bot-tasks';

const event = (type: string, data: object) => ({ type, data, position: 40, at: 5 }) as unknown as Recorded;
const sent = (place: object, mentioned: readonly number[] = []) =>
  event('messages.MessageSent', { senderId: 7, place, mentions: { userIds: mentioned } });
const inChannel = { channelId: 1, topicId: 2 };

describe('the accounts that a message addresses', () => {
  const addressed = (one: Recorded) => addresseesOf(one).map(({ accountId }) => accountId);

  it('are those that it mentions by name in a channel', () => {
    expect(addresseesOf(sent(inChannel, [9]))).toEqual([{ position: 40, at: 5, senderId: 7, accountId: 9 }]);
    expect(addressed(sent(inChannel, [7, 8, 9]))).toEqual([8, 9]);
    expect(addressed(sent(inChannel))).toEqual([]);
  });

  it('are the others of a conversation, whoever is mentioned', () => {
    expect(addressed(sent({ conversationId: 3, userIds: [7, 8, 9] }, [8]))).toEqual([8, 9]);
    expect(addressed(sent({ conversationId: 3, userIds: [7] }))).toEqual([]);
  });

  it('are none for other events', () => {
    expect(addresseesOf(event('messages.ContentEdited', { mentions: { userIds: [9] } }))).toEqual([]);
  });
});

describe('a newcomer', () => {
  const created = (data: object) => newcomerOf(event('users.AccountCreated', { userId: 9, botType: null, ...data }));
  const NEWCOMER = { position: 40, at: 5, accountId: 9 };

  it('is a person with a new account, or an imported one at the first login', () => {
    expect(created({})).toEqual(NEWCOMER);
    expect(created({ awaitsFirstLogin: true })).toEqual(NEWCOMER);
    expect(newcomerOf(event('users.FirstLoggedIn', { userId: 9, wasImported: true }))).toEqual(NEWCOMER);
  });

  it('is no bot, no imported account before that, and nobody a second time', () => {
    expect(created({ botType: 1 })).toBeNull();
    expect(created({ isImported: true })).toBeNull();
    expect(newcomerOf(event('users.FirstLoggedIn', { userId: 9 }))).toBeNull();
    expect(newcomerOf(event('users.Reactivated', { userId: 9 }))).toBeNull();
  });
});

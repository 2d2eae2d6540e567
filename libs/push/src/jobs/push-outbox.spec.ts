import type { Kernel } from '@annals/kernel';
import type { GroupId, Instant, Position, RealmId, Recorded, UserId } from '@annals/kernel/domain';
import type { ContentEdited } from '@annals/messages/events';
import type { ClientBase } from 'pg';
import { RegistrationAsked } from '../domain/events';
import { pushOutbox } from './push-outbox';

const REALM = 1 as RealmId;
const event = (type: string, position: number, mentions: Partial<ContentEdited['data']['mentions']> = {}) =>
  ({
    realmId: REALM,
    type,
    position: position as Position,
    at: 0 as Instant,
    data: { place: {}, messageIds: [], mentions: { userIds: [], groupIds: [], ...mentions } },
  }) as unknown as Recorded;

describe('the push outbox', () => {
  /** The positions of the tasks. */
  async function notedOf(isConfigured: boolean, ...page: readonly Recorded[]): Promise<number[]> {
    const noted: number[] = [];
    const query = ({ values: [, positions] }: { values: [RealmId, number[]] }) => {
      noted.push(...positions);
      return Promise.resolve({ rowCount: positions.length });
    };
    await pushOutbox({} as Kernel, { isConfigured }).handle(page, { query } as unknown as ClientBase);
    return noted;
  }

  it('contains messages and registrations', async () => {
    const page = [event('users.UserAdded', 1), event('messages.MessageSent', 2), event(RegistrationAsked.type, 3)];
    expect(await notedOf(true, ...page)).toEqual([2, 3]);
    expect(await notedOf(true, ...page.slice(0, 1))).toEqual([]);
  });

  it('contains edits that mention a user', async () => {
    const calls = [
      { userIds: [7 as UserId] },
      { groupIds: [8 as GroupId] },
      { channelWildcard: true },
      { topicWildcard: true },
      {},
    ];
    const page = calls.map((mentions, n) => event('messages.ContentEdited', n + 1, mentions));
    expect(await notedOf(true, ...page)).toEqual([1, 2, 3, 4]);
    expect(await notedOf(false, ...page)).toEqual([]);
  });

  it('contains only registrations without a configured push service: an API process with one may have run before', async () => {
    const page = [event('messages.MessageSent', 2), event(RegistrationAsked.type, 3)];
    expect(await notedOf(false, ...page)).toEqual([3]);
    expect(pushOutbox({} as Kernel, { isConfigured: false }).begins).toBe('beginning');
  });
});

import type { Kernel } from '@annals/kernel';
import type { Instant, Position, RealmId, Recorded } from '@annals/kernel/domain';
import type { ClientBase } from 'pg';
import { RegistrationAsked } from '../domain/events';
import { pushErrands } from './errands';

const REALM = 1 as RealmId;
const event = (type: string, position: number) =>
  ({
    realmId: REALM,
    type,
    position: position as Position,
    at: 0 as Instant,
    data: { place: {}, messageIds: [] },
  }) as unknown as Recorded;

describe('what a worker notes of the log for the push service', () => {
  /** The positions that are noted. */
  async function notedOf(isConfigured: boolean, ...page: readonly Recorded[]): Promise<number[]> {
    const noted: number[] = [];
    const query = ({ values: [, positions] }: { values: [RealmId, number[]] }) => {
      noted.push(...positions);
      return Promise.resolve({ rowCount: positions.length });
    };
    await pushErrands({} as Kernel, { isConfigured }).handle(page, { query } as unknown as ClientBase);
    return noted;
  }

  it('are messages and registrations', async () => {
    const page = [event('users.UserAdded', 1), event('messages.MessageSent', 2), event(RegistrationAsked.type, 3)];
    expect(await notedOf(true, ...page)).toEqual([2, 3]);
    expect(await notedOf(true, ...page.slice(0, 1))).toEqual([]);
  });

  it('are registrations alone while it knows no such service: an api that does may have been there before', async () => {
    const page = [event('messages.MessageSent', 2), event(RegistrationAsked.type, 3)];
    expect(await notedOf(false, ...page)).toEqual([3]);
    expect(pushErrands({} as Kernel, { isConfigured: false }).begins).toBe('beginning');
  });
});

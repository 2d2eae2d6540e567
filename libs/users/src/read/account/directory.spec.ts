import type { BlockMemory, RegisterSnapshot } from '@annals/kernel';
import type { Instant, Position, UserId } from '@annals/kernel/domain';
import { Role, fact } from '@annals/kernel/domain';
import { realmContext } from '@annals/realm';
import type { TestKernel } from '../../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../../test/support/server/kernel';
import { AccountCreated, Deactivated, FullNameChanged, OwnSettingsChanged } from '../../domain/events';
import { usersContext } from '../../users.context';
import type { EmailVisibility } from '../../domain/email/email-visibility';
import { readDirectory } from './directory';
import type { Viewer } from './viewer';

const [ann, bob, cleo] = [1, 2, 3] as [UserId, UserId, UserId];
const account = (userId: UserId) =>
  [
    `user-${userId}`,
    fact(
      AccountCreated,
      {
        userId,
        role: Role.member,
        botType: null,
        botOwnerId: null,
        isSystemBot: false,
        awaitsFirstLogin: false,
        canCreateUsers: false,
        canChangeUserEmails: false,
      },
      { email: `user${userId}@example.com`, fullName: `User ${userId}` },
    ),
  ] as const;
const chose = (userId: UserId, email_address_visibility: EmailVisibility) =>
  [
    `own-settings-${userId}`,
    fact(OwnSettingsChanged, { userId, settings: { email_address_visibility }, previous: {} }, {}),
  ] as const;
const viewerWith = (role: Role, userId: UserId = cleo) => ({ userId, role, mailDomain: 'chat.example.com' });
const member = viewerWith(Role.member);
const renamed = (userId: UserId, fullName: string) =>
  [`user-${userId}`, fact(FullNameChanged, { userId }, { fullName })] as const;

function memoryOf(): BlockMemory {
  const kept = new Map<string, object>();
  return {
    of: <Value extends object>(key: string, create: () => Value): Value => {
      const known = (kept.get(key) ?? create()) as Value;
      kept.set(key, known);
      return known;
    },
  };
}

describe('the directory of an organization', () => {
  let test: TestKernel;
  let memory: BlockMemory;
  beforeEach(async () => {
    test = await openTestKernel([realmContext, usersContext]);
    memory = memoryOf();
    await test.state(account(bob), account(ann));
  });
  afterEach(() => test.close());

  /** Runs a read within a snapshot. */
  const within = <T>(read: (snapshot: RegisterSnapshot) => Promise<T>, kept = memory): Promise<T> =>
    test.kernel.database.snapshot(async (client) => {
      const position = (await test.kernel.events.heads([REALM], client)).get(REALM) ?? (0 as Position);
      return read({ client, realmId: REALM, position, at: 0 as Instant, memory: kept });
    });
  const shown = async (snapshot: RegisterSnapshot) => {
    const { realm_users, realm_non_active_users } = await readDirectory(snapshot, member, true);
    const names = (list: { toJSON(): unknown }) =>
      (list.toJSON() as { full_name: string }[]).map(({ full_name }) => full_name);
    return [names(realm_users), names(realm_non_active_users)];
  };

  it('is the same as a fresh read, after any change', async () => {
    expect(await within(shown)).toEqual([['User 1', 'User 2'], []]);
    await test.state(renamed(ann, 'Ann'), account(cleo));
    expect(await within(shown)).toEqual([['Ann', 'User 2', 'User 3'], []]);
    await test.state([`user-${bob}`, fact(Deactivated, { userId: bob, role: Role.member, botOwnerId: null })]);
    expect(await within(shown)).toEqual([['Ann', 'User 3'], ['User 2']]);
    expect(await within(shown)).toEqual(await within(shown, memoryOf()));
  });

  it('is as old as the snapshot, also when a newer one was read first', async () => {
    await within(async (older) => {
      await test.state(renamed(ann, 'Ann'));
      expect(await within(shown)).toEqual([['Ann', 'User 2'], []]);
      expect(await shown(older)).toEqual([['User 1', 'User 2'], []]);
    });
    expect(await within(shown)).toEqual([['Ann', 'User 2'], []]);
  });

  it('shows each role the emails that it may see, and users their own', async () => {
    const emails = async (viewer: Viewer) => {
      const { realm_users } = await within((snapshot) => readDirectory(snapshot, viewer, true));
      const people = realm_users.toJSON() as { email: string; delivery_email: string | null }[];
      return people.map(({ email, delivery_email }) => [email, delivery_email]);
    };
    const shown = (userId: number) => [`user${userId}@example.com`, `user${userId}@example.com`];
    const hidden = (userId: number) => [`user${userId}@chat.example.com`, null];
    expect(await emails(member)).toEqual([shown(1), shown(2)]);
    await test.state(chose(ann, 3), chose(bob, 4));
    expect(await emails(viewerWith(Role.administrator))).toEqual([shown(1), hidden(2)]);
    expect(await emails(member)).toEqual([hidden(1), hidden(2)]);
    expect(await emails(viewerWith(Role.member, bob))).toEqual([hidden(1), shown(2)]);
    await test.state(chose(ann, 2));
    expect(await emails(member)).toEqual([shown(1), hidden(2)]);
    expect(await emails(viewerWith(Role.guest))).toEqual([hidden(1), hidden(2)]);
  });

  it('is one text for all readers', async () => {
    const read = (viewer = member) => within((snapshot) => readDirectory(snapshot, viewer, true));
    const [one, two] = await Promise.all([read(), read()]);
    expect(two).toBe(one);
    expect(await read(viewerWith(Role.guest))).toBe(one);
    const other = await within((snapshot) => readDirectory(snapshot, member, false));
    expect(other.realm_users.text).not.toBe(one.realm_users.text);
  });
});

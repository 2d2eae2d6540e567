import type { BlockMemory, RegisterSnapshot } from '@annals/kernel';
import type { Fact, Instant, Position, UserId } from '@annals/kernel/domain';
import { Role, fact } from '@annals/kernel/domain';
import { realmContext } from '@annals/realm';
import type { TestKernel } from '../../../../../test/support/server/kernel';
import { REALM, openTestKernel } from '../../../../../test/support/server/kernel';
import { AccountCreated } from '../../domain/events';
import type { ChoiceId, ProfileFieldId } from '../../domain/profile/profile-events';
import {
  FieldType,
  ProfileFieldChoicesChanged,
  ProfileFieldCreated,
  ProfileFieldDeleted,
  ProfileValueCleared,
  ProfileValueSet,
} from '../../domain/profile/profile-events';
import { usersContext } from '../../users.context';
import { readDirectory } from '../account/directory';
import { readProfileFields } from './profile-fields';
import { readChangedProfiles, readProfiles } from './profiles';

const [ann, bob] = [1, 2] as [UserId, UserId];
const field = (n: number) => n as ProfileFieldId;
const choice = (n: number) => n as ChoiceId;
const account = (userId: UserId): [string, Fact] => {
  const none = { botType: null, botOwnerId: null, isSystemBot: false, awaitsFirstLogin: false };
  const data = { userId, role: Role.member, ...none, canCreateUsers: false, canChangeUserEmails: false };
  return [
    `user-${userId}`,
    fact(AccountCreated, data, { email: `user${userId}@example.com`, fullName: `User ${userId}` }),
  ];
};
const about = (happened: Fact): [string, Fact] => ['profile-fields', happened];
const letters = (...keys: string[]) => keys.map((key, n) => ({ key, text: key.toUpperCase(), order: `${n}` }));
const created = (n: number, fieldType: FieldType, ...keys: string[]) => {
  const options = { displayInSummary: false, required: false, editableByUser: true, useForMatching: false };
  const choiceIds = keys.map((_, place) => choice(place + 1));
  const words = { name: `Field ${n}`, hint: '', choices: letters(...keys), urlPattern: null };
  return about(
    fact(ProfileFieldCreated, { fieldId: field(n), fieldType, subtype: null, choiceIds, ...options }, words),
  );
};
const set = (userId: UserId, n: number, fieldType: FieldType, value: string, choiceId: number | null = null) =>
  [
    `profile-${userId}`,
    fact(
      ProfileValueSet,
      { userId, fieldId: field(n), fieldType },
      { value, choiceId: choiceId === null ? null : choice(choiceId) },
    ),
  ] as const;
const cleared = (userId: UserId, n: number) =>
  [`profile-${userId}`, fact(ProfileValueCleared, { userId, fieldId: field(n) })] as const;
const deleted = (n: number) => about(fact(ProfileFieldDeleted, { fieldId: field(n) }));

describe('the read model of profiles', () => {
  let test: TestKernel;
  beforeEach(async () => {
    test = await openTestKernel([realmContext, usersContext]);
    await test.state(account(ann), account(bob), created(1, 1), created(2, 3, 'a', 'b'));
    await test.state(set(ann, 1, 1, '*hi*'), set(bob, 1, 1, 'hello'), set(ann, 2, 3, 'a', 1), set(bob, 2, 3, 'b', 2));
  });
  afterEach(() => test.close());

  const snapshot = <T>(read: (snapshot: RegisterSnapshot) => Promise<T>, memory: BlockMemory): Promise<T> =>
    test.kernel.database.snapshot(async (client) => {
      const position = (await test.kernel.events.heads([REALM], client)).get(REALM) ?? (0 as Position);
      return read({ client, realmId: REALM, position, at: 0 as Instant, memory });
    });
  const memoryOf = (): BlockMemory => {
    const kept = new Map<string, object>();
    return {
      of: <Value extends object>(key: string, create: () => Value): Value => {
        const known = (kept.get(key) ?? create()) as Value;
        kept.set(key, known);
        return known;
      },
    };
  };
  const changedAfter = (position: number) =>
    test.kernel.database.snapshot((client) => readChangedProfiles(client, REALM, position as Position));
  const profiles = async () => Object.fromEntries(await readProfiles(test.kernel.database.pool, REALM, [ann, bob]));

  it('returns values, in one query for all users', async () => {
    expect(await profiles()).toEqual({
      1: { 1: { value: '*hi*', rendered_value: '<p><em>hi</em></p>' }, 2: { value: 'a' } },
      2: { 1: { value: 'hello', rendered_value: '<p>hello</p>' }, 2: { value: 'b' } },
    });
    expect(await readProfiles(test.kernel.database.pool, REALM, [])).toEqual(new Map());
  });

  it('returns users whose profile changed', async () => {
    expect(await changedAfter(8)).toEqual([]);
    await test.state(cleared(ann, 1));
    expect(await changedAfter(8)).toEqual([ann]);
    expect(await profiles()).toMatchObject({ 1: { 2: { value: 'a' } } });
    const changed = { fieldId: field(2), choiceIds: [choice(1)], removed: [choice(2)] };
    await test.state(about(fact(ProfileFieldChoicesChanged, changed, { choices: letters('a') })));
    expect(await changedAfter(8)).toBe('perhaps everybody');
    expect(await changedAfter(10)).toEqual([]);
    expect((await profiles())[2]).toEqual({ 1: { value: 'hello', rendered_value: '<p>hello</p>' } });
    await test.state(deleted(1));
    expect(await changedAfter(10)).toBe('perhaps everybody');
    expect(await profiles()).toEqual({ 1: { 2: { value: 'a' } } });
    expect(await readProfileFields(test.kernel.database.pool, REALM)).toMatchObject([
      { id: 2, fieldData: '{"a":{"text":"A","order":"0"}}' },
    ]);
  });

  it('keeps the directory the same as a fresh read, after any change', async () => {
    const memory = memoryOf();
    const viewer = { userId: bob, role: Role.member, mailDomain: 'example.com' };
    const directory = (kept: BlockMemory) =>
      snapshot(async (at) => (await readDirectory(at, viewer, true)).realm_users.toJSON(), kept);
    const steps = [
      [],
      [set(ann, 1, 1, 'again')],
      [cleared(bob, 1)],
      [set(bob, 1, 1, 'back'), cleared(ann, 2)],
      [deleted(1)],
      [deleted(2), created(3, FieldType.pronouns), set(ann, 3, 8, 'she')],
    ];
    for (const step of steps) {
      await test.state(...step);
      expect(await directory(memory)).toEqual(await directory(memoryOf()));
    }
    expect(await directory(memory)).toMatchObject([{ profile_data: { 3: { value: 'she' } } }, { profile_data: {} }]);
  });
});

import { Role } from '@annals/kernel/domain';
import type { JsonObject } from '../json';
import { attributesIn } from '../patch/operations';
import { patched } from '../patch/patched';
import type { UserState } from './user-state';
import { NEW_USER, NOT_DESCRIBED, attributesOf, keptByReplacement, stateWith } from './user-state';
import { USER } from './user-type';

const ADA: UserState = {
  email: 'ada@example.com',
  fullName: 'Ada Lovelace',
  isActive: true,
  role: Role.member,
  description: NOT_DESCRIBED,
};

const created = (body: JsonObject) => stateWith(patched(NEW_USER, attributesIn(body, 'replace'), USER), null);
const replaced = (body: JsonObject, before = ADA) =>
  stateWith(patched(keptByReplacement(before), attributesIn(body, 'replace'), USER), before);
const changed = (value: JsonObject, before = ADA) =>
  stateWith(patched(attributesOf(before), attributesIn(value, 'replace'), USER), before);

describe('a new person', () => {
  it.each<[string, JsonObject, string]>([
    ['the formatted name', { name: { formatted: 'A', givenName: 'B' }, displayName: 'C' }, 'A'],
    ['the display name', { name: { givenName: 'B' }, displayName: 'C' }, 'C'],
    ['given and family name', { name: { givenName: 'Ada', familyName: 'King' } }, 'Ada King'],
    ['the family name', { name: { familyName: 'King' } }, 'King'],
    ['the address', {}, 'ada'],
  ])('is called by %s', (_, body, fullName) => {
    expect(created({ userName: 'ada@example.com', ...body }).fullName).toBe(fullName);
  });

  it('is an active member unless the directory says otherwise', () => {
    expect(created({ userName: 'a@b.c' })).toEqual({
      email: 'a@b.c',
      fullName: 'a at b.c',
      isActive: true,
      role: Role.member,
      description: NOT_DESCRIBED,
    });
    const { isActive, role } = created({ userName: 'a@b.c', active: 'False', role: 'guest' });
    expect([isActive, role]).toEqual([false, Role.guest]);
  });

  it('needs an address', () => {
    expect(() => created({ displayName: 'Ada' })).toThrow('userName');
  });

  it('has the role that is primary, or the last one', () => {
    const roleOf = (roles: JsonObject[]) => created({ userName: 'a@b.c', roles }).role;
    expect(roleOf([{ value: 'guest', primary: true }, { value: 'owner' }])).toBe(Role.guest);
    expect(roleOf([{ value: 'Moderator' }])).toBe(Role.moderator);
    expect(roleOf([{ value: 'Moderator', primary: true }])).toBe(Role.moderator);
    expect(() => roleOf([{ value: 'king', primary: true }])).toThrow('A role is one of');
  });
});

describe('a person', () => {
  it('is as the account is, with the names around the first space', () => {
    expect(attributesOf({ ...ADA, fullName: 'Ada de Lovelace' })).toEqual({
      userName: 'ada@example.com',
      name: { formatted: 'Ada de Lovelace', givenName: 'Ada', familyName: 'de Lovelace' },
      displayName: 'Ada de Lovelace',
      active: true,
      role: 'member',
      roles: [{ value: 'member', primary: true }],
    });
  });

  it('stays the same when nothing is changed', () => {
    expect(changed({})).toEqual(ADA);
    expect(replaced(attributesOf(ADA))).toEqual(ADA);
  });

  it.each<[string, JsonObject, string]>([
    ['formatted', { name: { formatted: 'A. L.' } }, 'A. L.'],
    ['displayName', { displayName: 'A. L.' }, 'A. L.'],
    ['a part', { 'name.familyName': 'King' }, 'Ada King'],
    ['a part, with the present display name', { 'name.familyName': 'King', displayName: 'Ada Lovelace' }, 'Ada King'],
  ])('is renamed by %s', (_, value, fullName) => {
    expect(changed(value).fullName).toBe(fullName);
  });

  it('keeps the parts of the name that the directory said', () => {
    const jan = changed({ name: { givenName: 'Jan Peter', familyName: 'van Dam' } });
    expect(jan.fullName).toBe('Jan Peter van Dam');
    expect(attributesOf(jan).name).toEqual({
      formatted: 'Jan Peter van Dam',
      givenName: 'Jan Peter',
      familyName: 'van Dam',
    });
  });

  it('gets another role by either attribute', () => {
    expect(changed({ role: 'guest' }).role).toBe(Role.guest);
    expect(changed({ roles: [{ value: 'guest' }] }).role).toBe(Role.guest);
  });

  it('loses what a replacement leaves out, except what always has a value', () => {
    const before = changed({ externalId: '00u1', locale: 'de', timezone: 'Europe/Berlin', active: false });
    expect(before.description.externalId).toBe('00u1');
    expect(replaced({ userName: ADA.email }, before)).toEqual({ ...ADA, isActive: false });
  });
});

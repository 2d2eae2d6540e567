import type { UserId } from '@annals/kernel/domain';
import { Rejected } from '@annals/kernel/domain';
import fc from 'fast-check';
import { elementConditionOf } from '../filter/condition';
import { parseFilter } from '../filter/parse-filter';
import { matches } from '../filter/matches';
import type { JsonValue } from '../json';
import { attributesIn, operationsOf } from '../patch/operations';
import { named } from './attribute';
import { changedGroup, replacedGroup } from './group-state';
import { GROUP } from './group-type';

const idsUpTo = (count: number) => Array.from({ length: count }, (_, n) => (n + 1) as UserId);
const groupOf = (members: readonly number[]) => ({
  name: 'Group',
  externalId: 'g1',
  members: new Set(members as UserId[]),
});
const membersAfter = (members: readonly number[], operations: readonly JsonValue[]) => [
  ...changedGroup(groupOf(members), operationsOf({ Operations: operations })).members,
];
const refusalOf = (change: () => unknown): string => {
  try {
    change();
    return 'none';
  } catch (error) {
    if (error instanceof Rejected) return error.code;
    throw error;
  }
};
const removing = (condition: string) => ({ op: 'remove', path: `members[${condition}]` });
const add = (...ids: number[]) => ({ op: 'add', path: 'members', value: ids.map((value) => ({ value })) });
const MANY = idsUpTo(20_000);

describe('the members of a group', () => {
  it('are changed by one operation after another', () => {
    expect(membersAfter([1, 2, 3], [{ op: 'replace', path: 'members', value: ['5'] }, add(6, 7)])).toEqual([5, 6, 7]);
    expect(membersAfter([1, 2, 3], [{ op: 'remove', path: 'members', value: [{ value: '2' }] }, add(2)])).toEqual([
      1, 3, 2,
    ]);
    expect(membersAfter([1, 2], [{ op: 'remove', path: 'members' }])).toEqual([]);
    expect(membersAfter([1, 2], [{ op: 'remove', path: 'members', value: [] }])).toEqual([1, 2]);
  });

  it('that a request leaves out are lost, with the id in the directory', () => {
    expect(replacedGroup(groupOf([1, 2]), attributesIn({ displayName: 'New' }, 'replace'))).toEqual({
      name: 'New',
      externalId: null,
      members: new Set(),
      wanted: new Set(),
    });
  });

  it('who are removed by a condition are those who meet it, whatever it is', () => {
    const members = named(GROUP.attributes, 'members');
    if (!members) throw new Error('no members');
    const leaves = fc.constantFrom('value eq "1"', 'value eq "12"', 'value sw "1"', 'value ne "2"', 'type eq "user"');
    const conditions = fc
      .array(fc.tuple(leaves, fc.boolean(), fc.constantFrom('and', 'or')), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.map(([leaf, not, word], n) => `${n ? `${word} ` : ''}${not ? `not (${leaf})` : leaf}`))
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(conditions, (text) => {
        const condition = elementConditionOf(parseFilter(text), members);
        const kept = idsUpTo(21).filter((id) => !matches(condition, { value: String(id), type: 'User' }));
        expect([text, membersAfter(idsUpTo(21), [removing(text)])]).toEqual([text, kept]);
      }),
      { numRuns: 100 },
    );
  });

  it('are not read one by one for each of those whom a request names', () => {
    const one = MANY.slice(0, 1_000).map((id) => removing(`value eq "${id}"`));
    expect(membersAfter(MANY, one)).toHaveLength(19_000);
    const together = MANY.slice(0, 1_000).map((id) => `value eq "${id}"`);
    const inTens = Array.from({ length: 10 }, (_, n) => removing(together.slice(n * 100, n * 100 + 100).join(' or ')));
    expect(membersAfter(MANY, inTens)).toHaveLength(19_000);
  });

  it.each<[string, JsonValue[]]>([
    ['compares more than 300,000 times', Array.from({ length: 16 }, () => removing('value co "x"'))],
    [
      'compares with more than 1,000 values',
      Array.from({ length: 21 }, () => removing(Array(50).fill('value eq "1"').join(' or '))),
    ],
    ['names more than 20,000 members', [add(...MANY.slice(1)), add(1, 2)]],
    ['has more than 1,000 operations', Array.from({ length: 1_001 }, () => add(1))],
    [
      'changes more than 1,000 attributes',
      Array.from({ length: 101 }, () => ({
        op: 'add',
        value: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`a${n}`, 1])),
      })),
    ],
  ])('are not changed by a request that %s', (_, operations) => {
    expect(refusalOf(() => membersAfter(MANY, operations))).toBe('TOO_MANY');
  });
});

describe('a new group', () => {
  it('has at most 1,000 attributes', () => {
    const body = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`a${n}`, 1]));
    expect(refusalOf(() => attributesIn(body, 'replace'))).toBe('TOO_MANY');
  });
});

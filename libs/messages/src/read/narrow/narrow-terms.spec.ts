import type { Condition } from './narrow-terms';
import { parseNarrow } from './narrow-terms';

const conditionOf = (operator: string, operand: unknown): Condition | undefined =>
  parseNarrow([{ operator, operand }])[0]?.condition;

describe('a term of a narrow', () => {
  it.each<[string, unknown, Condition]>([
    ['group-pm-with', 7, { kind: 'group conversation including', people: [7] }],
    ['group-pm-with', 'mia@example.com', { kind: 'group conversation including', people: ['mia@example.com'] }],
    ['is', 'private', { kind: 'direct' }],
    ['is', 'resolved', { kind: 'resolved' }],
    ['is', 'mentioned', { kind: 'mentioned' }],
    ['is', 'unread', { kind: 'unread' }],
    ['is', 'starred', { kind: 'starred' }],
    ['is', 'alerted', { kind: 'alerted' }],
    ['mentions', 7, { kind: 'mentions', user: 7 }],
    ['mentions', 'mia@example.com', { kind: 'mentions', user: 'mia@example.com' }],
  ])('%s:%j is a condition', (operator, operand, condition) => {
    expect(conditionOf(operator, operand)).toEqual(condition);
  });

  it('is negated only if it says so, and never as a pair', () => {
    const terms = parseNarrow([
      { operator: 'is', operand: 'mentioned', negated: true },
      { operator: 'is', operand: 'mentioned' },
      ['is', 'mentioned'],
    ]);
    expect(terms.map(({ negated }) => negated)).toEqual([true, false, false]);
  });

  it.each<[string, unknown]>([
    ['group-pm-with', ['mia@example.com']],
    ['group-pm-with', null],
    ['is', 'Mentioned'],
    ['is', 5],
    ['mentions', [7]],
    ['mentions', 1.5],
    ['__proto__', 'x'],
  ])('%s:%j is refused', (operator, operand) => {
    expect(() => conditionOf(operator, operand)).toThrow('Invalid narrow operator: ');
  });
});

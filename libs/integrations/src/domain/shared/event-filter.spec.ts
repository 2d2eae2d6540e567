import fc from 'fast-check';
import { isWanted, matchesPattern } from './event-filter';

describe('a pattern of event types', () => {
  it.each([
    ['push', 'push', true],
    ['push', 'pus', false],
    ['push', 'pushes', false],
    ['pull_request_review', 'pull_request*', true],
    ['closed_pull_request', '*pull_request', true],
    ['Merge Request Hook open', '*Hook o*n', true],
    ['push', '????', true],
    ['push', '???', false],
    ['invoice.created', 'invoice.[cd]*', true],
    ['invoice.updated', 'invoice.[c-d]*', false],
    ['invoice.updated', 'invoice.[!cd]*', true],
    ['a]b', 'a[]]b', true],
    ['a[b', 'a[b', true],
    ['a-b', 'a[x-]b', true],
    ['', '*', true],
    ['', '', true],
    ['Push', 'push', false],
  ])('%j and %j: %s', (text, pattern, expected) => expect(matchesPattern(text, pattern)).toBe(expected));

  it('matches at once, however many stars it has', () => {
    expect(matchesPattern('a'.repeat(5_000), `${'*a'.repeat(1_000)}b`)).toBe(false);
  });

  it('without brackets means the same as a regular expression', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 8 });
    const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 6 });
    fc.assert(
      fc.property(texts, patterns, (text, pattern) => {
        const source = pattern.replaceAll('.', '\\.').replaceAll('?', '.').replaceAll('*', '.*');
        expect(matchesPattern(text, pattern)).toBe(new RegExp(`^(?:${source})$`).test(text));
      }),
      { numRuns: 200 },
    );
  });
});

describe('a choice of events', () => {
  const all = { only: null, exclude: [] };

  it('wants everything if the URL says nothing', () => {
    expect(isWanted('push', all)).toBe(true);
  });

  it('wants only what it names', () => {
    expect(isWanted('push', { ...all, only: ['issues', 'pu*'] })).toBe(true);
    expect(isWanted('push', { ...all, only: ['issues'] })).toBe(false);
    expect(isWanted('push', { ...all, only: [] })).toBe(false);
  });

  it('does not want what it excludes', () => {
    expect(isWanted('push', { only: ['push'], exclude: ['p*'] })).toBe(false);
    expect(isWanted('issues', { only: null, exclude: ['p*'] })).toBe(true);
  });

  it('does not concern messages without an event type', () => {
    expect(isWanted(undefined, { only: [], exclude: ['*'] })).toBe(true);
  });
});

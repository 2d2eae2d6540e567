import { readPattern, templateVariables } from '@annals/markdown';
import { Rejected, Role } from '@annals/kernel/domain';
import { given, recorded } from '../../../../../test/support/events/recorded-events';
import type { LinkifierEvent, LinkifierText } from './linkifier-events';
import { LinkifierAdded, LinkifierChanged, LinkifierRemoved, LinkifiersReordered } from './linkifier-events';
import type { LinkifierInput, OwnLinkifier } from './linkifiers';
import {
  MAX_LINKIFIERS,
  addLinkifier,
  changeLinkifier,
  linkifiersAggregate,
  linkifiersAt,
  removeLinkifier,
  reorderLinkifiers,
} from './linkifiers';

const engine = { pattern: readPattern, variables: templateVariables };
const administrator = { role: Role.administrator };
const member = { role: Role.member };
const TICKET = { pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://t.example/{id}' };
const COMMIT = { pattern: '(?P<hash>[0-9a-f]{40})', urlTemplate: 'https://code.example/{hash}' };
const both: readonly OwnLinkifier[] = [
  { id: 1, text: TICKET },
  { id: 2, text: COMMIT },
];
const refusal = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    return error instanceof Rejected ? error.message : error;
  }
  return undefined;
};
const add = (input: LinkifierInput, state: readonly OwnLinkifier[] = []) =>
  addLinkifier(state, 3, input, administrator, engine);
const change = (input: LinkifierInput, state = both) => changeLinkifier(state, 1, input, administrator, engine);

describe('adding a linkifier', () => {
  it('is an event whose texts are sealed', () => {
    expect(add(TICKET)).toEqual([{ type: 'realm.LinkifierAdded', data: { linkifierId: 3 }, sealed: TICKET }]);
    const example = { exampleInput: ' #12 ', reverseTemplate: '#{id}', alternativeUrlTemplates: ['http://t/{id}'] };
    expect(add({ ...TICKET, ...example })[0]?.sealed).toEqual({ ...TICKET, ...example, exampleInput: '#12' });
    expect(add({ ...TICKET, exampleInput: '', reverseTemplate: ' ', alternativeUrlTemplates: [] })[0]?.sealed).toEqual(
      TICKET,
    );
  });

  test.each<[input: Partial<LinkifierInput>, because: string]>([
    [{ pattern: '' }, 'This field cannot be blank.'],
    [{ urlTemplate: '' }, 'This field cannot be blank.'],
    [{ pattern: '(foo' }, 'Bad regular expression: missing closing ): `(foo`'],
    [{ urlTemplate: '{id' }, 'Invalid URL template.'],
    [{ pattern: '(foo', urlTemplate: '{id' }, 'Invalid URL template.'],
    [{ urlTemplate: 'https://t.example/' }, "Group 'id' in linkifier pattern is not present in URL template."],
    [{ urlTemplate: '{hello}{id}' }, "Group 'hello' in URL template is not present in linkifier pattern."],
    [{ urlTemplate: '{b}{a}{id}' }, "Group 'a' in URL template is not present in linkifier pattern."],
    [{ alternativeUrlTemplates: ['{/'] }, 'Invalid URL template.'],
    [{ alternativeUrlTemplates: ['{x}'] }, "Group 'x' in URL template is not present in linkifier pattern."],
    [{ pattern: '(?P<id>(?:a?){900})' }, 'Bad regular expression: it is too large'],
    [{ exampleInput: 'x12' }, 'Example input does not match the linkifier pattern.'],
    [{ reverseTemplate: '#{id}' }, 'reverse_template needs example_input'],
    [{ exampleInput: '#1', reverseTemplate: '{id}' }, 'Example text does not match auto-conversion field.'],
    [{ exampleInput: '#1', reverseTemplate: '#{id' }, "Invalid auto-conversion field: missing '}' character."],
    [{ exampleInput: '#1', reverseTemplate: '#{}' }, 'Invalid auto-conversion field: empty field name.'],
    [
      { exampleInput: '#1', reverseTemplate: '#{no}' },
      "Group 'no' in auto-conversion field is not present in linkifier pattern.",
    ],
  ])('is refused with %j', (input, because) => expect(refusal(() => add({ ...TICKET, ...input }))).toBe(because));

  it('accepts doubled braces in a reverse template', () => {
    const braces = { pattern: '\\{(?P<id>\\d+)\\}', exampleInput: '{7}', reverseTemplate: '{{{id}}}' };
    expect(add({ ...TICKET, ...braces })).toHaveLength(1);
  });

  it('refuses a second one with the same pattern', () => {
    expect(refusal(() => add({ ...TICKET, urlTemplate: '{id}' }, both))).toContain('already exists');
    expect(add({ ...TICKET, pattern: `${TICKET.pattern}x` }, both)).toHaveLength(1);
  });

  it('is limited in number', () => {
    const many = Array.from({ length: MAX_LINKIFIERS }, (_, id) => ({ id, text: { ...TICKET, pattern: `${id}` } }));
    expect(refusal(() => add(TICKET, many))).toBe(`There are ${MAX_LINKIFIERS} linkifiers already.`);
    expect(add(TICKET, many.slice(1))).toHaveLength(1);
  });
});

describe('changing a linkifier', () => {
  it('keeps what is left out, and removes what is empty', () => {
    const text = { ...TICKET, exampleInput: '#1', reverseTemplate: '#{id}', alternativeUrlTemplates: ['/{id}'] };
    const state = [{ id: 1, text }];
    const sealed = (input: Partial<LinkifierInput>) => change({ ...TICKET, ...input }, state)[0]?.sealed;
    expect(sealed({ urlTemplate: '{id}' })).toEqual({ ...text, urlTemplate: '{id}' });
    expect(sealed({ exampleInput: '', reverseTemplate: '', alternativeUrlTemplates: [] })).toEqual(TICKET);
    expect(refusal(() => sealed({ exampleInput: '' }))).toBe('reverse_template needs example_input');
  });

  it('is no event when nothing changes', () => {
    expect(change(TICKET)).toEqual([]);
  });

  it('refuses the pattern of another one, and an unknown one', () => {
    expect(refusal(() => change(COMMIT))).toContain('already exists');
    expect(refusal(() => changeLinkifier(both, 9, TICKET, administrator, engine))).toBe('Linkifier not found.');
  });
});

describe('removing and reordering linkifiers', () => {
  it('are events', () => {
    expect(removeLinkifier(both, 2, administrator)).toEqual([
      { type: 'realm.LinkifierRemoved', data: { linkifierId: 2 }, sealed: { pattern: COMMIT.pattern } },
    ]);
    expect(reorderLinkifiers(both, [2, 1], administrator)).toEqual([
      { type: 'realm.LinkifiersReordered', data: { order: [2, 1] }, sealed: null },
    ]);
  });

  it('need known linkifiers, each once', () => {
    expect(refusal(() => removeLinkifier(both, 3, administrator))).toBe('Linkifier not found.');
    for (const order of [[], [1], [1, 1], [1, 2, 2], [1, 3], [1, 2, 3]]) {
      expect(refusal(() => reorderLinkifiers(both, order, administrator))).toContain('exactly once');
    }
  });

  it('are no event for the order that there is', () => {
    expect(reorderLinkifiers(both, [1, 2], administrator)).toEqual([]);
    expect(reorderLinkifiers([], [], administrator)).toEqual([]);
  });
});

test('only administrators change linkifiers', () => {
  for (const role of [Role.moderator, Role.member, Role.guest]) {
    for (const act of [
      () => addLinkifier(both, 3, TICKET, { role }, engine),
      () => changeLinkifier(both, 1, TICKET, { role }, engine),
      () => removeLinkifier(both, 1, { role }),
      () => reorderLinkifiers(both, [2, 1], { role }),
    ]) {
      expect(refusal(act)).toBe('Must be an organization administrator');
    }
  }
  expect(refusal(() => addLinkifier([], 1, { ...TICKET, pattern: '(' }, member, engine))).toContain('administrator');
});

describe('the linkifiers of an organization', () => {
  const added = (linkifierId: number, sealed: LinkifierText) => ({
    type: LinkifierAdded.type,
    data: { linkifierId },
    sealed,
  });
  const after = (...facts: LinkifierEvent[]) => given(linkifiersAggregate, ...facts).map(({ id }) => id);
  const [first, second] = [added(1, TICKET), added(2, COMMIT)] as LinkifierAdded[] as [LinkifierAdded, LinkifierAdded];
  const reordered = { type: LinkifiersReordered.type, data: { order: [2, 1] }, sealed: null } as LinkifiersReordered;
  const removed = {
    type: LinkifierRemoved.type,
    data: { linkifierId: 1 },
    sealed: { pattern: '' },
  } as LinkifierRemoved;
  const changed = { type: LinkifierChanged.type, data: { linkifierId: 1 }, sealed: COMMIT } as LinkifierChanged;

  it('are in their order, new ones behind', () => {
    expect(after(first, second)).toEqual([1, 2]);
    expect(after(first, second, reordered, added(3, TICKET) as LinkifierAdded)).toEqual([2, 1, 3]);
    expect(after(first, second, reordered, removed)).toEqual([2]);
    expect(given(linkifiersAggregate, ...([first, changed] as LinkifierEvent[]))).toEqual([{ id: 1, text: COMMIT }]);
  });

  it('are those of a position', () => {
    const events = [first, second].map((fact, n) => ({ ...recorded(fact), position: (n + 5) as never }));
    expect(linkifiersAt(events, 4)).toEqual([]);
    expect(linkifiersAt(events, 5).map(({ id }) => id)).toEqual([1]);
    expect(linkifiersAt(events, 6).map(({ id }) => id)).toEqual([1, 2]);
  });

  it('are gone once their texts were erased', () => {
    const erased = (fact: LinkifierEvent) => ({ ...recorded(fact), sealed: 'erased' }) as never;
    const { evolve } = linkifiersAggregate;
    expect(evolve(both, erased(added(3, TICKET) as LinkifierAdded))).toEqual(both);
    expect(evolve(both, erased(changed)).map(({ id }) => id)).toEqual([2]);
  });
});

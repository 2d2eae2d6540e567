import { templateVariables } from '@annals/markdown';
import { Rejected, Role } from '@annals/kernel/domain';
import { given, recorded } from '../../../../../test/support/events/recorded-events';
import type { Playground } from './playgrounds';
import { MAX_PLAYGROUNDS, addPlayground, playgroundsAggregate, removePlayground } from './playgrounds';

const engine = { variables: templateVariables };
const administrator = { role: Role.administrator };
const PAGE: Playground = { id: 1, name: 'Try it', language: 'Python', urlTemplate: 'https://try.example/{?code}' };
const refusal = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    return error instanceof Rejected ? error.message : error;
  }
  return undefined;
};
const add = (input: Partial<Playground> = {}, state: readonly Playground[] = []) =>
  addPlayground(state, { ...PAGE, id: 2, ...input }, administrator, engine);

describe('a playground', () => {
  const { id: _, ...sealed } = PAGE;

  it('is added and removed by events with sealed texts', () => {
    const [added] = add({ name: ' Try it ' });
    expect(added).toEqual({ type: 'realm.PlaygroundAdded', data: { playgroundId: 2 }, sealed });
    expect(given(playgroundsAggregate, added!)).toEqual([{ ...PAGE, id: 2 }]);
    const [removed] = removePlayground([PAGE], 1, administrator);
    expect(removed).toEqual({
      type: 'realm.PlaygroundRemoved',
      data: { playgroundId: 1 },
      sealed: { name: 'Try it', language: 'Python' },
    });
    expect(playgroundsAggregate.evolve([PAGE], recorded(removed!))).toEqual([]);
    expect(playgroundsAggregate.evolve([], { ...recorded(added!), sealed: 'erased' } as never)).toEqual([]);
  });

  test.each<[input: Partial<Playground>, because: string]>([
    [{ name: ' ' }, 'This field cannot be blank.'],
    [{ language: '' }, 'This field cannot be blank.'],
    [{ language: 'a$b&c' }, 'Invalid characters in pygments language'],
    [{ urlTemplate: '{' }, 'Invalid URL template.'],
    [{ urlTemplate: 'https://try.example' }, 'Missing the required variable "code" in the URL template'],
    [{ urlTemplate: '{code}{x}' }, '"code" should be the only variable present in the URL template'],
  ])('is refused with %j', (input, because) => expect(refusal(() => add(input))).toBe(because));

  test.each(['C++', 'c#', 'HTML+PHP', 'Nginx configuration file', 'Objective-C', 'py/3', 'a_b,c.d'])(
    'may be for %j',
    (language) => expect(add({ language })).toHaveLength(1),
  );

  it('is unique by name and language', () => {
    expect(refusal(() => add({}, [PAGE]))).toContain('already exists');
    expect(add({ name: 'Another' }, [PAGE])).toHaveLength(1);
    expect(add({ language: 'Ruby' }, [PAGE])).toHaveLength(1);
  });

  it('is limited in number', () => {
    const many = Array.from({ length: MAX_PLAYGROUNDS }, (_, id) => ({ ...PAGE, id, name: `${id}` }));
    expect(refusal(() => add({}, many))).toContain(String(MAX_PLAYGROUNDS));
  });

  it('is changed by administrators only, who have to know it', () => {
    for (const role of [Role.moderator, Role.member, Role.guest]) {
      expect(refusal(() => addPlayground([], PAGE, { role }, engine))).toBe('Must be an organization administrator');
      expect(refusal(() => removePlayground([PAGE], 1, { role }))).toBe('Must be an organization administrator');
    }
    expect(refusal(() => removePlayground([PAGE], 9, administrator))).toBe('Invalid playground');
  });
});

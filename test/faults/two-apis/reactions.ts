import type { Answer, Caller } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ProcessServer } from '../../support/processes/processes';
import { race } from '../../support/guards/race';

/** Many react to one message at once. */
export function reactions(the: () => ProcessServer): void {
  const CROWD = 200;

  let server: ProcessServer;
  beforeAll(() => void (server = the()));

  const react = (by: Caller, id: number, emoji_name = 'tada') => by.post(`/messages/${id}/reactions`, { emoji_name });
  const codes = (answers: readonly Answer[]) => answers.map(({ body }) => body.code ?? body.result).sort();
  const reactionsTo = async (id: number) => {
    const { message } = granted(
      await server.owner.get<{ message: { reactions: Record<string, unknown>[] } }>(`/messages/${id}`),
    );
    return message.reactions;
  };

  async function message(): Promise<number> {
    const to = await server.channel(server.owner);
    const sent = { type: 'channel', to, topic: 'party', content: 'who comes?' };
    return granted(await server.owner.post<{ id: number }>('/messages', sent)).id;
  }

  /** Bots are people enough to react, and quick to make. */
  async function crowd(): Promise<Person[]> {
    const people: Person[] = [];
    while (people.length < CROWD) {
      people.push(...(await Promise.all(Array.from({ length: 10 }, () => server.bot(server.owner)))));
    }
    return people;
  }

  describe('reactions to one message from two processes', () => {
    it('of many users at once are all stored, and sent once each, with one name', async () => {
      const id = await message();
      const people = await crowd();
      const queue = await server.owner.register({ event_types: ['reaction'], fetch_event_types: [] });
      const at = (n: number) => server.urls[n % 2] ?? '';
      const name = (n: number) => (n % 4 < 2 ? '+1' : 'thumbs_up');
      const answers = await Promise.all(people.map((one, n) => react(one.at(at(n)), id, name(n))));
      expect(new Set(codes(answers))).toEqual(new Set(['success']));
      const reactors = (all: readonly Record<string, unknown>[]) => all.map(({ user_id }) => user_id);
      const shown = await reactionsTo(id);
      const kept = reactors(shown);
      expect(kept).toHaveLength(CROWD);
      expect(new Set(kept)).toEqual(new Set(people.map((one) => one.id)));
      const received = await server.owner.events(queue);
      expect(reactors(received)).toEqual(kept);
      expect(new Set([...shown, ...received].map(({ emoji_name }) => emoji_name)).size).toBe(1);
    });

    it('do not join one that is removed at the same moment', async () => {
      const id = await message();
      const other = await server.person();
      granted(await react(server.owner, id, '+1'));
      const [here] = server.sides(server.owner);
      const [, there] = server.sides(other);
      const [left, joined] = await race(server.kernel, [
        () => here.delete(`/messages/${id}/reactions`, { emoji_name: '+1' }),
        () => react(there, id, 'thumbs_up'),
      ]);
      expect([left.status, joined.status]).toEqual([200, 200]);
      expect(await reactionsTo(id)).toMatchObject([{ user_id: other.id, emoji_name: 'thumbs_up' }]);
    });

    it('of one person at once succeed exactly once', async () => {
      const id = await message();
      const names = Array.from({ length: 8 }, (_, n) => (n % 4 < 2 ? '+1' : 'thumbs_up'));
      const sides = server.sides(server.owner);
      const answers = await Promise.all(names.map((name, n) => react(sides[n % 2] ?? server.owner, id, name)));
      expect(codes(answers)).toEqual([...Array<string>(7).fill('REACTION_ALREADY_EXISTS'), 'success']);
      expect(await reactionsTo(id)).toHaveLength(1);
      const removals = await Promise.all(
        names.map((_, n) =>
          (sides[n % 2] ?? server.owner).delete(`/messages/${id}/reactions`, { emoji_code: '1f44d' }),
        ),
      );
      expect(codes(removals)).toEqual([...Array<string>(7).fill('REACTION_DOES_NOT_EXIST'), 'success']);
      expect(await reactionsTo(id)).toEqual([]);
    });
  });
}

import type { Answer, Caller } from '../support/caller';
import { granted } from '../support/caller';
import type { Person } from '../support/organization';
import type { ProcessServer } from '../support/processes';
import { startProcesses } from '../support/processes';

const MINUTE = 60_000;
const CROWD = 200;

let server: ProcessServer;
beforeAll(async () => (server = await startProcesses({ apis: 2 })), MINUTE);
afterAll(() => server.close(), MINUTE);

const react = (by: Caller, id: number, emoji_name = 'tada') => by.post(`/messages/${id}/reactions`, { emoji_name });
const codes = (answers: readonly Answer[]) => answers.map(({ body }) => body.code ?? body.result).sort();
const reactionsTo = async (id: number) => {
  const { message } = granted(
    await server.owner.get<{ message: { reactions: { user_id: number; emoji_name: string }[] } }>(`/messages/${id}`),
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
  it(
    'of 200 people at once are all kept, and heard of once each',
    async () => {
      const id = await message();
      const people = await crowd();
      const queue = await server.owner.register({ event_types: ['reaction'], fetch_event_types: [] });
      const answers = await Promise.all(people.map((one, n) => react(one.at(server.urls[n % 2] ?? ''), id)));
      expect(new Set(codes(answers))).toEqual(new Set(['success']));
      const reactions = await reactionsTo(id);
      const everybody = people.map((one) => one.id).sort((a, b) => a - b);
      expect(reactions.map(({ user_id }) => user_id).sort((a, b) => a - b)).toEqual(everybody);
      const heard = await server.owner.events(queue);
      expect(heard.map(({ user_id }) => user_id)).toEqual(reactions.map(({ user_id }) => user_id));
    },
    3 * MINUTE,
  );

  it('of one person at once succeed exactly once', async () => {
    const id = await message();
    const names = Array.from({ length: 8 }, (_, n) => (n % 4 < 2 ? '+1' : 'thumbs_up'));
    const sides = server.urls.map((url) => server.owner.at(url));
    const answers = await Promise.all(names.map((name, n) => react(sides[n % 2] ?? server.owner, id, name)));
    expect(codes(answers)).toEqual([...Array<string>(7).fill('REACTION_ALREADY_EXISTS'), 'success']);
    expect(await reactionsTo(id)).toHaveLength(1);
    const removals = await Promise.all(
      names.map((_, n) => (sides[n % 2] ?? server.owner).delete(`/messages/${id}/reactions`, { emoji_code: '1f44d' })),
    );
    expect(codes(removals)).toEqual([...Array<string>(7).fill('REACTION_DOES_NOT_EXIST'), 'success']);
    expect(await reactionsTo(id)).toEqual([]);
  });
});

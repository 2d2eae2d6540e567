import type { WireEmoji } from '../../support/requests/emoji';
import { addEmoji, emojiOf } from '../../support/requests/emoji';
import type { WireEvent } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let otto: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  otto = await server.person({ name: 'Otto' });
});
afterAll(() => server.close());

const remove = (by: Person, name: string) => by.delete(`/realm/emoji/${name}`);

describe('realm_emoji events', () => {
  const act = async () => {
    granted(await addEmoji(owner, 'news'));
    granted(await remove(owner, 'news'));
  };

  it('are single changes for clients with that capability', async () => {
    const input = { event_types: ['realm_emoji'], client_capabilities: { individual_emoji_changes: true } };
    const received = await otto.receive(act, input);
    const added = (received[0]?.['emoji'] ?? {}) as WireEmoji;
    expect(received).toEqual([
      {
        id: expect.any(Number) as number,
        type: 'realm_emoji',
        op: 'add',
        emoji: { ...(await emojiOf(otto))[added.id], deactivated: false },
      },
      {
        id: expect.any(Number) as number,
        type: 'realm_emoji',
        op: 'update_one',
        emoji_id: added.id,
        data: { deactivated: true },
      },
    ]);
  });

  it('are the whole list of that time for other clients', async () => {
    const before = await emojiOf(otto);
    const received = await otto.receive(act, 'realm_emoji');
    const after = await emojiOf(otto);
    const [id] = Object.keys(after).filter((one) => !(one in before));
    const event = (realm_emoji: object): WireEvent => ({
      id: expect.any(Number) as number,
      type: 'realm_emoji',
      op: 'update',
      realm_emoji,
    });
    const first = { ...after, [id ?? '']: { ...after[id ?? ''], deactivated: false } };
    expect(received).toEqual([event(first), event(after)]);
  });

  it('continue from the state of POST /register', async () => {
    const { realm_emoji } = await otto.register({ fetch_event_types: ['realm_emoji'] });
    expect(realm_emoji).toEqual(await emojiOf(otto));
  });
});

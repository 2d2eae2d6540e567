import { term } from '../../support/requests/message-fixture';
import { copied, idOf, send, sendDirect } from '../../support/requests/messages';
import { textsWith } from '../../support/requests/searches';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startWithUsers } from '../../support/server/start-with-users';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let other: Person;
let guest: Person;
const channels: Record<string, number> = {};
beforeAll(async () => {
  ({ server, owner, administrator, member, other, guest } = await startWithUsers());
  const secret = { invite_only: true };
  const shared = { ...secret, history_public_to_subscribers: true };
  const kinds = { open: {}, kept: { ...secret, history_public_to_subscribers: false }, shared, past: shared };
  for (const [name, more] of Object.entries(kinds)) {
    channels[name] = await server.channel(owner, { name, subscribers: [owner, member], ...more });
    await idOf(send(owner, { to: channels[name], topic: 'needles', content: `early ${name}` }));
  }
  const subscribe = { subscriptions: ['kept', 'shared', 'past'].map((name) => ({ name })), principals: [other.id] };
  granted(await owner.post('/users/me/subscriptions', subscribe));
  for (const [name, to] of Object.entries(channels)) {
    await idOf(send(owner, { to, topic: 'needles', content: `late ${name}` }));
  }
  granted(await other.delete('/users/me/subscriptions', { subscriptions: ['past'] }));
  const asGuest = { subscriptions: [{ name: 'open' }], principals: [guest.id] };
  granted(await owner.post('/users/me/subscriptions', asGuest));
  await idOf(send(owner, { to: channels['open'], topic: 'needles', content: 'latest open' }));
  granted(await sendDirect(owner, [member.id], { content: 'needles in private' }));
  await server.settled();
});
afterAll(() => server.close());

const cases = () => {
  it('finds nothing of channels that the user cannot read', async () => {
    expect(await textsWith(administrator, 'needle')).toEqual([]);
    expect(await textsWith(administrator, 'needle', [term('channel', 'shared')])).toEqual([]);
  });

  it('finds what was sent while the user was subscribed', async () => {
    const early = ['open', 'kept', 'shared', 'past'].map((name) => `early ${name}`);
    const late = ['open', 'kept', 'shared', 'past'].map((name) => `late ${name}`);
    expect(await textsWith(member, 'needle')).toEqual([...early, ...late, 'latest open', 'needles in private']);
    expect(await textsWith(other, 'needle')).toEqual(['late kept', 'late shared']);
  });

  it('finds earlier messages of a channel where its history is shared', async () => {
    expect(await textsWith(other, 'needle', [term('channel', 'kept')])).toEqual(['late kept']);
    expect(await textsWith(other, 'needle', [term('channel', 'shared')])).toEqual(['early shared', 'late shared']);
    expect(await textsWith(other, 'needle', [term('channel', 'open')])).toEqual([
      'early open',
      'late open',
      'latest open',
    ]);
    expect(await textsWith(other, 'needle', [term('channels', 'public')])).toEqual([
      'early open',
      'late open',
      'latest open',
    ]);
  });

  it('finds for guests what they may read', async () => {
    expect(await textsWith(guest, 'needle')).toEqual(['latest open']);
    expect(await textsWith(guest, 'needle', [term('channel', 'open')])).toEqual([
      'early open',
      'late open',
      'latest open',
    ]);
  });

  it('finds nothing of the conversations of others', async () => {
    expect(await textsWith(other, 'private')).toEqual([]);
    expect(await textsWith(member, 'private')).toEqual(['needles in private']);
  });
};

describe('a search among few messages', cases);

describe('a search among many messages', () => {
  beforeAll(async () => {
    const everybody = [administrator, member, other, guest];
    const to = await server.channel(owner, { name: 'hay', subscribers: [owner, ...everybody] });
    await copied(server.kernel, await idOf(send(owner, { to, topic: 'hay', content: 'hay' })), 500);
    await server.settled();
  });
  cases();
});

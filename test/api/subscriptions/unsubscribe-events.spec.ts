import type { Params, WireEvent } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import { only } from '../../support/requests/groups';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { unsubscribe } from '../../support/requests/subscriptions';

let server: TestServer;
let owner: Person;
let administrator: Person;
let member: Person;
let other: Person;
let guest: Person;
beforeAll(async () => ({ server, owner, administrator, member, other, guest } = await startWithUsers()));
afterAll(() => server.close());

let made = 0;
const fresh = () => `channel ${++made}`;
async function channel(by: Person, subscribers: readonly Person[], more: Params = {}) {
  const name = fresh();
  return { name, id: await server.channel(by, { name, subscribers, ...more }) };
}

describe('client events of unsubscriptions', () => {
  const kinds = (events: readonly WireEvent[]) => events.map(({ type, op }) => `${type} ${op ?? ''}`);
  const types = { event_types: ['stream', 'subscription'] };

  it('are one event for all channels of a user, and one for each channel for peers', async () => {
    const channels = [await channel(owner, [member, other]), await channel(owner, [member])];
    const names = channels.map(({ name }) => name);
    let toPeer: readonly WireEvent[] = [];
    let toBoth: readonly WireEvent[] = [];
    const act = () => unsubscribe(owner, names, { principals: [member.id, other.id] });
    const toMember = await member.receive(async () => {
      toPeer = await administrator.receive(async () => void (toBoth = await other.receive(act, types)), types);
    }, types);
    const of = (shown: typeof channels) => shown.map(({ name, id }) => ({ name, stream_id: id }));
    const removed = (shown: typeof channels) => ({ type: 'subscription', op: 'remove', subscriptions: of(shown) });
    expect(toMember).toEqual([{ id: toMember[0]?.id, ...removed(channels) }]);
    expect(toBoth).toMatchObject([removed(channels.slice(0, 1)), { op: 'peer_remove', user_ids: [member.id] }]);
    expect(toPeer).toMatchObject([
      { op: 'peer_remove', stream_ids: [channels[0]?.id], user_ids: [member.id, other.id] },
      { op: 'peer_remove', stream_ids: [channels[1]?.id], user_ids: [member.id] },
    ]);
  });

  it('delete the channels that the user can no longer see: guests, and others in private channels', async () => {
    const open = await channel(owner, [owner, member, guest]);
    const hidden = await channel(owner, [owner, member, administrator], { invite_only: true });
    const seen = await channel(owner, [owner, member], {
      invite_only: true,
      can_subscribe_group: only(member),
    });
    const received = (who: Person, { name }: { name: string }) => who.receive(() => unsubscribe(who, [name]), types);
    expect(kinds(await received(member, open))).toEqual(['subscription remove']);
    expect(kinds(await received(administrator, hidden))).toEqual(['subscription remove']);
    expect(kinds(await received(member, seen))).toEqual(['subscription remove']);
    expect(kinds(await received(guest, open))).toEqual(['subscription remove', 'stream delete']);
    const [, hiding] = await received(member, hidden);
    expect(hiding).toMatchObject({
      type: 'stream',
      op: 'delete',
      stream_ids: [hidden.id],
      streams: [{ stream_id: hidden.id }],
    });
  });

  it('are for users who can see the subscribers', async () => {
    const hidden = await channel(owner, [owner, member, other], { invite_only: true });
    const act = () => unsubscribe(member, [hidden.name]);
    let toOutsider: readonly WireEvent[] = [];
    const outsider = await server.person();
    const toPeer = await other.receive(async () => {
      toOutsider = await outsider.receive(act, types);
    }, types);
    expect(toPeer).toMatchObject([{ op: 'peer_remove', stream_ids: [hidden.id], user_ids: [member.id] }]);
    expect(toOutsider).toEqual([]);
  });

  it('are absent where nobody was unsubscribed', async () => {
    const { name } = await channel(owner, [owner]);
    expect(await owner.receive(() => unsubscribe(member, [name]), types)).toEqual([]);
  });
});

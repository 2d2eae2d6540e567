import type { Person } from '../../support/server/organization';
import { granted } from '../../support/server/caller';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const POLICIES = ['always', 'except_followed', 'never'] as const;
type Policy = (typeof POLICIES)[number];

interface State {
  readonly unread_msgs: { readonly streams: readonly { readonly unread_message_ids: readonly number[] }[] };
}

/** contract/boot.md section 6, `resolved_topic_notice_auto_read_policy` */
describe('the notice that a topic was marked as resolved', () => {
  let server: TestServer;
  let channel: number;
  let name: string;
  /** A follower of the topic and another subscriber for each policy. */
  const followers = new Map<Policy, Person>();
  const others = new Map<Policy, Person>();
  let topic = 0;
  beforeAll(async () => {
    server = await startTestServer();
    for (const policy of POLICIES) {
      for (const [people, kind] of [
        [followers, 'follower'],
        [others, 'other'],
      ] as const) {
        const person = await server.person({ name: `${kind} ${policy}` });
        granted(await person.patch('/settings', { resolved_topic_notice_auto_read_policy: policy }));
        people.set(policy, person);
      }
    }
    name = 'plans';
    channel = await server.channel(server.owner, { name, subscribers: [server.owner, ...everybody()] });
  });
  afterAll(() => server.close());

  const everybody = () => [...followers.values(), ...others.values()];
  const ofPolicy = (people: ReadonlyMap<Policy, Person>, policy: Policy) => people.get(policy) as Person;

  /** Resolves a new topic. @returns the id of the notice */
  async function resolve(): Promise<number> {
    const called = `topic ${(topic += 1)}`;
    const first = { type: 'channel', to: channel, topic: called, content: 'done?' };
    const { id } = granted(await server.owner.post<{ id: number }>('/messages', first));
    for (const person of followers.values()) {
      granted(await person.post('/user_topics', { stream_id: channel, topic: called, visibility_policy: 3 }));
    }
    for (const person of everybody()) granted(await person.post('/mark_all_as_read'));
    granted(await server.owner.patch(`/messages/${id}`, { topic: `✔ ${called}`, propagate_mode: 'change_all' }));
    const narrow = [{ operator: 'channel', operand: channel }];
    const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow };
    const { messages } = granted(await server.owner.get<{ messages: { id: number }[] }>('/messages', page));
    return messages[0]?.id ?? 0;
  }

  const isReadOnFetch = async (person: Person, id: number) =>
    granted(await person.get<{ message: { flags: string[] } }>(`/messages/${id}`)).message.flags.includes('read');
  const unreadAtRegister = async (person: Person) => {
    const { unread_msgs } = granted(await person.post<State>('/register'));
    return unread_msgs.streams.flatMap(({ unread_message_ids: ids }) => ids);
  };
  const unreadBySearch = async (person: Person) => {
    const narrow = [{ operator: 'is', operand: 'unread' }];
    const page = { anchor: 'newest', num_before: 9, num_after: 0, narrow };
    return granted(await person.get<{ messages: { id: number }[] }>('/messages', page)).messages.map(({ id }) => id);
  };

  it.each([
    ['always', true, true],
    ['except_followed', false, true],
    ['never', false, false],
  ] as const)('%s: read for a follower of the topic: %j, for others: %j', async (policy, ofFollower, ofOther) => {
    for (const [person, isRead] of [
      [ofPolicy(followers, policy), ofFollower],
      [ofPolicy(others, policy), ofOther],
    ] as const) {
      const events = await person.receive(() => resolve(), 'message');
      const { message, flags } = events.at(-1) as unknown as { message: { id: number }; flags: string[] };
      expect(flags.includes('read')).toBe(isRead);
      expect(await isReadOnFetch(person, message.id)).toBe(isRead);
      const unread = isRead ? [] : [message.id];
      expect(await unreadAtRegister(person)).toEqual(unread);
      expect(await unreadBySearch(person)).toEqual(unread);
    }
  });

  it('is read for the user who resolved the topic, and one that is read can be marked as unread', async () => {
    const id = await resolve();
    expect(await isReadOnFetch(server.owner, id)).toBe(true);
    const person = ofPolicy(followers, 'always');
    granted(await person.post('/messages/flags', { messages: [id], op: 'remove', flag: 'read' }));
    expect(await isReadOnFetch(person, id)).toBe(false);
    granted(await person.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }));
    expect(await unreadAtRegister(person)).toEqual([]);
  });

  it('is not among the messages that became read when users leave, where it was read before', async () => {
    const id = await resolve();
    for (const [person, messages] of [
      [ofPolicy(followers, 'except_followed'), [id]],
      [ofPolicy(others, 'except_followed'), undefined],
    ] as const) {
      const leave = async () => granted(await person.delete('/users/me/subscriptions', { subscriptions: [name] }));
      const [event] = await person.receive(leave, 'update_message_flags');
      expect(event?.['messages']).toEqual(messages);
      granted(await person.post('/users/me/subscriptions', { subscriptions: [{ name }] }));
    }
  });

  it('keeps its state when the setting changes', async () => {
    const id = await resolve();
    const person = ofPolicy(others, 'never');
    expect(await isReadOnFetch(person, id)).toBe(false);
    granted(await person.patch('/settings', { resolved_topic_notice_auto_read_policy: 'always' }));
    expect(await isReadOnFetch(person, id)).toBe(false);
  });
});

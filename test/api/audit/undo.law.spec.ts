import fc from 'fast-check';
import { granted } from '../../support/server/caller';
import { groupSeen, makeGroup } from '../../support/requests/groups';
import type { Message } from '../../support/requests/messages';
import { idOf, send } from '../../support/requests/messages';
import { move } from '../../support/requests/moves';
import { subscriptionOf, unsubscribe } from '../../support/requests/subscriptions';
import { newestEvents, undone } from '../../support/requests/undo';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';

const TOPICS = ['plan', 'Plan', '✔ plan', 'design'] as const;
const UNDOABLE = [
  'messages.TopicMoved',
  'messages.MessagesMoved',
  'messages.MessagesDeleted',
  'channels.Unsubscribed',
  'groups.MembersAdded',
  'groups.MembersRemoved',
];

/** A channel with messages and a group. */
interface Stage {
  readonly channel: number;
  readonly name: string;
  readonly group: number;
  readonly ids: readonly number[];
}

let users: ServerWithUsers;
let stage: Stage;
beforeAll(async () => {
  users = await startWithUsers();
  const { owner, member } = users;
  const { id: channel, name } = await users.server.namedChannel(owner, { subscribers: [owner, member] });
  const ids: number[] = [];
  for (const [n, topic] of [...TOPICS, ...TOPICS].entries())
    ids.push(await idOf(send(n % 2 ? owner : member, { to: name, topic, content: `number ${n}` })));
  // Whoever leaves a channel has read its messages, also after coming back.
  for (const by of [owner, member]) granted(await by.post('/mark_all_as_read'));
  stage = { channel, name, group: await makeGroup(owner, { members: [owner.id] }), ids };
});
afterAll(() => users.server.close());

/** What the owner and the member see of it. */
async function shown() {
  const { owner, member } = users;
  const { channel, name, group } = stage;
  const narrow = [{ operator: 'channel', operand: name }];
  const params = { anchor: 'newest', num_before: 100, num_after: 0, narrow };
  const views = [];
  for (const by of [owner, member]) {
    const { messages } = granted(await by.get<{ messages: Message[] }>('/messages', params));
    // Letter cases of a name are one topic. That a message was moved back and forth is in its history.
    const places = messages.map(({ id, subject, content, flags, reactions }) => {
      return [id, String(subject).toLowerCase(), content, flags, reactions];
    });
    const { topics } = granted(await by.get<{ topics: { name: string }[] }>(`/users/me/${channel}/topics`));
    const names = topics.map((topic) => topic.name.toLowerCase());
    views.push(places, names, (await subscriptionOf(by, name))?.stream_id);
  }
  return [...views, [...(await groupSeen(owner, group)).members].sort()];
}

type Acting = (stage: Stage, which: number, topic: string) => Promise<unknown>;

const ACTS: readonly Acting[] = [
  ({ ids }, which, topic) => move(users.owner, ids[which] ?? 0, { topic, propagate_mode: 'change_all' }),
  ({ ids }, which, topic) => move(users.owner, ids[which] ?? 0, { topic, propagate_mode: 'change_later' }),
  ({ ids }, which, topic) => move(users.owner, ids[which] ?? 0, { topic }),
  ({ ids }, which) => users.owner.delete(`/messages/${ids[which]}`),
  ({ channel }, _, topic_name) => users.owner.post(`/streams/${channel}/delete_topic`, { topic_name }),
  ({ name }) => unsubscribe(users.owner, [name], { principals: [users.member.id] }),
  ({ group }) => users.owner.post(`/user_groups/${group}/members`, { add: [users.member.id] }),
];

const anAct = fc.record({ act: fc.constantFrom(...ACTS), which: fc.nat(7), topic: fc.constantFrom(...TOPICS) });

it('an act that is undone at once leaves everything as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anAct, { minLength: 3, maxLength: 6 }), async (acts) => {
      for (const { act, which, topic } of acts) {
        const before = await shown();
        const [last] = await newestEvents(users.owner, UNDOABLE);
        // Some acts are refused, because nothing would change.
        await act(stage, which, topic).catch(() => undefined);
        const [newest] = await newestEvents(users.owner, UNDOABLE);
        if (!newest || newest.position === last?.position) continue;
        await undone(users.owner, newest.position);
        expect(await shown()).toEqual(before);
      }
    }),
    { numRuns: 6 },
  );
});

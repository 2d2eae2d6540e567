import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import type { Message } from '../../support/requests/messages';
import { idOf, send } from '../../support/requests/messages';
import type { Person } from '../../support/server/organization';
import { inMinutes, remindersOf } from '../../support/requests/scheduling';
import type { TestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let channel: number;
beforeAll(async () => {
  ({ server, owner, member, other } = await startWithUsers());
  channel = await server.channel(owner, { subscribers: [owner, member, other] });
});
afterAll(() => server.close());

const remind = async (by: Person, params: object) =>
  granted(await by.post<{ reminder_id: number }>('/reminders', { ...params })).reminder_id;
const newest = async (by: Person) => {
  const params = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false };
  const { messages } = granted(await by.get<{ messages: Message[] }>('/messages', params));
  return messages.at(-1);
};

describe('a reminder', () => {
  it('of a message names the message and its author, with the note', async () => {
    const id = await idOf(send(other, { to: channel, content: 'the plan' }));
    const reminder = await remind(member, {
      message_id: id,
      note: 'read it',
      scheduled_delivery_timestamp: inMinutes(server, 5),
    });
    expect(await remindersOf(member)).toMatchObject([{ reminder_id: reminder, reminder_target_message_id: id }]);
    server.clock.advance(5 * 60_000);
    await server.deliverDue();
    expect((await newest(member))?.['content']).toMatchInlineSnapshot(`
      "You asked to be reminded of a message in #**channel 5>lunch@42**.

      Your note:

      \`\`\`quote
      read it
      \`\`\`

      @_**Otto|5** [said](http://127.0.0.1:0/#narrow/channel/2-channel-5/topic/lunch/near/42):
      \`\`\`quote
      the plan
      \`\`\`"
    `);
    expect(await remindersOf(member)).toEqual([]);
  });

  it('without a message is a note to oneself', async () => {
    const reminder = await remind(member, { note: 'buy bread' });
    expect(await remindersOf(member)).toMatchObject([
      { reminder_id: reminder, scheduled_delivery_timestamp: inMinutes(server, 60) },
    ]);
    server.clock.advance(60 * 60_000);
    await server.deliverDue();
    expect((await newest(member))?.['content']).toMatchInlineSnapshot(`
      "You asked to be reminded of this note:

      \`\`\`quote
      buy bread
      \`\`\`"
    `);
  });
});

import { ReplyAddresses } from '@annals/email-notifications';
import type { ConversationId, RealmId, TopicId } from '@annals/kernel/domain';
import { DAY_MS } from '@annals/kernel/domain';
import { laterMailsTo } from '../../support/mail/missed';
import { idOf, send, sendDirect } from '../../support/requests/messages';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let [ann, bob]: Person[] = [];
beforeAll(async () => (server = await startTestServer({ env: { ANNALS_MAIL_PATTERN: 'chat+%s@in.example.com' } })));
beforeEach(async () => {
  [ann, bob] = [await server.person({ name: 'Ann Example' }), await server.person({ name: 'Bob Example' })];
});
afterAll(() => server.close());

const anns = () => ann as Person;
const bobs = () => bob as Person;
/** The token of the address that answers to the newest mail to Bob go to. */
async function token(): Promise<string> {
  const mail = (await laterMailsTo(server, bobs())).at(-1);
  expect(mail?.text).toContain('Your answer to this mail is sent to the conversation.');
  return /^chat\+(\S+)@in\.example\.com$/.exec(mail?.replyTo ?? '')?.[1] ?? '';
}
const resolve = (text: string) => server.running.get(ReplyAddresses).resolve(text);

describe('the address that answers to a mail go to', () => {
  it('is for the user and a topic, wherever the topic is by then', async () => {
    const to = await server.channel(anns(), { subscribers: [anns(), bobs()] });
    const id = await idOf(send(anns(), { to, topic: 'plans', content: `@**|${bobs().id}** come` }));
    const address = await token();
    expect(await resolve(address)).toEqual({ realmId: 1, userId: bobs().id, to: { channel: to, topic: 'plans' } });
    granted(await anns().patch(`/messages/${id}`, { topic: 'later', propagate_mode: 'change_all' }));
    expect((await resolve(address.toUpperCase()))?.to).toEqual({ channel: to, topic: 'later' });
  });

  it('is for the user and all people of a conversation', async () => {
    const cat = await server.person();
    await idOf(sendDirect(anns(), [bobs().id, cat.id]));
    const people = [anns().id, bobs().id, cat.id].sort((a, b) => a - b);
    expect(await resolve(await token())).toEqual({ realmId: 1, userId: bobs().id, to: { people } });
  });

  it('expires after five days', async () => {
    await idOf(sendDirect(anns(), [bobs().id]));
    const address = await token();
    server.clock.advance(5 * DAY_MS - 1_000);
    expect(await resolve(address)).not.toBeNull();
    server.clock.advance(2_000);
    expect(await resolve(address)).toBeNull();
  });

  it('is void if it was changed in any way, or the user is gone', async () => {
    await idOf(sendDirect(anns(), [bobs().id]));
    const address = await token();
    const [realm = '', user = '', of = '', expires = '', signature = ''] = address.split('.');
    for (const wrong of [
      [realm, anns().id.toString(36), of, expires, signature],
      [realm, user, of.replace('d', 't'), expires, signature],
      [realm, user, of, `z${expires}`, signature],
      ['r2', user, of, expires, signature],
      ['rzzzzzz', user, of, expires, signature],
      [realm, user, of, expires, signature.slice(1)],
      [realm, user, of, expires],
      [''],
    ]) {
      expect(await resolve(wrong.join('.'))).toBeNull();
    }
    expect(await resolve(address)).not.toBeNull();
    granted(await server.owner.delete(`/users/${bobs().id}`));
    expect(await resolve(address)).toBeNull();
  });

  it('is for a topic or conversation that exists', async () => {
    const addresses = server.running.get(ReplyAddresses);
    const of = async (conversation: { topicId: TopicId } | { conversationId: ConversationId }) => {
      const address = await addresses.of(1 as RealmId, bobs().id, conversation);
      return resolve(/\+(\S+)@/.exec(address ?? '')?.[1] ?? '');
    };
    expect(await of({ topicId: 999_999 as TopicId })).toBeNull();
    expect(await of({ conversationId: 999_999 as ConversationId })).toBeNull();
  });

  it('is not in a mail without content, because the user cannot know where the answer goes', async () => {
    granted(await bobs().patch('/settings', { message_content_in_email_notifications: false }));
    await idOf(sendDirect(anns(), [bobs().id]));
    expect((await laterMailsTo(server, bobs())).at(-1)?.replyTo).toBeNull();
  });
});

import type { ChannelId } from '@annals/kernel/domain';
import { granted } from '../../../../../test/support/server/caller';
import type { Person } from '../../../../../test/support/server/organization';
import type { TestServer } from '../../../../../test/support/server/server';
import { startTestServer } from '../../../../../test/support/server/server';
import type { Trail } from '../../spec-support/trail-of';
import { ALL, NONE, headOf, sendTo, trailOf } from '../../spec-support/trail-of';
import type { TrailEntry } from './trail-entry';

describe('entries of the trail', () => {
  let server: TestServer;
  let trail: Trail;
  let ada: Person;
  let general: ChannelId;
  let secret: ChannelId;

  beforeAll(async () => {
    server = await startTestServer();
    trail = trailOf(server);
    ada = await server.person({ name: 'Ada' });
    general = await server.channel(server.owner, { name: 'general talk', subscribers: [server.owner, ada] });
    secret = await server.channel(server.owner, {
      name: 'secret plans',
      subscribers: [server.owner, ada],
      invite_only: true,
    });
  });
  afterAll(() => server.close());

  const head = () => headOf(server);
  const send = (to: ChannelId, topic: string, content?: string) => sendTo(ada, to, topic, content);
  const sentences = (list: readonly TrailEntry[]) => list.map(({ sentence }) => sentence);

  it('have the shape of the interface', async () => {
    const id = await send(general, 'plan', 'Let us begin.');
    const [entry] = await trail(ALL, id - 1, 'messages.MessageSent');
    expect(entry).toMatchObject({
      position: id,
      id: `${server.kernel.installation}/1/${id}`,
      type: 'messages.MessageSent',
      version: 2,
      at: '2026-01-01T00:00:00.000Z',
      actor: { user_id: ada.id, full_name: 'Ada', role: 400, is_bot: false },
      data: { senderId: ada.id },
      words: { content: 'Let us begin.' },
      words_state: 'shown',
      request: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, address: '127.0.0.1' },
    });
    expect(entry?.subjects).toContainEqual({ kind: 'message', id });
  });

  it('name things as they were, whatever they are called later', async () => {
    const from = await head();
    const id = await send(general, 'autumn');
    granted(await ada.patch(`/messages/${id}`, { topic: 'winter', propagate_mode: 'change_all' }));
    granted(await server.owner.patch(`/streams/${general}`, { new_name: 'design' }));
    granted(await ada.patch('/settings', { full_name: 'Ada Lovelace' }));
    granted(await ada.patch(`/messages/${id}`, { topic: 'spring', propagate_mode: 'change_all' }));
    const shown = await trail(ALL, from, 'messages.TopicMoved', 'channels.ChannelRenamed', 'users.FullNameChanged');
    expect(sentences(shown)).toEqual([
      'Ada renamed the topic “autumn” in #general talk to “winter” (1 message).',
      'Owner renamed #general talk to #design.',
      'Ada changed their name to Ada Lovelace.',
      'Ada Lovelace renamed the topic “winter” in #design to “spring” (2 messages).',
    ]);
    expect(shown.map(({ changes }) => changes)).toEqual([
      [{ property: 'topic', before: 'autumn', after: 'winter' }],
      [{ property: 'name', before: 'general talk', after: 'design' }],
      [{ property: 'full_name', before: 'Ada', after: 'Ada Lovelace' }],
      [{ property: 'topic', before: 'winter', after: 'spring' }],
    ]);
    expect(shown[2]?.actor?.full_name).toBe('Ada');
    granted(await ada.patch('/settings', { full_name: 'Ada' }));
    granted(await server.owner.patch(`/streams/${general}`, { new_name: 'general talk' }));
  });

  it('without the right to words have no text, no topic, no private channel and no address', async () => {
    const from = await head();
    const id = await send(secret, 'autumn');
    granted(await ada.patch(`/messages/${id}`, { topic: 'winter', propagate_mode: 'change_all' }));
    granted(await server.owner.patch(`/streams/${secret}`, { new_name: 'hidden' }));
    const types = ['messages.TopicMoved', 'channels.ChannelRenamed'];
    const withheld = await trail(NONE, from, ...types);
    expect(sentences(withheld)).toEqual([
      'Ada renamed a topic in a private channel to another name (1 message).',
      'Owner renamed a private channel to another name.',
    ]);
    expect(withheld.map(({ changes }) => changes)).toEqual([
      [{ property: 'topic', before: null, after: null }],
      [{ property: 'name', before: null, after: null }],
    ]);
    for (const { words, words_state, request } of withheld) {
      expect([words, words_state, request.address]).toEqual([null, 'withheld', null]);
    }
    expect(sentences(await trail({ words: 'none', channels: new Set([secret]) }, from, ...types))).toEqual([
      'Ada renamed a topic in #secret plans to another name (1 message).',
      'Owner renamed #secret plans to #hidden.',
    ]);
    expect(JSON.stringify(await trail(NONE, from, ...types))).not.toMatch(/secret|hidden|autumn|winter/);
  });

  it('of a user show the words of their own acts only', async () => {
    const from = await head();
    await send(general, 'of Ada', 'I wrote this.');
    const question = { type: 'channel', to: general, topic: 'of the owner', content: 'You may not read this here.' };
    granted(await server.owner.post('/messages', question));
    const shown = await trail({ words: { ownOf: ada.id }, channels: NONE.channels }, from, 'messages.MessageSent');
    expect(shown.map(({ words_state, request }) => [words_state, request.address])).toEqual([
      ['shown', '127.0.0.1'],
      ['withheld', null],
    ]);
    expect(JSON.stringify(shown)).not.toContain('You may not read');
  });

  it('hide the earlier name of a channel that is private now, and the name that was private then', async () => {
    const from = await head();
    const id = await server.channel(server.owner, { name: 'open thing' });
    granted(await server.owner.patch(`/streams/${id}`, { is_private: true }));
    granted(await server.owner.patch(`/streams/${id}`, { new_name: 'closed thing' }));
    const types = ['channels.ChannelCreated', 'channels.PrivacyChanged', 'channels.ChannelRenamed'];
    expect(JSON.stringify(await trail(NONE, from, ...types))).not.toMatch(/open thing|closed thing/);
    granted(await server.owner.patch(`/streams/${id}`, { is_private: false }));
    const shown = sentences(await trail(NONE, from, ...types));
    expect(shown).toEqual([
      'Owner created #open thing (public).',
      'Owner made a private channel private, with protected history (it was public).',
      'Owner renamed a private channel to another name.',
      'Owner made #closed thing public (it was private, with protected history).',
    ]);
  });
});

import { ENGLISH_STOP_WORDS } from '../../../libs/messages/src/read/search/stop-words';
import { idOf, send } from '../../support/requests/messages';
import { textsWith } from '../../support/requests/searches';
import { granted } from '../../support/server/caller';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

describe('stop words', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  const registered = async () => {
    const params = { event_types: [], fetch_event_types: ['stop_words'] };
    return granted(await server.owner.post<{ stop_words: string[] }>('/register', params)).stop_words;
  };

  it('are listed for clients, and are the words that searches ignore', async () => {
    expect(await registered()).toEqual(ENGLISH_STOP_WORDS);
    const to = await server.channel(server.owner, { subscribers: [server.owner] });
    const content = ENGLISH_STOP_WORDS.join(' ');
    await idOf(send(server.owner, { to, topic: 'words', content }));
    await server.settled();
    const { rows } = await server.kernel.database.pool.query<{ words: string }>(
      `SELECT words::text FROM view.message_words ORDER BY message_id DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ words: '' }]);
    expect(await textsWith(server.owner, ENGLISH_STOP_WORDS.slice(0, 50).join(' '))).toEqual([]);
    expect(await textsWith(server.owner, 'the words')).toEqual([content]);
  });

  it('are not listed in other languages', async () => {
    granted(await server.owner.patch('/realm', { default_language: 'de' }));
    expect(await registered()).toEqual([]);
  });
});

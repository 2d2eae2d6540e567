import { idOf, send } from '../../support/requests/messages';
import { highlight, matchesOf, textsWith } from '../../support/requests/searches';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startWithUsers } from '../../support/server/start-with-users';

let server: TestServer;
let owner: Person;
let channel: number;
beforeAll(async () => {
  ({ server, owner } = await startWithUsers());
  channel = await server.channel(owner, { subscribers: [owner] });
});
afterAll(() => server.close());

const sent = async (content: string, topic: string) => {
  await idOf(send(owner, { to: channel, topic, content }));
  await server.settled();
};
const speak = async (language: string) => granted(await owner.patch('/realm', { default_language: language }));

describe('the language of the organization', () => {
  it('decides which words have the same stem and which are stop words, for what is written from then on', async () => {
    await sent('the generously built houses', 'running');
    await speak('de');
    await sent('die Häuser am See', 'Gärten');
    await sent('the end', 'Ende');
    expect(await textsWith(owner, 'Haus')).toEqual(['die Häuser am See']);
    expect(await textsWith(owner, 'Garten')).toEqual(['die Häuser am See']);
    expect(await textsWith(owner, 'die')).toEqual([]);
    expect(await textsWith(owner, 'the')).toEqual(['the end']);
    const [house] = await matchesOf(owner, 'Haus');
    expect(house).toMatchObject({ match_content: `<p>die ${highlight('Häuser')} am See</p>` });
  });

  it('does not hide what was written before it changed', async () => {
    expect(await textsWith(owner, 'generous')).toEqual(['the generously built houses']);
    expect(await textsWith(owner, 'runs')).toEqual(['the generously built houses']);
    const [found] = await matchesOf(owner, 'house');
    expect(found).toMatchObject({ match_content: `<p>the generously built ${highlight('houses')}</p>` });
    await speak('en');
    expect(await textsWith(owner, 'Häusern')).toEqual(['die Häuser am See']);
  });

  it('may be one without known stems', async () => {
    await speak('cs');
    await sent('the gardens', 'plain');
    expect(await textsWith(owner, 'gardens')).toEqual(['the gardens']);
    expect(await textsWith(owner, 'the gardens')).toEqual(['the gardens']);
    expect(await textsWith(owner, 'THE plain')).toEqual(['the gardens']);
  });

  it('may be changed by a rename, for the name of the topic', async () => {
    const [{ id } = { id: 0 }] = await matchesOf(owner, 'plain');
    await speak('fr');
    granted(await owner.patch(`/messages/${id}`, { topic: 'les chevaux', propagate_mode: 'change_all' }));
    await server.settled();
    expect(await textsWith(owner, 'cheval gardens')).toEqual(['the gardens']);
  });
});

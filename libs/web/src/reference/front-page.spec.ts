import type { ToyApp } from '../../testing/toy-app';
import { startToyApp } from '../../testing/toy-app';

describe('the address of the server itself', () => {
  let toy: ToyApp;
  beforeAll(async () => (toy = await startToyApp()));
  afterAll(() => toy.close());

  it.each(['/', '/?utm=1'])('describes the server to a browser at %s, with a link to the reference', async (path) => {
    const page = await fetch(`http://127.0.0.1:${toy.port}${path}`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const [, reference = ''] = /href="(\/api[^"]+)"/.exec(await page.text()) ?? [];
    expect((await fetch(new URL(reference, page.url))).status).toBe(200);
  });

  it('does not exist for programs', async () => {
    expect(await toy.ask('GET', '/', { as: null })).toMatchObject({
      status: 404,
      json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not found' },
    });
  });
});

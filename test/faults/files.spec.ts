import type { ProcessServer } from '../support/processes';
import { startProcesses } from '../support/processes';
import { attachmentsOf, download, uploadFile } from '../support/uploads';

const MINUTE = 60_000;
let server: ProcessServer;
beforeAll(async () => (server = await startProcesses({ apis: 2 })), MINUTE);
afterAll(() => server.close(), MINUTE);

describe('an uploaded file', () => {
  it('is there, byte for byte, once it was answered: on every api, and after all of them were killed', async () => {
    const { owner } = server;
    const bytes = new Uint8Array(300_000).map((_, n) => (n * 31 + (n >> 8)) % 256);
    const { url } = await uploadFile(owner, bytes, { name: 'b.bin' });
    const held = async (at = server.url) =>
      new Uint8Array(await (await download(owner, url, { url: at })).arrayBuffer());
    for (const one of server.urls) expect(Buffer.compare(await held(one), bytes)).toBe(0);
    for (const api of server.apis) await server.kill(api);
    await server.startApi();
    expect(Buffer.compare(await held(), bytes)).toBe(0);
    expect((await attachmentsOf(owner)).attachments).toHaveLength(1);
  });

  it('has a temporary address that every api knows', async () => {
    const { owner } = server;
    await server.startApi();
    const { url } = await uploadFile(owner, 'hello');
    for (const one of server.urls) {
      const { body } = await owner.at(one).get<{ url: string }>(url);
      for (const other of server.urls) {
        expect(await (await download(null, body.url, { url: other })).text()).toBe('hello');
      }
    }
  });
});

import type { ProcessServer } from '../../support/processes/processes';
import { attachmentsOf, download, uploadFile } from '../../support/requests/uploads';

/** Files are there on every api, whichever got them. */
export function files(the: () => ProcessServer): void {
  describe('an uploaded file', () => {
    it('has a temporary link that is valid on every api', async () => {
      const { urls } = the();
      const person = await the().person();
      const { url } = await uploadFile(person, 'hello');
      for (const one of urls) {
        const { body } = await person.at(one).get<{ url: string }>(url);
        for (const other of urls) {
          expect(await (await download(null, body.url, { url: other })).text()).toBe('hello');
        }
      }
    });

    it('is there, byte for byte, once it was answered: on every api, and after all of them were killed', async () => {
      const server = the();
      const person = await server.person();
      const bytes = new Uint8Array(300_000).map((_, n) => (n * 31 + (n >> 8)) % 256);
      const { url } = await uploadFile(person, bytes, { name: 'b.bin' });
      const held = async (at = server.url) =>
        new Uint8Array(await (await download(person, url, { url: at })).arrayBuffer());
      for (const one of server.urls) expect(Buffer.compare(await held(one), bytes)).toBe(0);
      for (const api of server.apis) await server.kill(api);
      await server.startApi();
      expect(Buffer.compare(await held(), bytes)).toBe(0);
      expect((await attachmentsOf(person)).attachments).toHaveLength(1);
    });
  });
}

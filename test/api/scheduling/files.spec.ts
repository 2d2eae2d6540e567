import type { ChannelId } from '@annals/kernel/domain';
import { granted } from '../../support/server/caller';
import { startWithUsers } from '../../support/server/start-with-users';
import { idOf, send } from '../../support/requests/messages';
import { inChannel } from '../../support/requests/notices';
import type { Person } from '../../support/server/organization';
import { inMinutes, schedule, scheduledId } from '../../support/requests/scheduling';
import type { TestServer } from '../../support/server/server';
import { attachmentsOf, download, uploadFile } from '../../support/requests/uploads';

let server: TestServer;
let owner: Person;
let member: Person;
let other: Person;
let channel: ChannelId;
beforeAll(async () => {
  ({ server, owner, member, other } = await startWithUsers());
  channel = await server.channel(owner, { subscribers: [owner, member, other] });
});
afterAll(() => server.close());

const later = (content: string) =>
  scheduledId(schedule(member, { to: channel, content, scheduled_delivery_timestamp: inMinutes(server, 5) }));
const namedBy = async (url: string) =>
  (await attachmentsOf(member)).attachments.find(({ path_id }) => url === `/user_uploads/${path_id}`)?.message_ids;
const status = async (by: Person, url: string) => (await download(by, url)).status;
async function pass(): Promise<void> {
  server.clock.advance(5 * 60_000);
  await server.deliverDue();
}

describe('a file that only a scheduled message links to', () => {
  it('is accessible to its owner only, until the message is sent', async () => {
    const { url } = await uploadFile(member);
    await later(`see [this](${url})`);
    expect(await namedBy(url)).toEqual([]);
    expect([await status(member, url), await status(other, url)]).toEqual([200, 403]);
    await pass();
    const sent = (await inChannel(member, channel)).at(-1)?.id;
    expect(await namedBy(url)).toEqual([sent]);
    expect([await status(member, url), await status(other, url)]).toEqual([200, 200]);
  });

  it('stays when another message that linked to it is deleted', async () => {
    const { url } = await uploadFile(member);
    const id = await idOf(send(member, { to: channel, content: `see [this](${url})` }));
    await later(`see [this](${url})`);
    granted(await owner.delete(`/messages/${id}`));
    await pass();
    expect(await status(other, url)).toBe(200);
  });

  it('may be deleted by its owner; what is sent then links to nothing', async () => {
    const { url } = await uploadFile(member);
    await later(`see [this](${url})`);
    const file = (await attachmentsOf(member)).attachments.find(({ path_id }) => url === `/user_uploads/${path_id}`);
    granted(await member.delete(`/attachments/${file?.id ?? 0}`));
    await pass();
    expect((await inChannel(member, channel)).at(-1)?.content).toBe(`see [this](${url})`);
    expect(await status(other, url)).toBe(404);
  });

  it('of another user does not become readable by it', async () => {
    const { url } = await uploadFile(owner);
    await later(`see [this](${url})`);
    await pass();
    expect([await status(member, url), await status(other, url)]).toEqual([403, 403]);
  });
});

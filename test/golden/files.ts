import type { SystemActor } from '@annals/kernel';
import type { ChannelId, MessageId, Position } from '@annals/kernel/domain';
import { notePreviews, previewAggregate } from '@annals/messages';
import { picture, sendPicture } from '../support/requests/pictures';
import { attachmentsOf, uploadFile } from '../support/requests/uploads';
import { granted } from '../support/server/caller';
import type { Person } from '../support/server/organization';
import type { TestServer } from '../support/server/server';

/** The server itself as the actor, in the scenario. */
export const SYSTEM = {
  realmId: 1,
  userId: null,
  origin: { client: 'spec', correlation: '00000000-0000-4000-8000-000000000001', address: null },
} as SystemActor;

/** A file that is deleted again. */
export async function filesComeAndGo(owner: Person): Promise<void> {
  await uploadFile(owner, 'all that we need', { name: 'Shopping list.txt' });
  const { attachments } = await attachmentsOf(owner);
  granted(await owner.delete(`/attachments/${attachments[0]?.id}`));
}

/** What is seen on the page is noted by hand, because the log must not depend on other servers. */
export async function picturesAreShown(server: TestServer, to: ChannelId): Promise<void> {
  const { owner, kernel } = server;
  granted(await sendPicture(owner, 'POST', '/realm/icon'));
  await uploadFile(owner, await picture('png'), { name: 'cat.png' });
  await uploadFile(owner, 'no cat', { name: 'no-cat.png' });
  await server.makeThumbnails();
  const content = 'see https://example.com/cats';
  const { id } = granted(
    await owner.post<{ id: number }>('/messages', { type: 'channel', to, topic: 'cats', content }),
  );
  const [messageId, text] = [id as MessageId, id as Position];
  const seen = [{ url: 'https://example.com/cats', title: 'All about cats', description: 'They sleep.' }];
  await kernel.work.run(SYSTEM, async (work) => {
    await work.decide(previewAggregate, messageId, (state) => notePreviews(state, messageId, text, seen));
  });
}

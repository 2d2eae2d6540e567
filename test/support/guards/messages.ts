import { granted } from '../server/caller';
import { addEmoji, emojiOf } from '../requests/emoji';
import type { ProcessServer } from '../processes/processes';
import { attachmentsOf, sendParts } from '../requests/uploads';
import type { Races } from './stage';
import { bad, message } from './stage';

/** Races for messages, files and emoji. */
export const messageRaces = (server: ProcessServer): Races => ({
  'message-there': async () => {
    const [here, there] = server.sides(server.owner);
    const id = await message(server, await server.channel(server.owner), 'lunch');
    return {
      acts: [() => here.delete(`/messages/${id}`), () => there.delete(`/messages/${id}`)],
      second: bad('Invalid message(s)'),
      look: async () => expect(await storedOf(server, 'messages.MessagesDeleted', `deletions-${id}`)).toHaveLength(1),
    };
  },

  'message-gone': async () => {
    const [here, there] = server.sides(server.owner);
    const to = await server.channel(server.owner);
    await message(server, to, 'breakfast');
    const id = await message(server, to, 'lunch');
    granted(await here.delete(`/messages/${id}`));
    const [deletion] = await storedOf(server, 'messages.MessagesDeleted', `deletions-${id}`);
    const undo = { position: deletion?.position };
    return {
      acts: [() => here.post('/audit/undo', undo), () => there.post('/audit/undo', undo)],
      second: { status: 400, body: { code: 'CANNOT_BE_UNDONE', reason: 'changed_since' } },
      look: async () => {
        expect(await storedOf(server, 'messages.MessageRestored', `restoration-${id}`)).toHaveLength(1);
        expect(await topicsIn(server, to)).toBe(2);
      },
    };
  },

  'topic-emptied': async () => {
    const [here, there] = server.sides(server.owner);
    const to = await server.channel(server.owner);
    const id = await message(server, to, 'lunch');
    const again = { type: 'channel', to, topic: 'lunch', content: 'me too' };
    return {
      acts: [() => here.post('/messages', again), () => there.delete(`/messages/${id}`)],
      second: { status: 200, body: { result: 'success' } },
      look: async () => {
        const { topics } = granted(await here.get<{ topics: object[] }>(`/users/me/${to}/topics`));
        expect(topics).toHaveLength(1);
        expect(await topicsIn(server, to)).toBe(1);
      },
    };
  },

  'oldest-in-channel': async () => {
    const [here, there] = server.sides(server.owner);
    const to = await server.channel(server.owner);
    const id = await message(server, to, 'lunch');
    const other = { type: 'channel', to, topic: 'another', content: 'not there' };
    return {
      acts: [() => here.post('/messages', other), () => there.delete(`/messages/${id}`)],
      second: { status: 200, body: { result: 'success' } },
      look: async () => {
        const { stream } = granted(await here.get<{ stream: { first_message_id: number } }>(`/streams/${to}`));
        expect(stream.first_message_id).toBeGreaterThan(id);
      },
    };
  },

  'emoji-name': async () => {
    const [here, there] = server.sides(server.owner);
    const other = await server.person();
    const id = await message(server, await server.channel(server.owner), 'lunch');
    const path = `/messages/${id}/reactions`;
    const otherThere = other.at(server.urls[1] ?? '');
    return {
      acts: [() => here.post(path, { emoji_name: '+1' }), () => otherThere.post(path, { emoji_name: 'thumbs_up' })],
      second: { status: 200, body: { result: 'success' } },
      look: async () => {
        const { message: read } = granted(await there.get<{ message: { reactions: object[] } }>(`/messages/${id}`));
        const one = { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' };
        expect(read.reactions).toEqual([server.owner, other].map((by) => ({ ...one, user_id: by.id })));
      },
    };
  },

  'emoji-name-free': async () => {
    const { owner, urls } = server;
    const add = (url: string | undefined) => addEmoji(owner, 'mascot', undefined, url);
    return {
      acts: [() => add(urls[0]), () => add(urls[1])],
      second: bad('A custom emoji with this name already exists.'),
      look: async () => expect(Object.values(await emojiOf(owner))).toMatchObject([{ name: 'mascot' }]),
    };
  },

  'within-upload-quota': async () => {
    const { email, key } = server.owner;
    const upload = (url = '') => sendParts({ email, key, url }, oneFile(600_000));
    return {
      acts: [() => upload(server.urls[0]), () => upload(server.urls[1])],
      second: { status: 403, body: { result: 'error', code: 'REALM_UPLOAD_QUOTA' } },
      look: async () => {
        const { attachments, upload_space_used } = await attachmentsOf(server.owner);
        expect([attachments.length, upload_space_used]).toEqual([1, 600_000]);
      },
    };
  },
});

const oneFile = (bytes: number): FormData => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'large.bin');
  return form;
};

async function storedOf(
  { kernel }: ProcessServer,
  type: string,
  stream: string,
): Promise<{ readonly position: number }[]> {
  const { rows } = await kernel.database.pool.query<{ position: number }>(
    'SELECT position FROM events WHERE realm_id = 1 AND type = $1 AND stream = $2',
    [type, stream],
  );
  return rows;
}

async function topicsIn({ kernel }: ProcessServer, channel: number): Promise<number> {
  const { rowCount } = await kernel.database.pool.query(
    'SELECT FROM view.topics WHERE realm_id = 1 AND channel_id = $1',
    [channel],
  );
  return rowCount ?? 0;
}

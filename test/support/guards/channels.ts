import {
  ActivityCounted,
  TopicPolicies,
  TopicReaders,
  Unsubscribed,
  countOfDay,
  dayOf,
  hasSubscribers,
  memberKey,
  membersStream,
  stillMember,
} from '@annals/channels';
import type { ChannelId, UserId } from '@annals/kernel/domain';
import { fact } from '@annals/kernel/domain';
import { UserFacts } from '@annals/users';
import type { Answer, Caller } from '../server/caller';
import { granted } from '../server/caller';
import type { ProcessServer } from '../processes/processes';
import type { Races } from './stage';
import { bySystem } from '../server/system';
import { bad, done } from './stage';

/** Races for channels and their subscribers. */
export const channelRaces = (server: ProcessServer): Races => ({
  'channel-name-free': async () => {
    const [here, there] = server.sides(server.owner);
    const create = (by: Caller, name: string) => by.post('/channels/create', { name, subscribers: [] });
    return {
      acts: [() => create(here, 'Plans'), () => create(there, 'PLANS')],
      second: { status: 409, body: { result: 'error', code: 'CHANNEL_ALREADY_EXISTS' } },
      look: async () => {
        const { streams } = granted(await here.get<{ streams: { name: string }[] }>('/streams'));
        expect(streams.filter(({ name }) => name.toLowerCase() === 'plans')).toHaveLength(1);
      },
    };
  },

  'not-yet-member': async () => {
    const [here, there] = server.sides(server.owner);
    const ann = await server.person();
    const id = await server.channel(server.owner, { name: 'come in' });
    const input = { subscriptions: [{ name: 'come in' }], principals: [ann.id] };
    return {
      acts: [() => here.post('/users/me/subscriptions', input), () => there.post('/users/me/subscriptions', input)],
      second: { status: 200, body: { subscribed: {}, already_subscribed: { [ann.id]: ['come in'] } } },
      look: async () => {
        const { rows } = await server.kernel.database.pool.query(
          'SELECT FROM view.memberships WHERE realm_id = 1 AND channel_id = $1 AND user_id = $2',
          [id, ann.id],
        );
        expect(rows).toHaveLength(1);
      },
    };
  },

  'folder-empty': async () => {
    const [here, there] = server.sides(server.owner);
    const folder = { name: 'contested', description: '' };
    const made = await here.post<{ channel_folder_id: number }>('/channel_folders/create', folder);
    const { channel_folder_id: id } = granted(made);
    return {
      acts: [
        () => here.post('/channels/create', { name: 'in a folder', subscribers: [], folder_id: id }),
        () => there.patch(`/channel_folders/${id}`, { is_archived: true }),
      ],
      second: bad('All channels must be taken out of the folder before it is archived.'),
      look: async () => {
        const { channel_folders } = granted(await here.get<{ channel_folders: { id: number }[] }>('/channel_folders'));
        expect(channel_folders.map((one) => one.id)).toContain(id);
      },
    };
  },

  'no-named-topics': async () => {
    const [here, there] = server.sides(server.owner);
    const id = await server.channel(server.owner);
    const message = { type: 'channel', to: id, topic: 'named', content: 'me first' };
    return {
      acts: [
        () => here.post('/messages', message),
        () => there.patch(`/streams/${id}`, { topics_policy: 'empty_topic_only' }),
      ],
      second: bad('There are messages in other topics than the empty one.'),
      look: async () => {
        const { stream } = granted(await here.get<{ stream: { topics_policy: string } }>(`/streams/${id}`));
        expect(stream.topics_policy).toBe('inherit');
      },
    };
  },

  'policies-unchanged': async () => {
    const ann = await server.person();
    const channelId = await server.channel(server.owner, { subscribers: [server.owner, ann] });
    const [here] = server.sides(ann);
    const follow = { stream_id: channelId, topic: 'Plans', visibility_policy: 3 };
    granted(await server.owner.post('/user_topics', follow));
    const [from, to] = [
      { channelId, name: 'plans' },
      { channelId, name: 'new plans' },
    ];
    const { kernel } = server;
    const policies = new TopicPolicies(kernel, new TopicReaders(kernel, new UserFacts(kernel)));
    return {
      acts: [
        () => here.post('/user_topics', follow),
        async () => {
          await bySystem(server.kernel, (work) => policies.moved(work, { from, to, targetHadMessages: false }));
          return done();
        },
      ],
      second: { status: 200, body: { result: 'success' } },
      look: async () => {
        const { user_topics } = await ann.register({ fetch_event_types: ['user_topic'] });
        expect(user_topics).toMatchObject([{ topic_name: 'new plans', visibility_policy: 3 }]);
      },
    };
  },

  'has-subscribers': async () => {
    const ann = await server.person();
    const id = await server.channel(server.owner, { invite_only: true, subscribers: [ann] });
    granted(await server.owner.delete(`/streams/${id}`));
    const [here, there] = server.sides(server.owner);
    return {
      acts: [() => removed(server, id, ann.id), () => there.patch(`/streams/${id}`, { is_archived: false })],
      second: bad('A private channel without subscribers cannot be unarchived.'),
      look: async () => {
        const { stream } = granted(await here.get<{ stream: { is_archived: boolean } }>(`/streams/${id}`));
        expect(stream.is_archived).toBe(true);
      },
    };
  },

  'still-dormant': async () => {
    const [here, there] = server.sides(server.owner);
    const channelId = await server.channel(server.owner);
    const day = dayOf(server.kernel.clock.now());
    const counted = fact(ActivityCounted, { day, channels: [{ channelId, isRecentlyActive: false }] });
    await bySystem(server.kernel, (work) => work.append(countOfDay.stream(day), [counted]));
    const message = { type: 'channel', to: channelId, topic: 'lunch', content: 'is anybody here?' };
    return {
      acts: [() => here.post('/messages', message), () => there.post('/messages', message)],
      second: { status: 200, body: { result: 'success' } },
      look: async () => {
        const { rows } = await server.kernel.database.pool.query(
          'SELECT FROM events WHERE realm_id = 1 AND stream = $1',
          [`activity-${channelId}`],
        );
        expect(rows).toHaveLength(1);
      },
    };
  },

  'still-member': async () => {
    const ann = await server.person();
    const channelId = await server.channel(server.owner, {
      name: 'secrets',
      invite_only: true,
      subscribers: [server.owner, ann],
    });
    const [here] = server.sides(ann);
    const [, there] = server.sides(server.owner);
    const leaving = { subscriptions: ['secrets'], principals: [ann.id] };
    const message = { type: 'channel', to: channelId, topic: 'secrets', content: 'am I still in?' };
    return {
      acts: [() => there.delete('/users/me/subscriptions', leaving), () => here.post('/messages', message)],
      second: { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } },
      look: async () => {
        const narrow = [{ operator: 'channel', operand: channelId }];
        const asked = { narrow, anchor: 'newest', num_before: 10 };
        expect(granted(await server.owner.get('/messages', asked))['messages']).toEqual([]);
      },
    };
  },
});

/** Unsubscribes a user, as no request can yet. */
async function removed(server: ProcessServer, channelId: ChannelId, userId: UserId): Promise<Answer> {
  await bySystem(server.kernel, (work) => {
    work.append(membersStream(channelId), [fact(Unsubscribed, { channelId, userIds: [userId] })]);
    work.changesGuard(stillMember, memberKey(channelId, userId));
    work.changesGuard(hasSubscribers, channelId);
  });
  return done();
}

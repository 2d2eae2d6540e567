import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ActivityCounted,
  TopicPolicies,
  Unsubscribed,
  countOfDay,
  dayOf,
  hasSubscribers,
  memberKey,
  membersStream,
  stillMember,
} from '@annals/channels';
import type { SystemActor, Work } from '@annals/kernel';
import type { ChannelId, UserId } from '@annals/kernel/domain';
import { Role, fact } from '@annals/kernel/domain';
import { UserFacts } from '@annals/users';
import { TopicReaders } from '../../libs/channels/src/application/topic-readers';
import { contexts } from '../../apps/shared/src/contexts';
import type { Answer, Caller } from '../support/caller';
import { granted } from '../support/caller';
import { addEmoji, emojiOf } from '../support/emoji';
import type { Person } from '../support/organization';
import type { ProcessServer } from '../support/processes';
import { startProcesses } from '../support/processes';
import type { Acts } from '../support/race';
import { race } from '../support/race';
import { saveMany } from '../support/snippets';
import { attachmentsOf, sendParts } from '../support/uploads';

const GUARDS = contexts.flatMap(({ guards }) => guards.map(({ name }) => name)).sort();

const MINUTE = 60_000;

/** Two acts that cannot both be done. */
interface Race {
  readonly acts: Acts;
  /** What whoever came second is answered. */
  readonly second: { readonly status: number; readonly body: object };
  /** Looks that exactly one of the two was done. */
  readonly look: () => Promise<void>;
}

let server: ProcessServer;
beforeAll(async () => (server = await startProcesses({ apis: 2, env: { ANNALS_UPLOAD_QUOTA_MIB: '1' } })), MINUTE);
afterAll(() => server.close(), MINUTE);

const sides = (caller: Caller) => server.urls.map((url) => caller.at(url)) as [Caller, Caller];
const bad = (msg: string) => ({ status: 400, body: { result: 'error', code: 'BAD_REQUEST', msg } });

/** For each guard two people who want the same thing, each on an api process of their own. */
const RACES: Readonly<Record<string, () => Promise<Race>>> = {
  'email-free': async () => {
    const [here, there] = sides(server.owner);
    const account = (full_name: string) => ({ email: 'twin@example.com', password: 'one password for two', full_name });
    return {
      acts: [() => here.post('/users', account('Twin One')), () => there.post('/users', account('Twin Two'))],
      second: bad('Email is already in use'),
      look: async () => {
        const { members } = granted(await here.get<{ members: { full_name: string }[] }>('/users'));
        expect(members.filter(({ full_name }) => full_name.startsWith('Twin'))).toHaveLength(1);
      },
    };
  },

  'name-free': async () => {
    const [here, there] = sides(server.owner);
    granted(await here.patch('/realm', { require_unique_names: true }));
    const people = [await server.person(), await server.person()] as const;
    const rename = (by: Caller, { id }: Person) => by.patch(`/users/${id}`, { full_name: 'The Only One' });
    return {
      acts: [() => rename(here, people[0]), () => rename(there, people[1])],
      second: bad('Unique names required in this organization.'),
      look: async () => {
        const names = await Promise.all(people.map(async (one) => granted(await one.get('/users/me'))['full_name']));
        expect(names.filter((name) => name === 'The Only One')).toHaveLength(1);
        granted(await here.patch('/realm', { require_unique_names: false }));
      },
    };
  },

  'last-owner': async () => {
    const owners = [server.owner, await server.person({ role: 'owner' })] as const;
    const [here] = sides(owners[0]);
    const [, there] = sides(owners[1]);
    const abdicate = (by: Caller, { id }: Person) => by.patch(`/users/${id}`, { role: Role.member });
    return {
      acts: [() => abdicate(here, owners[0]), () => abdicate(there, owners[1])],
      second: bad('The owner permission cannot be removed from the only organization owner.'),
      look: async () => {
        const roles = await Promise.all(owners.map(async (one) => granted(await one.get('/users/me'))['role']));
        expect([...roles].sort()).toEqual([Role.owner, Role.member]);
        const left = owners[roles.indexOf(Role.owner)];
        granted((await left?.patch(`/users/${server.owner.id}`, { role: Role.owner })) as Answer);
      },
    };
  },

  'channel-name-free': async () => {
    const [here, there] = sides(server.owner);
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

  'group-name-free': async () => {
    const [here, there] = sides(server.owner);
    const create = (by: Caller) => by.post('/user_groups/create', { name: 'bakers', description: '', members: [] });
    return {
      acts: [() => create(here), () => create(there)],
      second: bad("User group 'bakers' already exists."),
      look: async () => expect((await groups()).filter(({ name }) => name === 'bakers')).toHaveLength(1),
    };
  },

  'group-unused': async () => {
    const [here, there] = sides(server.owner);
    const id = await group('cooks');
    const channel = { name: 'kitchen', subscribers: [], can_send_message_group: id };
    return {
      acts: [() => here.post('/channels/create', channel), () => there.post(`/user_groups/${id}/deactivate`)],
      second: { status: 400, body: { code: 'CANNOT_DEACTIVATE_GROUP_IN_USE', objections: [{ type: 'channel' }] } },
      look: async () => expect((await groups()).map((one) => one.id)).toContain(id),
    };
  },

  'not-yet-member': async () => {
    const [here, there] = sides(server.owner);
    const ann = await server.person();
    const id = await server.channel(server.owner, { name: 'come in' });
    const wish = { subscriptions: [{ name: 'come in' }], principals: [ann.id] };
    return {
      acts: [() => here.post('/users/me/subscriptions', wish), () => there.post('/users/me/subscriptions', wish)],
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

  'emoji-name-free': async () => {
    const { owner, urls } = server;
    const add = (url: string | undefined) => addEmoji(owner, 'mascot', undefined, url);
    return {
      acts: [() => add(urls[0]), () => add(urls[1])],
      second: bad('A custom emoji with this name already exists.'),
      look: async () => expect(Object.values(await emojiOf(owner))).toMatchObject([{ name: 'mascot' }]),
    };
  },

  'folder-empty': async () => {
    const [here, there] = sides(server.owner);
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
    const [here, there] = sides(server.owner);
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
    const [here] = sides(ann);
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
          await bySystem((work) => policies.moved(work, { from, to, targetHadMessages: false }));
          return { status: 200, body: { result: 'success', msg: '' }, headers: new Headers() };
        },
      ],
      second: { status: 200, body: { result: 'success' } },
      look: async () => {
        const { user_topics } = await ann.register({ fetch_event_types: ['user_topic'] });
        expect(user_topics).toMatchObject([{ topic_name: 'new plans', visibility_policy: 3 }]);
      },
    };
  },

  'message-there': async () => {
    const [here, there] = sides(server.owner);
    const id = await message(await server.channel(server.owner), 'lunch');
    return {
      acts: [() => here.delete(`/messages/${id}`), () => there.delete(`/messages/${id}`)],
      second: bad('Invalid message(s)'),
      look: async () => expect(await storedOf('messages.MessagesDeleted', `deletions-${id}`)).toHaveLength(1),
    };
  },

  'topic-emptied': async () => {
    const [here, there] = sides(server.owner);
    const to = await server.channel(server.owner);
    const id = await message(to, 'lunch');
    const again = { type: 'channel', to, topic: 'lunch', content: 'me too' };
    return {
      acts: [() => here.post('/messages', again), () => there.delete(`/messages/${id}`)],
      second: { status: 200, body: { result: 'success' } },
      look: async () => {
        const { topics } = granted(await here.get<{ topics: object[] }>(`/users/me/${to}/topics`));
        expect(topics).toHaveLength(1);
        expect(await topicsIn(to)).toBe(1);
      },
    };
  },

  'oldest-in-channel': async () => {
    const [here, there] = sides(server.owner);
    const to = await server.channel(server.owner);
    const id = await message(to, 'lunch');
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

  'has-subscribers': async () => {
    const ann = await server.person();
    const id = await server.channel(server.owner, { invite_only: true, subscribers: [ann] });
    granted(await server.owner.delete(`/streams/${id}`));
    const [here, there] = sides(server.owner);
    return {
      acts: [() => removed(id, ann.id), () => there.patch(`/streams/${id}`, { is_archived: false })],
      second: bad('A private channel without subscribers cannot be unarchived.'),
      look: async () => {
        const { stream } = granted(await here.get<{ stream: { is_archived: boolean } }>(`/streams/${id}`));
        expect(stream.is_archived).toBe(true);
      },
    };
  },

  'still-dormant': async () => {
    const [here, there] = sides(server.owner);
    const channelId = await server.channel(server.owner);
    const day = dayOf(server.kernel.clock.now());
    const counted = fact(ActivityCounted, { day, channels: [{ channelId, isRecentlyActive: false }] });
    await bySystem((work) => work.append(countOfDay.stream(day), [counted]));
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

  'still-active': async () => {
    const [here, there] = sides(server.owner);
    const bob = await server.person();
    const wish = { subscriptions: [{ name: 'too late' }], principals: [bob.id] };
    return {
      acts: [() => here.delete(`/users/${bob.id}`), () => there.post('/users/me/subscriptions', wish)],
      second: bad('No such user, or the account is deactivated'),
      look: async () => {
        const { streams } = granted(await here.get<{ streams: { name: string }[] }>('/streams'));
        expect(streams.map(({ name }) => name)).not.toContain('too late');
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
    const [here] = sides(ann);
    const [, there] = sides(server.owner);
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

  'snippet-room': async () => {
    const writer = await server.person();
    await saveMany(server.kernel, writer, 499);
    const save = (by: Caller) => by.post('/saved_snippets', { title: 'The last one', content: 'Good bye.' });
    const [here, there] = sides(writer);
    return {
      acts: [() => save(here), () => save(there)],
      second: bad('There are 500 saved snippets already.'),
      look: async () => {
        const { saved_snippets } = granted(await writer.get<{ saved_snippets: object[] }>('/saved_snippets'));
        expect(saved_snippets).toHaveLength(500);
      },
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
};

const oneFile = (bytes: number): FormData => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'large.bin');
  return form;
};

const groups = async () =>
  granted(await server.owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups')).user_groups;

/** A message of the owner's. */
async function message(to: number, topic: string): Promise<number> {
  const wish = { type: 'channel', to, topic, content: 'first' };
  return granted(await server.owner.post<{ id: number }>('/messages', wish)).id;
}

async function storedOf(type: string, stream: string): Promise<object[]> {
  const { rows } = await server.kernel.database.pool.query<object>(
    'SELECT position FROM events WHERE realm_id = 1 AND type = $1 AND stream = $2',
    [type, stream],
  );
  return rows;
}

async function topicsIn(channel: number): Promise<number> {
  const { rowCount } = await server.kernel.database.pool.query(
    'SELECT FROM view.topics WHERE realm_id = 1 AND channel_id = $1',
    [channel],
  );
  return rowCount ?? 0;
}

/** A new group with nobody in it. */
async function group(name: string): Promise<number> {
  const wish = { name, description: '', members: [] };
  return granted(await server.owner.post<{ group_id: number }>('/user_groups/create', wish)).group_id;
}

function bySystem(act: (work: Work) => void | Promise<void>): Promise<void> {
  const origin = { client: 'spec', correlation: '00000000-0000-4000-8000-000000000001', address: null };
  const by = { realmId: 1, userId: null, origin } as SystemActor;
  return server.kernel.work.run(by, async (work) => act(work));
}

/** Takes somebody out of a channel, as no request can yet. */
async function removed(channelId: ChannelId, userId: UserId): Promise<Answer> {
  await bySystem((work) => {
    work.append(membersStream(channelId), [fact(Unsubscribed, { channelId, userIds: [userId] })]);
    work.changesGuard(stillMember, memberKey(channelId, userId));
    work.changesGuard(hasSubscribers, channelId);
  });
  return { status: 200, body: { result: 'success', msg: '' }, headers: new Headers() };
}

describe('of two processes that decide at once what only one can have', () => {
  it.each(GUARDS)('the guard %s lets one win and refuses the other', async (guard) => {
    const prepared = await RACES[guard]?.();
    if (!prepared) throw new Error(`the guard ${guard} has no race`);
    const [first, second] = await race(server.kernel, prepared.acts);
    expect(first).toMatchObject({ status: 200, body: { result: 'success' } });
    expect(second).toMatchObject(prepared.second);
    await prepared.look();
  });

  it('there is no race for a guard that does not exist', () => {
    expect(Object.keys(RACES).sort()).toEqual(GUARDS);
  });
});

describe('the table of guards in docs/event-log.md', () => {
  it('lists those that exist', () => {
    const text = readFileSync(join(__dirname, '../../docs/event-log.md'), 'utf8');
    const table = /<!-- guards:begin -->(.*)<!-- guards:end -->/s.exec(text)?.[1] ?? '';
    const names = [...table.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, name]) => name);
    expect(names).toEqual([...GUARDS]);
  });
});

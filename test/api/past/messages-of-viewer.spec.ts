import type { RealmId } from '@annals/kernel/domain';
import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { ServerWithUsers } from '../../support/server/start-with-users';
import { startWithUsers } from '../../support/server/start-with-users';
import { idOf, send } from '../../support/requests/messages';

let users: ServerWithUsers;
let auditor: Person;
beforeAll(async () => {
  users = await startWithUsers();
  auditor = await users.server.person({ name: 'Audrey' });
  const only = { direct_members: [auditor.id], direct_subgroups: [] };
  granted(await users.owner.patch('/realm', { can_audit_content_group: { new: only } }));
});
afterAll(() => users.server.close());

const position = async () => (await users.server.kernel.events.heads()).get(1 as RealmId) ?? 0;
const newest = { anchor: 'newest', num_before: 50 };
const narrow = (...terms: [string, unknown][]) => terms.map(([operator, operand]) => ({ operator, operand }));
const refusedAudit = { status: 403, body: { code: 'UNAUTHORIZED_AUDIT' } };

/** The facts of the events that record what was read. */
const viewedSince = async (after: number) => {
  const { pool } = users.server.kernel.database;
  const { rows } = await pool.query<{ data: string; actor: number }>(
    `SELECT data::text AS data, actor_id AS actor FROM events WHERE realm_id = 1 AND position > $1 AND type = 'audit.Viewed'
      ORDER BY position`,
    [after],
  );
  return rows.map(({ actor, data }) => ({ actor, data: JSON.parse(data) as Params }));
};

describe('an auditor who asks what another user could read', () => {
  let channel: number;
  let ids: number[];
  let then: string;
  beforeAll(async () => {
    const { server, owner, member } = users;
    channel = await server.channel(owner, { name: 'secret', subscribers: [owner, member], invite_only: true });
    ids = [];
    for (const topic of ['hidden words', 'hidden words', 'others']) {
      ids.push(await idOf(send(owner, { to: channel, topic, content: 'before' })));
    }
    then = `p${await position()}`;
    server.clock.advance(1_000);
    granted(await owner.patch(`/messages/${ids[0]}`, { content: 'after' }));
    granted(await owner.delete(`/messages/${ids[1]}`));
    granted(await member.delete('/users/me/subscriptions', { subscriptions: ['secret'] }));
  });

  it('gets it whatever that user may read today, with a record in the log', async () => {
    const { member } = users;
    const asked = { as_of: then, viewer_id: member.id };
    const here = narrow(['channel', channel], ['topic', 'hidden words']);
    const began = await position();
    const page = granted(
      await auditor.get<{ messages: { id: number; content: string }[] }>('/messages', {
        ...newest,
        ...asked,
        narrow: here,
      }),
    );
    expect(page.messages).toMatchObject([
      { id: ids[0], content: '<p>before</p>' },
      { id: ids[1], content: '<p>before</p>' },
    ]);
    const one = granted(await auditor.get<{ raw_content: string }>(`/messages/${ids[0]}`, asked));
    expect(one).toMatchObject({ raw_content: 'before', as_of_position: Number(then.slice(1)) });
    granted(await auditor.get(`/messages/${ids[0]}/history`, asked));
    const { topics } = granted(await auditor.get<{ topics: object[] }>(`/users/me/${channel}/topics`, asked));
    expect(topics).toHaveLength(2);
    const common = { as_of: then, viewer_id: member.id };
    const view = (endpoint: string, results: number, parameters: Params) => ({
      actor: auditor.id,
      data: { endpoint, parameters: { ...common, ...parameters }, results, words: true },
    });
    const recorded = await viewedSince(began);
    expect(recorded).toEqual([
      view('GET /messages', 2, { ...newest, narrow: [`channel:${channel}`, 'topic'] }),
      view('GET /messages/{message_id}', 1, { message_id: ids[0] }),
      view('GET /messages/{message_id}/history', 1, { message_id: ids[0] }),
      view('GET /users/me/{stream_id}/topics', 2, { stream_id: channel }),
    ]);
    expect(JSON.stringify(recorded)).not.toContain('hidden');
  });

  it('leaves a record of each narrow with words, also within a minute', async () => {
    const { member } = users;
    const began = await position();
    const read = async (...terms: [string, unknown][]) =>
      granted(
        await auditor.get('/messages', { ...newest, as_of: then, viewer_id: member.id, narrow: narrow(...terms) }),
      );
    for (const topic of ['hidden words', 'others']) await read(['channel', channel], ['topic', topic]);
    for (let n = 0; n < 2; n++) await read(['channel', channel], ['has', 'link']);
    const negated = JSON.stringify([{ operator: 'channel', operand: channel, negated: true }]);
    granted(await auditor.get('/messages', { ...newest, as_of: then, viewer_id: member.id, narrow: negated }));
    const recorded = await viewedSince(began);
    expect(recorded.map(({ data }) => (data['parameters'] as Params)['narrow'])).toEqual([
      [`channel:${channel}`, 'topic'],
      [`channel:${channel}`, 'topic'],
      [`channel:${channel}`, 'has:link'],
      [`-channel:${channel}`],
    ]);
    expect(JSON.stringify(recorded)).not.toContain('hidden');
  });

  it('gets nothing that the user could not read then', async () => {
    const { other, member } = users;
    const asked = { ...newest, as_of: then };
    const { messages } = granted(
      await auditor.get<{ messages: { id: number }[] }>('/messages', { ...asked, viewer_id: other.id }),
    );
    expect(messages.filter(({ id }) => ids.includes(id))).toEqual([]);
    expect(await auditor.get(`/messages/${ids[0]}`, { as_of: then, viewer_id: other.id })).toMatchObject({
      status: 400,
    });
    // Without viewer_id the auditor is a user like others.
    expect(await auditor.get(`/messages/${ids[0]}`, { as_of: then })).toMatchObject({ status: 400 });
    expect(await member.get(`/messages/${ids[0]}`, { as_of: then })).toMatchObject({ status: 400 });
  });

  it('must have the right to read contents, and name a moment and a user', async () => {
    const { owner, member, administrator, guest } = users;
    const began = await position();
    for (const by of [owner, administrator, member, guest]) {
      for (const path of [
        '/messages',
        `/messages/${ids[0]}`,
        `/messages/${ids[0]}/history`,
        `/users/me/${channel}/topics`,
      ]) {
        const asked = { ...newest, as_of: then, viewer_id: member.id };
        expect(await by.get(path, asked)).toMatchObject(refusedAudit);
      }
    }
    const present = await auditor.get('/messages', { ...newest, viewer_id: member.id });
    expect(present).toMatchObject({ status: 400, body: { msg: 'viewer_id needs as_of' } });
    const unknown = await auditor.get('/messages', { ...newest, as_of: then, viewer_id: 999_999 });
    expect(unknown).toMatchObject({ status: 400, body: { msg: 'No such user' } });
    expect(await viewedSince(began)).toEqual([]);
  });
});

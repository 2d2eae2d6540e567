import type { Answer } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { createLink, invite, refusedWith } from '../../support/invitations/invitations';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let administrator: Person;
let moderator: Person;
let member: Person;
let guest: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  administrator = await server.person({ role: 'administrator' });
  moderator = await server.person({ role: 'moderator' });
  member = await server.person();
  guest = await server.person({ role: 'guest' });
});
afterAll(() => server.close());

const someone = () => `invitee${server.next()}@example.com`;
const bad = (msg: string) => refusedWith('BAD_REQUEST', { msg });

const group = async (name: string): Promise<number> => {
  const { user_groups: groups } = granted(
    await owner.get<{ user_groups: { id: number; name: string }[] }>('/user_groups'),
  );
  const found = groups.find((one) => one.name === name);
  if (!found) throw new Error(`there is no group ${name}`);
  return found.id;
};

describe('who may invite', () => {
  const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
  const attempts = [invite, createLink] as const;
  const by = (name: string) => ({ owner, administrator, moderator, member, guest })[name] as Person;

  it.each([
    ['owner', ['owner', 'administrator', 'moderator', 'member', 'guest']],
    ['administrator', ['administrator', 'moderator', 'member', 'guest']],
    ['moderator', ['member', 'guest']],
    ['member', ['member', 'guest']],
    ['guest', []],
  ] as const)('%s: as %j', async (who, allowed) => {
    granted(await owner.patch('/realm', { create_multiuse_invite_group: { new: await group('role:members') } }));
    for (const [name, invite_as] of Object.entries(roles)) {
      const expected = (allowed as readonly string[]).includes(name) ? 200 : 400;
      expect((await invite(by(who), someone(), { invite_as })).status).toBe(expected);
      expect((await createLink(by(who), { invite_as })).status).toBe(expected);
    }
    granted(await owner.patch('/realm', { create_multiuse_invite_group: { new: await group('role:administrators') } }));
  });

  it('says which role is needed', async () => {
    expect(await invite(administrator, someone(), { invite_as: 100 })).toMatchObject(
      refusedWith('UNAUTHORIZED_PRINCIPAL'),
    );
    const needed = bad('Must be an organization administrator');
    expect(await invite(moderator, someone(), { invite_as: 300 })).toMatchObject(needed);
  });

  it('no bots and no guests, whatever they want', async () => {
    const bot = await server.bot(owner);
    const noBots = bad('This endpoint does not accept bot requests.');
    expect(await invite(bot, someone())).toMatchObject(noBots);
    expect(await bot.get('/invites')).toMatchObject(noBots);
    expect(await createLink(guest)).toMatchObject(bad('Not allowed for guest users'));
    expect(await guest.get('/invites')).toMatchObject(bad('Not allowed for guest users'));
  });

  it('nobody with a welcome text but administrators', async () => {
    for (const attempt of attempts) {
      const more = { welcome_message_custom_text: 'Hi' };
      const ask = (who: Person) => (attempt === invite ? invite(who, someone(), more) : createLink(who, more));
      expect((await ask(member)).status).toBe(400);
      granted((await ask(administrator)) as Answer);
    }
    expect((await invite(owner, someone(), { welcome_message_custom_text: 'x'.repeat(8_001) })).status).toBe(400);
  });

  it('not new members, where everybody may join', async () => {
    granted(await owner.patch('/realm', { invite_required: false }));
    try {
      const fresh = await server.person();
      const tooNew = refusedWith('INVITATION_FAILED', { errors: [], sent_invitations: false });
      expect(await invite(fresh, someone())).toMatchObject(tooNew);
      granted(await invite(administrator, someone()));
    } finally {
      granted(await owner.patch('/realm', { invite_required: true }));
    }
  });
});

describe('what is offered', () => {
  it('are channels that the inviter may add people to', async () => {
    const hidden = await server.channel(owner, { name: 'hidden', invite_only: true, subscribers: [owner] });
    const open = await server.channel(owner, { name: 'open', subscribers: [owner] });
    granted(await invite(member, someone(), { stream_ids: [open] }));
    const unknown = bad(`Invalid channel ID ${hidden}. No invites were sent.`);
    expect(await invite(member, someone(), { stream_ids: [open, hidden] })).toMatchObject(unknown);
    expect((await createLink(owner, { stream_ids: [hidden, 9_999] })).status).toBe(400);
    granted(await owner.patch('/realm', { can_add_subscribers_group: { new: await group('role:administrators') } }));
    const mayNot = bad('You do not have permission to subscribe other users to channels.');
    expect(await invite(member, someone(), { stream_ids: [open] })).toMatchObject(mayNot);
    granted(await owner.post('/default_streams', { stream_id: open }));
    granted(await invite(member, someone(), { stream_ids: [open] }));
    granted(await owner.patch('/realm', { can_add_subscribers_group: { new: await group('role:members') } }));
    granted(await owner.delete(`/streams/${open}`));
    expect(await invite(owner, someone(), { stream_ids: [open] })).toMatchObject(
      bad(`Invalid channel ID ${open}. No invites were sent.`),
    );
  });

  it('are groups that the inviter may add people to', async () => {
    const made = await owner.post<{ group_id: number }>('/user_groups/create', {
      name: 'crew',
      description: '',
      members: [],
    });
    const { group_id: crew } = granted(made);
    granted(await invite(owner, someone(), { group_ids: [crew] }));
    expect((await invite(member, someone(), { group_ids: [crew] })).status).toBe(400);
    expect((await createLink(owner, { group_ids: [await group('role:members')] })).status).toBe(400);
    expect((await invite(owner, someone(), { group_ids: [9_999] })).status).toBe(400);
    granted(await owner.post(`/user_groups/${crew}/deactivate`));
    expect(await invite(owner, someone(), { group_ids: [crew] })).toMatchObject(bad('User group is deactivated.'));
  });
});

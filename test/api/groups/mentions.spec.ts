import { granted } from '../../support/server/caller';
import { makeGroup, refused, systemGroups } from '../../support/requests/groups';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let ann: Person;
let ben: Person;
let system: Readonly<Record<string, number>>;
let channel: number;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  ann = await server.person();
  ben = await server.person();
  system = await systemGroups(owner);
  channel = await server.channel(owner, { subscribers: [owner, ann, ben] });
});
afterAll(() => server.close());

interface Message {
  readonly id: number;
  readonly content: string;
  readonly flags: readonly string[];
}

const send = (by: Person, content: string) =>
  by.post<{ id: number }>('/messages', { type: 'channel', to: channel, topic: 'groups', content });
const sent = async (by: Person, content: string) => granted(await send(by, content)).id;
const seen = async (by: Person, id: number) => granted(await by.get<{ message: Message }>(`/messages/${id}`)).message;
const flagsOf = async (by: Person, id: number) => (await seen(by, id)).flags;
const isMentioned = async (by: Person, id: number) => (await flagsOf(by, id)).includes('mentioned');
const unread = async (by: Person) =>
  (
    (await by.register({ fetch_event_types: ['message', 'update_message_flags'] }))['unread_msgs'] as {
      mentions: number[];
    }
  ).mentions;

describe('mentioning a group', () => {
  it('shows its name, and flags the message for its members, through nested groups', async () => {
    const inner = await makeGroup(owner, { members: [ben.id] });
    const id = await makeGroup(owner, { name: 'bakers & cooks', subgroups: [inner] });
    const message = await sent(ann, 'hello @*bakers & cooks*!');
    expect((await seen(ben, message)).content).toBe(
      `<p>hello <span class="user-group-mention" data-user-group-id="${id}">@bakers &amp; cooks</span>!</p>`,
    );
    expect(await flagsOf(ben, message)).toEqual(['mentioned']);
    expect(await isMentioned(owner, message)).toBe(false);
    expect(await unread(ben)).toContain(message);
    expect(await unread(owner)).not.toContain(message);
  });

  it('sends the flags to waiting clients', async () => {
    await makeGroup(owner, { name: 'gardeners', members: [ben.id] });
    const flags = async (by: Person) =>
      (await by.receive(() => sent(ann, '@*gardeners*'), 'message')).map((event) => event['flags']);
    expect(await flags(ben)).toEqual([['mentioned']]);
    expect(await flags(owner)).toEqual([[]]);
  });

  it('applies to the members at that time', async () => {
    const id = await makeGroup(owner, { name: 'sailors', members: [ben.id] });
    const queue = await ben.register({ event_types: ['message'] });
    const message = await sent(ann, '@*sailors*');
    granted(await owner.post(`/user_groups/${id}/members`, { add: [owner.id], delete: [ben.id] }));
    expect(await flagsOf(ben, message)).toEqual(['mentioned']);
    expect(await isMentioned(owner, message)).toBe(false);
    expect(await unread(ben)).toContain(message);
    expect(await unread(owner)).not.toContain(message);
    const [received] = await ben.events(queue);
    expect(received).toMatchObject({ message: { id: message }, flags: ['mentioned'] });
    granted(await ann.patch(`/messages/${message}`, { content: 'again, @*sailors*' }));
    expect(await isMentioned(ben, message)).toBe(false);
    expect(await isMentioned(owner, message)).toBe(true);
  });

  it('is allowed as the group says, and to its managers', async () => {
    const value = { direct_members: [ben.id], direct_subgroups: [] };
    await makeGroup(owner, { name: 'council', can_mention_group: value });
    expect(await send(ann, 'hello @*council*')).toMatchObject(refused());
    expect(await sent(ben, 'hello @*council*')).toBeGreaterThan(0);
    expect(await sent(owner, 'hello @*council*')).toBeGreaterThan(0);
    const plain = await sent(ann, 'hello');
    expect(await ann.patch(`/messages/${plain}`, { content: '@*council*' })).toMatchObject(refused());
    expect(await send(ann, '@*role:members*')).toMatchObject(refused());
  });

  it('silently mentions nobody, and is allowed to all', async () => {
    const nobody = { can_mention_group: system['nobody'], can_manage_group: system['nobody'] };
    const id = await makeGroup(owner, { name: 'quiet', members: [ben.id], ...nobody });
    const message = await sent(ann, 'the @_*quiet* ones');
    expect((await seen(ben, message)).content).toBe(
      `<p>the <span class="user-group-mention silent" data-user-group-id="${id}">quiet</span> ones</p>`,
    );
    expect(await isMentioned(ben, message)).toBe(false);
    const quote = await sent(ann, '> @*quiet*');
    expect(await isMentioned(ben, quote)).toBe(false);
  });

  it('is plain text for a deactivated or unknown group', async () => {
    const id = await makeGroup(owner, { name: 'past', members: [ben.id], can_mention_group: system['nobody'] });
    granted(await owner.post(`/user_groups/${id}/deactivate`));
    for (const name of ['past', 'never', 'PAST']) {
      const message = await sent(ann, `hello @*${name}*`);
      expect((await seen(ben, message)).content).toBe(`<p>hello @<em>${name}</em></p>`);
      expect(await isMentioned(ben, message)).toBe(false);
    }
  });

  it('works in direct messages', async () => {
    await makeGroup(owner, { name: 'pair', members: [ben.id] });
    const input = { type: 'direct', to: [ben.id], content: '@*pair*' };
    const { id } = granted(await ann.post<{ id: number }>('/messages', input));
    expect(await flagsOf(ben, id)).toEqual(['mentioned']);
  });
});

import type { UserId } from '@annals/kernel/domain';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const ROLES = ['owner', 'administrator', 'moderator', 'member', 'guest'] as const;
type RoleName = (typeof ROLES)[number];

/** The roles that see an email by `email_address_visibility` (contract/permissions.md section 7). */
const SEEN_BY: readonly (readonly [number, readonly RoleName[]])[] = [
  [1, ['owner', 'administrator', 'moderator', 'member', 'guest']],
  [2, ['owner', 'administrator', 'moderator', 'member']],
  [5, ['owner', 'administrator', 'moderator']],
  [3, ['owner', 'administrator']],
  [4, []],
];

interface User {
  readonly user_id: number;
  readonly email: string;
  readonly delivery_email: string | null;
  readonly avatar_url: string | null;
}
interface Message {
  readonly sender_email: string;
  readonly avatar_url: string | null;
  readonly display_recipient: readonly { id: number; email: string }[];
}

let server: TestServer;
let target: Person;
let viewers: Record<RoleName, Person>;
let direct: number;
let placeholder: string;
beforeAll(async () => {
  server = await startTestServer();
  target = await server.person({ name: 'Lear' });
  placeholder = `user${target.id}@annals.invalid`;
  viewers = { owner: server.owner } as typeof viewers;
  for (const role of ROLES.slice(1)) viewers[role] = await server.person({ role });
  const to = Object.values(viewers).map(({ id }) => id);
  direct = granted(
    await target.post<{ id: number }>('/messages', { type: 'direct', to, content: 'Howl, howl, howl' }),
  ).id;
});
afterAll(() => server.close());

const NEWEST = { anchor: 'newest', num_before: 1, num_after: 0 };
const refused = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };
const listed = (users: readonly User[], id: UserId) => users.find(({ user_id }) => user_id === id);
const userOf = async (by: Person, path: string) => granted(await by.get<{ user: User }>(path)).user;
const registered = async (by: Person) =>
  listed((await by.register({ fetch_event_types: ['realm_user'] }))['realm_users'] as User[], target.id);

/** Every place where an account shows its address, and how it is read there. */
const PLACES: readonly (readonly [string, (by: Person) => Promise<User | undefined>])[] = [
  ['GET /users', async (by) => listed(granted(await by.get<{ members: User[] }>('/users')).members, target.id)],
  ['GET /users/{user_id}', (by) => userOf(by, `/users/${target.id}`)],
  ['GET /users/{placeholder}', (by) => userOf(by, `/users/${placeholder}`)],
  ['POST /register', registered],
];

describe.each(SEEN_BY)('an email with visibility %d', (visibility, roles) => {
  beforeAll(async () => granted(await target.patch('/settings', { email_address_visibility: visibility })));

  describe.each(ROLES)('for a person with the role %s', (role) => {
    const sees = roles.includes(role);
    const email = () => (sees ? target.email : placeholder);

    it.each(PLACES)(`is ${sees ? 'shown' : 'hidden'} by %s`, async (_, read) => {
      expect(await read(viewers[role])).toMatchObject({
        email: email(),
        delivery_email: sees ? target.email : null,
        avatar_url: sees ? null : (expect.stringContaining('https://') as string),
      });
    });

    it(`${sees ? 'finds' : 'does not find'} its owner`, async () => {
      const by = viewers[role];
      const answers = [
        await by.get(`/users/${target.email}`),
        await by.get('/messages', { ...NEWEST, narrow: [{ operator: 'dm', operand: target.email }] }),
        await by.post('/messages', { type: 'direct', to: [target.email], content: 'hello' }),
      ];
      for (const answer of answers) {
        if (sees) expect(answer).toMatchObject({ status: 200 });
        else expect(answer.status).toBe(400);
      }
      if (!sees) {
        expect(answers[0]).toEqual({ ...(await by.get('/users/nobody@example.com')), headers: answers[0]?.headers });
      }
    });

    it(`is ${sees ? 'shown' : 'hidden'} by messages`, async () => {
      const by = viewers[role];
      const found = granted(await by.get<{ messages: Message[] }>('/messages', { message_ids: [direct] })).messages;
      const single = granted(await by.get<{ message: Message }>(`/messages/${direct}`)).message;
      for (const message of [...found, single]) {
        expect(message.sender_email).toBe(email());
        expect(message.display_recipient).toContainEqual(expect.objectContaining({ id: target.id, email: email() }));
      }
      expect(found[0]?.avatar_url === null).toBe(visibility === 1);
    });

    it(`is ${sees ? 'shown' : 'hidden'} by client events`, async () => {
      const content = { type: 'direct', to: [viewers[role].id], content: 'Howl' };
      const received = await viewers[role].receive(() => target.post('/messages', content), 'message');
      expect(received).toMatchObject([
        {
          message: {
            sender_email: email(),
            display_recipient: expect.arrayContaining([expect.objectContaining({ email: email() })]) as unknown,
          },
        },
      ]);
    });
  });

  it('is shown to its owner', async () => {
    for (const [, read] of PLACES) {
      expect(await read(target)).toMatchObject({ email: target.email, delivery_email: target.email, avatar_url: null });
    }
    expect(granted(await target.get('/users/me'))).toMatchObject({ email: target.email, delivery_email: target.email });
    const own = await target.register({ fetch_event_types: ['realm_user'] });
    expect(own).toMatchObject({ email: target.email, delivery_email: target.email });
    expect(await userOf(target, `/users/${target.email}`)).toMatchObject({ user_id: target.id });
  });

  it('logs its owner in, and so does the placeholder', async () => {
    for (const email of [target.email, placeholder, placeholder.toUpperCase()]) {
      expect(await server.as({ email, key: target.key }).get('/users/me')).toMatchObject({
        status: 200,
        body: { user_id: target.id },
      });
    }
  });
});

describe('the visibility of an email', () => {
  it.each(['0', '6', '1.5', 'true', '"everyone"', '[]', ''])('cannot be chosen to be %s', async (value) => {
    expect(await target.patch('/settings', { email_address_visibility: value })).toMatchObject(refused);
  });

  it('does not accept the key of another account', async () => {
    const standIn = server.as({ email: `user${viewers.member.id}@annals.invalid`, key: target.key });
    expect(await standIn.get('/users/me')).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
  });

  it('is ignored for bots', async () => {
    const bot = await server.bot(target);
    granted(await bot.patch('/settings', { email_address_visibility: 4 }));
    expect(await userOf(viewers.guest, `/users/${bot.email}`)).toMatchObject({
      email: bot.email,
      delivery_email: bot.email,
    });
  });
});

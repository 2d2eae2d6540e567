import { createLink, invite } from '../../support/invitations/invitations';
import { latestToken } from '../../support/invitations/tokens';
import { Browser } from '../../support/server/browser';
import type { Shown } from '../../support/server/browser';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import { SERVER_ENV, anotherOrganization } from '../../support/server/organizations';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

const PASSWORD = 'a long enough password';
const REFUSAL = 'is not offered to you any more';

interface Group {
  readonly id: number;
  readonly name: string;
}

let server: TestServer;
let owner: Person;
/** Ids of the groups by their names. */
let groups: ReadonlyMap<string, number>;
/** Id of a group of another organization. This one has fewer. */
const FOREIGN = 3;
beforeAll(async () => {
  server = await startTestServer({ env: SERVER_ENV });
  owner = server.owner;
  const one = { group_name: 'Design', description: 'For people who *draw* & paint', names: ['drawing', 'painting'] };
  for (const { names, ...group } of [one, { group_name: 'Music', description: '', names: ['music'] }]) {
    for (const name of names) await server.channel(owner, { name });
    granted(await owner.post('/default_stream_groups/create', { ...group, stream_names: names }));
  }
  const { owner: theirs } = await anotherOrganization(server, 'theirs');
  for (const group_name of ['One', 'Two', 'Three']) {
    granted(await theirs.post('/default_stream_groups/create', { group_name, description: '', stream_names: [] }));
  }
  const state = await owner.register({ fetch_event_types: ['default_stream_groups'] });
  groups = new Map((state['realm_default_stream_groups'] as Group[]).map(({ name, id }) => [name, id]));
});
afterAll(() => server.close());

const someone = () => `chooser${server.next()}@example.com`;
const browser = () => new Browser(server.url);
const box = (of: string | number): string => `default_stream_group_${groups.get(String(of)) ?? of}`;
const ticked = (...of: (string | number)[]) => Object.fromEntries(of.map((one) => [box(one), 'true']));
/** Fills in the form of somebody new. */
const fillIn = (page: Shown, by: Browser, boxes: Readonly<Record<string, string>> = {}) =>
  by.submit(page, { full_name: `Newcomer ${server.next()}`, password: PASSWORD, ...boxes });

/** Names of the channels of an account, in their order. */
async function channelsOf(email: string): Promise<readonly string[]> {
  const login = { username: email, password: PASSWORD };
  const { api_key: key } = granted(await server.anonymous.post<{ api_key: string }>('/fetch_api_key', login));
  const { subscriptions } = granted(
    await (server.as({ email, key }) as Person).get<{ subscriptions: { name: string }[] }>('/users/me/subscriptions'),
  );
  return subscriptions.map(({ name }) => name).sort();
}

/** Opens the form of somebody who was invited. */
async function invited(by: Browser, email: string, more = {}): Promise<Shown> {
  granted(await invite(owner, email, more));
  return by.open(`/join/${await latestToken(server, 'invitation')}`);
}

/** Opens the form of somebody who asked to join at a path, and has followed the link of the mail. */
async function confirmed(by: Browser, email: string, path: string): Promise<Shown> {
  await by.fill(path, { email });
  return by.open(`/accounts/do_confirm/${await latestToken(server, 'registration')}`);
}

describe('somebody who joins', () => {
  it('is asked which groups of channels they want, with boxes that belong to their texts', async () => {
    const { text, words } = await invited(browser(), someone());
    expect(words).toContain('What are you interested in?');
    expect(text).toMatch(
      /<fieldset aria-describedby="default_stream_group-hint">\s*<legend>[^]*<label class="check"\s*><input type="checkbox" name="default_stream_group_\d+" value="true"\s*\/>\s*<span>Design <span class="hint">For people who \*draw\* &amp; paint<\/span>/,
    );
    expect(text).not.toMatch(/drawing|painting|checked/);
    const german = await browser().open(`/join/${await latestToken(server, 'invitation')}`, {
      headers: { 'accept-language': 'de' },
    });
    expect(german.words).toContain('Was interessiert Sie?');
  });

  it('by an invitation gets the channels of what they chose beside the default ones', async () => {
    const [email, by] = [someone(), browser()];
    const page = await invited(by, email, { include_realm_default_subscriptions: true });
    expect((await fillIn(page, by, ticked('Design'))).path).toBe('/welcome');
    expect(await channelsOf(email)).toEqual(['drawing', 'general', 'painting']);
  });

  it('by a link with channels of its own gets them and what they chose, and no default channel', async () => {
    const crew = await server.channel(owner, { name: 'crew' });
    const { invite_link } = granted(await createLink(owner, { stream_ids: [crew] }));
    const [email, by] = [someone(), browser()];
    const page = await confirmed(by, email, new URL(invite_link).pathname);
    expect((await fillIn(page, by, ticked('Design', 'Music'))).path).toBe('/welcome');
    expect(await channelsOf(email)).toEqual(['crew', 'drawing', 'music', 'painting']);
  });

  it('without an invitation may choose something or nothing', async () => {
    granted(await owner.patch('/realm', { invite_required: false }));
    const [chooser, other] = [someone(), someone()];
    for (const [email, boxes] of [[chooser, ticked('Music')] as const, [other, {}] as const]) {
      const by = browser();
      expect((await fillIn(await confirmed(by, email, '/register'), by, boxes)).path).toBe('/welcome');
    }
    expect(await channelsOf(chooser)).toEqual(['general', 'music']);
    expect(await channelsOf(other)).toEqual(['general']);
  });

  it('cannot choose what is not offered, sees so, and may try again', async () => {
    const [email, by] = [someone(), browser()];
    const page = await invited(by, email);
    for (const id of [FOREIGN, 999]) {
      const { status, words } = await fillIn(page, by, ticked(id));
      expect([status, words]).toEqual([400, expect.stringContaining(REFUSAL)]);
    }
    const refused = await fillIn(page, by, ticked('Music', FOREIGN));
    expect(refused.text.match(/<input[^>]* checked/g)).toEqual([expect.stringContaining(box('Music'))]);
    for (const wrong of ['x', '', '-1', '1e9', '9'.repeat(30)]) {
      expect((await fillIn(page, by, { [`default_stream_group_${wrong}`]: 'true' })).status).toBe(400);
    }
    expect((await fillIn(refused, by, ticked('Music'))).path).toBe('/welcome');
    expect(await channelsOf(email)).toEqual(['music']);
  });

  it('as a guest is not asked, and gets what the invitation gives', async () => {
    const [email, by] = [someone(), browser()];
    const page = await invited(by, email, { invite_as: 600, include_realm_default_subscriptions: true });
    expect(page.text).not.toContain('default_stream_group');
    expect((await fillIn(page, by, ticked('Music'))).words).toContain(REFUSAL);
    expect((await fillIn(page, by)).path).toBe('/welcome');
    expect(await channelsOf(email)).toEqual(['general']);
  });

  it('is not asked where there are no groups, and cannot choose one that was deleted meanwhile', async () => {
    const [email, by] = [someone(), browser()];
    const page = await invited(by, email);
    for (const id of groups.values()) granted(await owner.delete(`/default_stream_groups/${id}`));
    const refused = await fillIn(page, by, ticked('Music'));
    expect([refused.status, refused.text.includes('fieldset aria')]).toEqual([400, false]);
    expect(refused.words).toContain(REFUSAL);
  });
});

import type { Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import { makeGroup } from '../../support/requests/groups';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

let server: TestServer;
let owner: Person;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = server.owner;
  ann = await server.person({ name: 'Ann' });
  ben = await server.person({ name: 'Ben' });
});
afterAll(() => server.close());

const settingsOf = async (by: Person) =>
  (await by.register({ fetch_event_types: ['user_settings'] }))['user_settings'] as Record<string, unknown>;
const change = (params: Params, targets: unknown, by = owner) =>
  by.patch('/settings', { ...params, target_users: targets });
const to = (...people: Person[]) => ({ user_ids: people.map(({ id }) => id), skip_if_already_edited: false });
const refused = (code = 'BAD_REQUEST', msg?: string) => ({ status: 400, body: { code, ...(msg && { msg }) } });

describe('PATCH /settings with target_users', () => {
  it('changes the settings of these users, with an event for each of them', async () => {
    const before = await settingsOf(owner);
    const events = await ann.receive(async () => {
      expect(granted(await change({ color_scheme: 2, enter_sends: true }, to(ann, ben)))).toEqual({
        result: 'success',
        msg: '',
      });
    }, 'user_settings');
    expect(events).toMatchObject([
      { op: 'update', property: 'color_scheme', value: 2 },
      { op: 'update', property: 'enter_sends', value: true },
    ]);
    for (const one of [ann, ben]) expect(await settingsOf(one)).toMatchObject({ color_scheme: 2, enter_sends: true });
    expect(await settingsOf(owner)).toEqual(before);
  });

  it('changes the settings of the members of groups, through subgroups too, except bots', async () => {
    const [cleo, dan] = [await server.person(), await server.person()];
    const bot = await server.bot(cleo);
    const inner = await makeGroup(owner, { members: [cleo.id, bot.id] });
    const outer = await makeGroup(owner, { members: [dan.id], subgroups: [inner] });
    granted(await change({ user_list_style: 1 }, { group_ids: [outer], skip_if_already_edited: false }));
    for (const one of [cleo, dan]) expect(await settingsOf(one)).toMatchObject({ user_list_style: 1 });
    expect(await settingsOf(bot)).toMatchObject({ user_list_style: 3 });
    granted(await change({ user_list_style: 2 }, to(bot)));
    expect(await settingsOf(bot)).toMatchObject({ user_list_style: 3 });
  });

  it('can leave settings that users have changed themselves', async () => {
    const [eve, fay] = [await server.person(), await server.person()];
    granted(await eve.patch('/settings', { web_home_view: 'recent' }));
    granted(await change({ web_home_view: 'recent' }, to(fay)));
    const input = { web_home_view: 'all_messages', starred_message_counts: false };
    granted(await change(input, { ...to(eve, fay), skip_if_already_edited: true }));
    expect(await settingsOf(eve)).toMatchObject({ web_home_view: 'recent', starred_message_counts: false });
    expect(await settingsOf(fay)).toMatchObject(input);
    granted(await change(input, to(eve)));
    expect(await settingsOf(eve)).toMatchObject(input);
  });

  it('is for administrators', async () => {
    const administrator = await server.person({ role: 'administrator' });
    granted(await change({ fluid_layout_width: true }, to(ben), administrator));
    for (const role of ['moderator', 'member', 'guest'] as const) {
      expect(await change({ fluid_layout_width: false }, to(ben), await server.person({ role }))).toMatchObject(
        refused('UNAUTHORIZED_PRINCIPAL'),
      );
    }
    expect(await settingsOf(ben)).toMatchObject({ fluid_layout_width: true });
  });

  it.each<[Params]>([
    [{ email: 'other@example.com' }],
    [{ full_name: 'Other' }],
    [{ old_password: 'x', new_password: 'correct-horse-battery' }],
    [{ timezone: 'Europe/Berlin' }],
    [{ allow_private_data_export: true }],
    [{ email_address_visibility: 4 }],
    [{ enable_digest_emails: false }],
    [{ enable_login_emails: false }],
    [{ enable_marketing_emails: false }],
    [{ presence_enabled: false }],
    [{ send_private_typing_notifications: false }],
    [{ send_read_receipts: false }],
    [{ send_stream_typing_notifications: false }],
  ])('refuses %j, which users choose for themselves', async (params) => {
    const before = await settingsOf(ben);
    expect(await change({ high_contrast_mode: true, ...params }, to(ben))).toMatchObject(
      refused('BAD_REQUEST', 'Cannot change this setting for other users.'),
    );
    expect(await settingsOf(ben)).toEqual(before);
  });

  it.each<[string, () => unknown]>([
    ['nobody', () => ({ skip_if_already_edited: false })],
    ['empty lists', () => ({ user_ids: [], group_ids: [], skip_if_already_edited: false })],
    ['no choice about edited settings', () => ({ user_ids: [ben.id] })],
    ['an unknown user', () => ({ user_ids: [ben.id, 999_999], skip_if_already_edited: false })],
    ['an unknown group', () => ({ user_ids: [ben.id], group_ids: [999_999], skip_if_already_edited: false })],
    ['too many users', () => ({ user_ids: Array(5_001).fill(ben.id), skip_if_already_edited: false })],
    ['a list', () => [ben.id]],
  ])('refuses %s as target, and changes nothing', async (_, targets) => {
    const before = await settingsOf(ben);
    expect(await change({ high_contrast_mode: !before['high_contrast_mode'] }, targets())).toMatchObject(refused());
    expect(await settingsOf(ben)).toEqual(before);
  });
});

import type { Caller, Params } from '../../support/server/caller';
import { granted } from '../../support/server/caller';
import type { Person } from '../../support/server/organization';
import type { TestServer } from '../../support/server/server';
import { startTestServer } from '../../support/server/server';

/** Contract/boot.md section 6: what a setting may be, written down apart from the code that obeys it. */
const numbers = (last: number) => Array.from({ length: last }, (_, n) => n + 1);
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  color_scheme: numbers(3),
  default_language: ['de', 'zh-hans', 'pt-br', 'en'],
  web_home_view: ['inbox', 'recent', 'all_messages'],
  demote_inactive_streams: numbers(3),
  emojiset: ['google', 'google-blob', 'twitter', 'text'],
  twenty_four_hour_time: [true, false, null],
  web_mark_read_on_scroll_policy: numbers(3),
  web_channel_default_view: numbers(4),
  user_list_style: numbers(3),
  resolved_topic_notice_auto_read_policy: ['always', 'never', 'except_followed'],
  web_animate_image_previews: ['always', 'on_hover', 'never'],
  web_stream_unreads_count_display_policy: numbers(3),
  web_font_size_px: [14, 16, 20],
  web_line_height_percent: [122, 140, 158],
  desktop_icon_count_display: numbers(4),
  email_notifications_batching_period_seconds: [1, 120, 604_800],
  notification_sound: ['ding', 'wood block', 'zulip', 'none'],
  realm_name_in_email_notifications_policy: numbers(3),
  automatically_follow_topics_policy: numbers(4),
  email_address_visibility: numbers(5),
  timezone: ['', 'Europe/Berlin', 'Asia/Kolkata'],
  automatically_unmute_topics_in_muted_streams_policy: numbers(4),
};
/** Names of the languages above. */
const LANGUAGES: Readonly<Record<string, string>> = {
  de: 'Deutsch',
  en: 'English',
  'pt-br': 'Português Brasileiro',
  'zh-hans': '简体中文',
};
/** Nothing here would keep what these promise. */
const NOT_YET = ['emojiset_choices', 'available_notification_sounds'];
/** Settings without a default of the organization, or with its language as the default. */
const OWN_AFFAIRS = [
  'default_language',
  'timezone',
  'enable_login_emails',
  'enable_marketing_emails',
  'allow_private_data_export',
];
const REFUSED = { status: 400, body: { result: 'error', code: 'BAD_REQUEST' } };

let server: TestServer;
let ann: Person;
let all: Readonly<Record<string, unknown>>;
beforeAll(async () => {
  server = await startTestServer();
  ann = await server.person({ name: 'Ann' });
  all = await settingsOf(ann);
});
afterAll(() => server.close());

const blockOf = async (by: Caller, name: string) =>
  (await by.register({ fetch_event_types: [name] }))[name] as Record<string, unknown>;
const settingsOf = (by: Caller) => blockOf(by, 'user_settings');
const defaultsOf = (by: Caller) => blockOf(by, 'realm_user_settings_defaults');
const wire = (value: unknown) => (value === null ? 'null' : value);
const update = (type: string, property: string, value: unknown) => ({
  id: expect.any(Number) as number,
  type,
  op: 'update',
  property,
  value,
  ...(type === 'user_settings' && property === 'default_language' && { language_name: LANGUAGES[String(value)] }),
});
const valuesOf = (name: string): readonly unknown[] => VALUES[name] ?? [!all[name], all[name]];
const choosable = () => Object.keys(all).filter((name) => !NOT_YET.includes(name));

describe('PATCH /settings', () => {
  it('changes every setting of the contract that is stored', async () => {
    expect(choosable()).toHaveLength(64);
    const queue = await ann.register({ event_types: ['user_settings'] });
    const expected: unknown[] = [];
    for (const name of choosable()) {
      let before = all[name];
      for (const value of valuesOf(name)) {
        expect(granted(await ann.patch('/settings', { [name]: wire(value) }))).toEqual({ result: 'success', msg: '' });
        // The time zone can be erased: events show it as it is at delivery.
        const received = name === 'timezone' ? valuesOf(name).at(-1) : value;
        if (value !== before) expected.push(update('user_settings', name, received));
        before = value;
      }
    }
    expect(await ann.events(queue)).toEqual(expected);
    const last = Object.fromEntries(choosable().map((name) => [name, valuesOf(name).at(-1)]));
    expect(await settingsOf(ann)).toEqual({ ...all, ...last });
  });

  it('offers the sounds that clients have', async () => {
    const sounds = (await settingsOf(ann))['available_notification_sounds'];
    expect(sounds).toHaveLength(31);
    expect(sounds).toEqual(expect.arrayContaining(['ding', 'zulip']));
    expect(sounds).not.toContain('none');
  });

  it('notifies administrators who allow the export of their private data, or no longer', async () => {
    const bob = await server.person();
    const allow = (allowed: boolean) => async () =>
      granted(await bob.patch('/settings', { allow_private_data_export: allowed }));
    for (const consented of [true, false]) {
      let others: readonly unknown[] = [];
      const seen = await server.owner.receive(async () => {
        others = await ann.receive(allow(consented), 'realm_export_consent');
      }, 'realm_export_consent');
      expect(seen).toMatchObject([{ type: 'realm_export_consent', user_id: bob.id, consented }]);
      expect(others).toEqual([]);
    }
    expect(await server.owner.receive(allow(false), 'realm_export_consent')).toEqual([]);
  });

  it('accepts texts with and without quotes', async () => {
    for (const web_home_view of ['recent', '"all_messages"']) granted(await ann.patch('/settings', { web_home_view }));
    expect(await settingsOf(ann)).toMatchObject({ web_home_view: 'all_messages' });
  });

  it.each<[Params]>([
    [{ color_scheme: 0 }],
    [{ color_scheme: 4 }],
    [{ color_scheme: '"1"' }],
    [{ color_scheme: 1.5 }],
    [{ web_home_view: 'recent_topics' }],
    [{ web_home_view: '' }],
    [{ emojiset: 'apple' }],
    [{ notification_sound: 'gong' }],
    [{ default_language: 'tlh' }],
    [{ default_language: 'DE' }],
    [{ translate_emoticons: 1 }],
    [{ web_font_size_px: 7 }],
    [{ web_font_size_px: 65 }],
    [{ web_line_height_percent: 99 }],
    [{ web_line_height_percent: 301 }],
    [{ email_notifications_batching_period_seconds: 0 }],
    [{ email_notifications_batching_period_seconds: 604_801 }],
    [{ twenty_four_hour_time: 'maybe' }],
    [{ presence_enabled: 'yes' }],
    [{ user_list_style: '[1]' }],
  ])('refuses %j and changes nothing else either', async (wrong) => {
    const before = await settingsOf(ann);
    expect(await ann.patch('/settings', { enter_sends: !before['enter_sends'], ...wrong })).toMatchObject(REFUSED);
    expect(await settingsOf(ann)).toEqual(before);
  });

  it('is the default of subscription settings, for clients that do not know that these may inherit', async () => {
    const bob = await server.person();
    const channel = await server.channel(bob);
    const mine = async (client_capabilities?: Params) => {
      const { subscriptions } = await bob.register({ fetch_event_types: ['subscription'], client_capabilities });
      return (subscriptions as Params[]).find(({ stream_id }) => stream_id === channel);
    };
    granted(
      await bob.patch('/settings', { enable_stream_desktop_notifications: true, wildcard_mentions_notify: false }),
    );
    expect(await mine()).toMatchObject({ desktop_notifications: true, wildcard_mentions_notify: false });
    expect(await mine({ notification_settings_null: true })).toMatchObject({ desktop_notifications: null });
  });
});

describe('PATCH /realm/user_settings_defaults', () => {
  const choose = (by: Caller, request: Params) => by.patch('/realm/user_settings_defaults', request);

  it('sets the initial settings of users created from then on, and changes nothing for others', async () => {
    const early = await server.person();
    const before = await settingsOf(early);
    const request = { color_scheme: 2, twenty_four_hour_time: 'null', emojiset: 'text', enter_sends: false };
    const events = await early.receive(async () => {
      expect(granted(await choose(server.owner, request))).toEqual({ result: 'success', msg: '' });
    }, 'realm_user_settings_defaults');
    expect(events).toEqual(
      [
        ['color_scheme', 2],
        ['emojiset', 'text'],
        ['twenty_four_hour_time', null],
      ].map(([name, value]) => update('realm_user_settings_defaults', String(name), value)),
    );
    const chosen = { color_scheme: 2, twenty_four_hour_time: null, emojiset: 'text' };
    expect(await defaultsOf(early)).toMatchObject(chosen);
    expect(await settingsOf(early)).toEqual(before);
    const late = await server.person();
    expect(await settingsOf(late)).toEqual({ ...before, ...chosen });
    expect(await settingsOf(await server.bot(late))).toEqual(before);
    granted(await choose(server.owner, { color_scheme: 3 }));
    expect(await settingsOf(late)).toMatchObject({ color_scheme: 2 });
    expect(await settingsOf(await server.person())).toMatchObject({ color_scheme: 3 });
  });

  it('accepts every setting that is not personal', async () => {
    const { timezone: _, ...others } = all;
    expect(Object.keys(await defaultsOf(ann)).sort()).toEqual(Object.keys(others).sort());
    const request = Object.fromEntries([...choosable(), 'nonsense'].map((name) => [name, wire(valuesOf(name)[0])]));
    const { ignored_parameters_unsupported: ignored } = granted(
      await choose(server.owner, { ...request, nonsense: 1 }),
    );
    expect(ignored).toHaveLength(OWN_AFFAIRS.length + 1);
    expect(ignored).toEqual(expect.arrayContaining([...OWN_AFFAIRS, 'nonsense']));
  });

  it('is silent when nothing changes', async () => {
    granted(await choose(server.owner, { color_scheme: 1 }));
    const again = async () => granted(await choose(server.owner, { color_scheme: 1 }));
    expect(await ann.receive(again, 'realm_user_settings_defaults')).toEqual([]);
  });

  it('is for administrators', async () => {
    const administrator = await server.person({ role: 'administrator' });
    granted(await choose(administrator, { color_scheme: 2 }));
    for (const role of ['moderator', 'member', 'guest'] as const) {
      expect(await choose(await server.person({ role }), { color_scheme: 1 })).toMatchObject({
        status: 400,
        body: { code: 'UNAUTHORIZED_PRINCIPAL' },
      });
    }
    expect(await choose(server.anonymous, {})).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    expect(await defaultsOf(ann)).toMatchObject({ color_scheme: 2 });
  });

  it('refuses invalid values', async () => {
    for (const wrong of [{ color_scheme: 9 }, { emojiset: 'apple' }, { enter_sends: 1 }]) {
      expect(await choose(server.owner, { user_list_style: 1, ...wrong })).toMatchObject(REFUSED);
    }
  });
});

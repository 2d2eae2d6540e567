import type { Position, Recorded, UserId } from '@annals/kernel/domain';
import { Role, fold } from '@annals/kernel/domain';
import { OwnSettingsChanged } from '../events';
import {
  beginWith,
  changeDefaultSettings,
  changeOwnSettings,
  changeSettingsOf,
  ownSettingsAggregate,
} from './own-settings';
import { DEFAULT_SETTING_NAMES, INITIAL_SETTINGS, OWN_SETTING_NAMES } from './settings';

const ann = 7 as UserId;
const state = (...facts: OwnSettingsChanged[]) =>
  fold(ownSettingsAggregate, facts as unknown as Recorded<OwnSettingsChanged>[]);
const after = (...facts: OwnSettingsChanged[]) => state(...facts).settings;
const fresh = { settings: INITIAL_SETTINGS };

describe('settings that an administrator changes for a user', () => {
  const by = (actorId: UserId, ...facts: OwnSettingsChanged[]) => facts.map((one) => ({ ...one, actorId }));
  const edited = changeOwnSettings(fresh, ann, { color_scheme: 2, enter_sends: true });
  const input = { color_scheme: 3, starred_message_counts: false } as const;
  const changed = (facts: OwnSettingsChanged[]) => facts.map(({ data }) => data.settings);

  it('can exclude those that the user has changed', () => {
    const own = state(...by(ann, ...edited));
    expect(changed(changeSettingsOf(own, ann, input, true))).toEqual([{ starred_message_counts: false }]);
    expect(changed(changeSettingsOf(own, ann, input, false))).toEqual([input]);
    expect(changeSettingsOf(own, ann, { color_scheme: 3 }, true)).toEqual([]);
  });

  it('are no changes of the user', () => {
    const given = state(...by(8 as UserId, ...edited));
    expect(changed(changeSettingsOf(given, ann, input, true))).toEqual([input]);
  });
});

describe('personal settings', () => {
  it('are the defaults of the contract for a new user', () => {
    expect(after()).toMatchObject({
      color_scheme: 1,
      twenty_four_hour_time: false,
      web_home_view: 'inbox',
      presence_enabled: true,
      automatically_follow_topics_policy: 3,
      automatically_follow_topics_where_mentioned: true,
      automatically_unmute_topics_in_muted_streams_policy: 2,
      email_address_visibility: 1,
      receives_typing_notifications: true,
      send_private_typing_notifications: true,
      send_stream_typing_notifications: true,
    });
  });

  it('change together, and only differences are recorded, with the old values', () => {
    const input = { receives_typing_notifications: false, send_private_typing_notifications: true };
    const facts = changeOwnSettings(fresh, ann, input);
    expect(facts).toEqual([
      {
        type: 'users.OwnSettingsChanged',
        data: {
          userId: ann,
          settings: { receives_typing_notifications: false },
          previous: { receives_typing_notifications: true },
        },
        sealed: {},
      },
    ]);
    expect(after(...facts)).toEqual({ ...INITIAL_SETTINGS, receives_typing_notifications: false });
  });

  it('have the time zone in the sealed part', () => {
    const rome = { settings: { ...INITIAL_SETTINGS, timezone: 'Europe/Rome' } };
    const facts = changeOwnSettings(rome, ann, { timezone: 'Asia/Kolkata', enter_sends: true });
    expect(facts).toEqual([
      {
        type: 'users.OwnSettingsChanged',
        data: { userId: ann, settings: { enter_sends: true }, previous: { enter_sends: false }, timezone: true },
        sealed: { timezone: { from: 'Europe/Rome', to: 'Asia/Kolkata' } },
      },
    ]);
    expect(after(...facts)).toEqual({ ...INITIAL_SETTINGS, timezone: 'Asia/Kolkata', enter_sends: true });
    const erased = facts.map((one) => ({ ...one, sealed: 'erased' })) as unknown as Recorded<OwnSettingsChanged>[];
    expect(fold(ownSettingsAggregate, erased).settings).toEqual({ ...INITIAL_SETTINGS, enter_sends: true });
    expect(OwnSettingsChanged.subjects({ userId: ann, settings: {}, previous: {} }, 1 as Position)).toEqual([
      ['user', ann],
    ]);
    expect(facts.map(({ data }) => OwnSettingsChanged.subjects(data, 1 as Position))).toEqual([
      [
        ['user', ann],
        ['person', ann],
      ],
    ]);
  });

  it('that were stored with the time zone among the others are read the same way', () => {
    const upcast = OwnSettingsChanged.upcasters[1];
    const old = (settings: object, previous: object) =>
      upcast?.({ data: { userId: ann, settings, previous }, sealed: null });
    const open = { settings: { enter_sends: true }, previous: { enter_sends: false } };
    expect(old(open.settings, open.previous)).toEqual({ data: { userId: ann, ...open }, sealed: {} });
    const [now, then] = [{ timezone: '' }, { timezone: 'Europe/Rome' }];
    expect(old({ ...open.settings, ...now }, { ...open.previous, ...then })).toEqual({
      data: { userId: ann, ...open, timezone: true },
      sealed: { timezone: { from: 'Europe/Rome', to: '' } },
    });
  });

  it('that do not change leave no event', () => {
    expect(changeOwnSettings(fresh, ann, { ...INITIAL_SETTINGS })).toEqual([]);
    expect(changeOwnSettings(fresh, ann, {})).toEqual([]);
  });
});

describe('settings of new users', () => {
  const administrator = { role: Role.administrator };

  it('are chosen by administrators', () => {
    const input = { color_scheme: 2, enter_sends: false } as const;
    expect(changeDefaultSettings(INITIAL_SETTINGS, administrator, input)).toEqual([
      {
        type: 'users.DefaultSettingsChanged',
        data: { settings: { color_scheme: 2 }, previous: { color_scheme: 1 } },
        sealed: null,
      },
    ]);
    expect(() => changeDefaultSettings(INITIAL_SETTINGS, { role: Role.moderator }, input)).toThrow('administrator');
    expect(() => changeDefaultSettings(INITIAL_SETTINGS, { role: Role.moderator }, {})).toThrow('administrator');
  });

  it('are given to a new user if they differ from the defaults', () => {
    expect(beginWith(ann, { ...INITIAL_SETTINGS, color_scheme: 3, twenty_four_hour_time: null }, 'en')).toMatchObject([
      {
        type: 'users.OwnSettingsChanged',
        data: { userId: ann, settings: { color_scheme: 3, twenty_four_hour_time: null } },
      },
    ]);
    expect(beginWith(ann, INITIAL_SETTINGS, 'en')).toEqual([]);
    expect(beginWith(ann, INITIAL_SETTINGS, 'de')).toMatchObject([{ data: { settings: { default_language: 'de' } } }]);
  });

  it('exclude personal settings and the language, which is that of the organization', () => {
    expect(OWN_SETTING_NAMES.filter((name) => !DEFAULT_SETTING_NAMES.includes(name))).toEqual([
      'enable_login_emails',
      'enable_marketing_emails',
      'allow_private_data_export',
      'default_language',
      'timezone',
    ]);
    const state = { ...INITIAL_SETTINGS, allow_private_data_export: true };
    expect(beginWith(ann, state, 'en')).toEqual([]);
  });
});

import type { Position, Recorded, UserId } from '@annals/kernel/domain';
import { Role, fold } from '@annals/kernel/domain';
import { OwnSettingsChanged } from '../events';
import { beginWith, changeDefaultSettings, changeOwnSettings, ownSettingsAggregate } from './own-settings';
import { DEFAULT_SETTING_NAMES, INITIAL_SETTINGS, OWN_SETTING_NAMES } from './settings';

const ann = 7 as UserId;
const after = (...facts: OwnSettingsChanged[]) =>
  fold(ownSettingsAggregate, facts as unknown as Recorded<OwnSettingsChanged>[]);

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
    const wish = { receives_typing_notifications: false, send_private_typing_notifications: true };
    const facts = changeOwnSettings(INITIAL_SETTINGS, ann, wish);
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
    const rome = { ...INITIAL_SETTINGS, timezone: 'Europe/Rome' };
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
    expect(fold(ownSettingsAggregate, erased)).toEqual({ ...INITIAL_SETTINGS, enter_sends: true });
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
    expect(changeOwnSettings(INITIAL_SETTINGS, ann, { ...INITIAL_SETTINGS })).toEqual([]);
    expect(changeOwnSettings(INITIAL_SETTINGS, ann, {})).toEqual([]);
  });
});

describe('settings of new users', () => {
  const administrator = { role: Role.administrator };

  it('are chosen by administrators', () => {
    const wish = { color_scheme: 2, enter_sends: false } as const;
    expect(changeDefaultSettings(INITIAL_SETTINGS, administrator, wish)).toEqual([
      {
        type: 'users.DefaultSettingsChanged',
        data: { settings: { color_scheme: 2 }, previous: { color_scheme: 1 } },
        sealed: null,
      },
    ]);
    expect(() => changeDefaultSettings(INITIAL_SETTINGS, { role: Role.moderator }, wish)).toThrow('administrator');
    expect(() => changeDefaultSettings(INITIAL_SETTINGS, { role: Role.moderator }, {})).toThrow('administrator');
  });

  it('are given to a new user, as far as they differ from the defaults', () => {
    expect(beginWith(ann, { ...INITIAL_SETTINGS, color_scheme: 3, twenty_four_hour_time: null })).toMatchObject([
      {
        type: 'users.OwnSettingsChanged',
        data: { userId: ann, settings: { color_scheme: 3, twenty_four_hour_time: null } },
      },
    ]);
    expect(beginWith(ann, INITIAL_SETTINGS)).toEqual([]);
  });

  it('exclude personal settings', () => {
    expect(OWN_SETTING_NAMES.filter((name) => !DEFAULT_SETTING_NAMES.includes(name))).toEqual([
      'enable_login_emails',
      'enable_marketing_emails',
      'allow_private_data_export',
      'timezone',
    ]);
    const state = { ...INITIAL_SETTINGS, allow_private_data_export: true };
    expect(beginWith(ann, state)).toEqual([]);
  });
});

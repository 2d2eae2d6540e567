import type { Actor, Aggregate, ChannelId, GroupSetting, Recorded, UserId } from '@annals/kernel/domain';
import { fact, fold, isAdministrator, isOwner, normalGroupSetting, sameGroupSetting } from '@annals/kernel/domain';
import type { RealmEvent } from './events';
import { RealmCreated, RealmSettingsChanged } from './events';
import { allowedGroupValue } from './group-values';
import { reject } from './rejections';
import type { Changer } from './setting-kinds';
import type { GroupSettingName, RealmSettings, RealmTexts, SettingName, TextName } from './settings';
import {
  CHANNEL_SETTING_NAMES,
  NO_TEXTS,
  SETTINGS,
  REALM_SETTING_NAMES,
  TEXTS,
  TEXT_NAMES,
  defaultSettings,
  settingOf,
} from './settings';
import type { SystemGroups } from './system-groups';

/** An organization as rules need it. Null before it is created. */
export type Realm = {
  readonly uuid: string;
  readonly systemGroups: SystemGroups;
  readonly notificationBotId: UserId;
  readonly settings: RealmSettings;
  readonly texts: RealmTexts;
} | null;

/** The one stream of an organization's own settings. Its key is always `realm`. */
export const realmAggregate: Aggregate<Realm, RealmEvent, 'realm'> = {
  stream: (key) => key,
  initial: null,
  evolve(state, event): Realm {
    const texts = event.sealed === 'erased' ? {} : event.sealed;
    switch (event.type) {
      case 'realm.Created': {
        const { uuid, systemGroups, notificationBotId, settings } = event.data;
        return {
          uuid,
          systemGroups,
          notificationBotId,
          settings: { ...defaultSettings(systemGroups), ...settings },
          texts: { ...NO_TEXTS, ...texts },
        };
      }
      case 'realm.SettingsChanged':
        return (
          state && {
            ...state,
            settings: { ...state.settings, ...event.data.settings },
            texts: { ...state.texts, ...texts },
          }
        );
    }
  },
};

interface NewRealm {
  readonly subdomain: string;
  readonly uuid: string;
  readonly name: string;
  readonly systemGroups: SystemGroups;
  readonly notificationBotId: UserId;
}

/**
 * The organization as events of its stream made it. Null before it was created.
 *
 * @param upTo the last position that counts
 */
export const foldRealm = (events: readonly Recorded[], upTo = Infinity): Realm =>
  fold(realmAggregate, events.filter(({ position }) => position <= upTo) as readonly Recorded<RealmEvent>[]);

/** Creates the organization, with the default of every setting. */
export function createRealm(state: Realm, { name, ...data }: NewRealm): RealmCreated[] {
  if (state) throw reject.alreadyCreated();
  const settings = defaultSettings(data.systemGroups);
  return [fact(RealmCreated, { ...data, settings }, { ...NO_TEXTS, name })];
}

/** Requested changes, and the expected current values of group settings. */
export interface SettingsPatch {
  readonly settings: Partial<RealmSettings>;
  readonly texts: Partial<RealmTexts>;
  readonly expected: Partial<Readonly<Record<GroupSettingName, GroupSetting>>>;
}

/** Whether a caller may expect this present value. */
type IsExpected = (expected: GroupSetting, present: GroupSetting) => boolean;

/**
 * Changes settings of the organization. Equal values are left out (permissions.md section 5.1).
 *
 * @throws Rejected for the first change that is not allowed. Then nothing changes
 */
export function changeSettings(
  state: NonNullable<Realm>,
  input: SettingsPatch,
  actor: Pick<Actor, 'role'>,
  isExpected: IsExpected = sameGroupSetting,
): RealmSettingsChanged[] {
  const settings: Record<string, unknown> = {};
  const previous: Record<string, unknown> = {};
  for (const name of REALM_SETTING_NAMES) {
    if (input.settings[name] === undefined) continue;
    ensureChanger(name, SETTINGS[name].by, actor);
    const value = checkedValue(state, input, name, isExpected);
    if (sameValue(value, state.settings[name])) continue;
    settings[name] = value;
    previous[name] = state.settings[name];
  }
  const texts = changedTexts(state.texts, input.texts, actor);
  if (Object.keys(settings).length === 0 && Object.keys(texts).length === 0) return [];
  return [fact(RealmSettingsChanged, { settings, previous }, texts)];
}

/** One line, without control characters. */
const NAME = /^[^\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]+$/u;

/** @throws Rejected BAD_REQUEST for a text that cannot be the name of an organization */
export function checkedName(written: string): string {
  const name = written.trim();
  const { min, max } = TEXTS.name;
  const { length } = [...name];
  if (length < min || length > max || !NAME.test(name)) throw reject.badName();
  return name;
}

/** The operator gives the organization another name. @throws Rejected BAD_REQUEST for an invalid one */
export function renameByOperator(state: Realm, written: string): RealmSettingsChanged[] {
  const name = checkedName(written);
  return state?.texts.name === name ? [] : [fact(RealmSettingsChanged, { settings: {}, previous: {} }, { name })];
}

/** Settings with an archived channel are set to none (contract/channels.md section 6). */
export function forgetChannel(state: Realm, channel: ChannelId): RealmSettingsChanged[] {
  const pointing = CHANNEL_SETTING_NAMES.filter((name) => state?.settings[name] === channel);
  if (pointing.length === 0) return [];
  const all = (value: ChannelId | null) => Object.fromEntries(pointing.map((name) => [name, value]));
  return [fact(RealmSettingsChanged, { settings: all(null), previous: all(channel) }, {})];
}

/**
 * The restriction of emails to domains ends with the last domain (contract/navigation-snippets-domains.md section 3).
 */
export function liftDomainRestriction(state: Realm): RealmSettingsChanged[] {
  if (!state?.settings.emails_restricted_to_domains) return [];
  const restricted = (value: boolean) => ({ emails_restricted_to_domains: value });
  return [fact(RealmSettingsChanged, { settings: restricted(false), previous: restricted(true) }, {})];
}

function changedTexts(
  current: RealmTexts,
  requested: Partial<RealmTexts>,
  actor: Pick<Actor, 'role'>,
): Partial<RealmTexts> {
  const changed: Partial<Record<TextName, string>> = {};
  for (const name of TEXT_NAMES) {
    const text = requested[name];
    if (text === undefined) continue;
    ensureChanger(name, TEXTS[name].by, actor);
    if (text !== current[name]) changed[name] = text;
  }
  return changed;
}

function checkedValue(
  state: NonNullable<Realm>,
  input: SettingsPatch,
  name: SettingName,
  isExpected: IsExpected,
): unknown {
  const setting = settingOf(name);
  const requested = input.settings[name];
  if (setting.kind !== 'group') return requested;
  const expected = input.expected[name as GroupSettingName];
  const current = state.settings[name] as GroupSetting;
  if (expected !== undefined && !isExpected(normalGroupSetting(expected, state.systemGroups.nobody), current)) {
    throw reject.valueMoved();
  }
  return allowedGroupValue(name, requested as GroupSetting, setting.rule, state.systemGroups);
}

function sameValue(a: unknown, b: unknown): boolean {
  if (typeof a === 'object' && a !== null && typeof b === 'object' && b !== null) {
    return sameGroupSetting(a as GroupSetting, b as GroupSetting);
  }
  return a === b;
}

function ensureChanger(setting: string, by: Changer, actor: Pick<Actor, 'role'>): void {
  switch (by) {
    case 'administrators':
      if (!isAdministrator(actor)) throw reject.administratorsOnly();
      return;
    case 'owners':
      if (!isOwner(actor)) throw reject.ownersOnly();
      return;
    case 'nobody':
      throw reject.notChangeable({ setting });
  }
}

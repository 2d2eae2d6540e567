import type { ChannelId } from '@annals/kernel/domain';
import { Rejected, nullable, t } from '@annals/kernel/domain';
import { BooleanParam, CustomParam, IntegerParam, TextParam, WordParam, parseInteger, unquoted } from '@annals/web';
import type { SettingsWish } from '../domain/realm';
import type { Setting } from '../domain/settings';
import { SETTING_NAMES, TEXTS, TEXT_NAMES, settingOf } from '../domain/settings';
import type { WireGroupSettingChange } from './group-setting.params';
import { GroupSettingChangeParam, fromWireGroupSetting } from './group-setting.params';

/** Parameters of `PATCH /realm`: one for each setting that can be changed, declared by the table of settings. */
export class ChangeSettingsParams {
  readonly [name: string]: unknown;
}

const changeable = SETTING_NAMES.filter((name) => settingOf(name).by !== 'nobody');
const changeableTexts = TEXT_NAMES.filter((name) => TEXTS[name].by !== 'nobody');

for (const name of changeable) paramOf(settingOf(name))(ChangeSettingsParams.prototype, name);
for (const name of changeableTexts) {
  const { min, max, printable } = TEXTS[name];
  TextParam({ optional: true, quoted: true, trim: true, min, max, printable })(ChangeSettingsParams.prototype, name);
}

/** What the parameters ask for, in the words of the rules (contract/permissions.md section 5.1). */
export function toWish(params: ChangeSettingsParams): SettingsWish {
  const settings: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  for (const name of changeable) {
    const given = params[name];
    if (given === undefined) continue;
    if (settingOf(name).kind !== 'group') {
      settings[name] = given;
      continue;
    }
    const { new: wished, old } = given as WireGroupSettingChange;
    settings[name] = fromWireGroupSetting(wished);
    if (old !== undefined && old !== null) expected[name] = fromWireGroupSetting(old);
  }
  const texts = Object.fromEntries(
    changeableTexts.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name] as string]])),
  );
  return { settings, texts, expected };
}

function paramOf(setting: Setting): PropertyDecorator {
  switch (setting.kind) {
    case 'flag':
      return BooleanParam({ optional: true });
    case 'whole':
      return IntegerParam({ optional: true, min: setting.min, max: setting.max });
    case 'word':
      return WordParam(setting.words, { optional: true, quoted: true });
    case 'time limit':
      return CustomParam(nullable(t.Integer({ minimum: 1 })), 'json', parseTimeLimit, { optional: true });
    case 'channel':
      return CustomParam(nullable(t.Integer()), 'json', parseChannel, { optional: true });
    case 'group':
      return GroupSettingChangeParam();
  }
}

/** Clients keep seconds in 32 bits. */
const MAX_SECONDS = 0x7fff_ffff;

/** Positive seconds, or the word `unlimited`, which is null inside. */
function parseTimeLimit(text: string, name: string): number | null {
  if (unquoted(text) === 'unlimited') return null;
  const seconds = parseInteger(text, name);
  if (seconds < 1 || seconds > MAX_SECONDS) throw new Rejected('BAD_REQUEST', `Bad value for '${name}': ${seconds}`);
  return seconds;
}

/** A channel's id; -1 is none, which is null inside. */
function parseChannel(text: string, name: string): ChannelId | null {
  const id = parseInteger(text, name);
  return id === -1 ? null : (id as ChannelId);
}

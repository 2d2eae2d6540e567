import type { ChannelId } from '@annals/kernel/domain';
import { Rejected, nullable, t } from '@annals/kernel/domain';
import {
  BooleanParam,
  CustomParam,
  IntegerParam,
  JsonParam,
  TextParam,
  WordParam,
  parseInteger,
  unquoted,
} from '@annals/web';
import { isURL } from 'class-validator';
import type { SettingsPatch } from '../domain/realm';
import { reject } from '../domain/rejections';
import type { Setting } from '../domain/setting-kinds';
import { MAX_ADDRESS, MAX_CODE_LANGUAGE } from '../domain/setting-kinds';
import { GROUP_SETTING_NAMES, REALM_SETTING_NAMES, TEXTS, TEXT_NAMES, settingOf } from '../domain/settings';
import { GroupSettingChangeParam, givenChanges } from './group-setting.params';

/** Parameters of `PATCH /realm`: one for each setting that can be changed, declared by the table of settings. */
export class ChangeSettingsParams {
  readonly [name: string]: unknown;
}

const changeable = REALM_SETTING_NAMES.filter((name) => settingOf(name).by !== 'nobody');
const groupSettings = GROUP_SETTING_NAMES.filter((name) => changeable.includes(name));

for (const name of changeable) paramOf(settingOf(name))(ChangeSettingsParams.prototype, name);
for (const name of TEXT_NAMES) {
  const { min, max, printable } = TEXTS[name];
  TextParam({ optional: true, quoted: true, trim: true, min, max, printable })(ChangeSettingsParams.prototype, name);
}

CustomParam(t.String(), 'raw', refuseAddressChange, {
  optional: true,
  about: 'Always refused: the operator changes the address of an organization.',
})(ChangeSettingsParams.prototype, 'string_id');
JsonParam(t.Record(t.String(), t.Boolean()), {
  optional: true,
  about: 'Ways to log in by their names, and whether they are on. Owners only; one must remain.',
})(ChangeSettingsParams.prototype, 'authentication_methods');

/** The ways to log in that shall change; null if the request has none. */
export const toMethods = ({ authentication_methods }: ChangeSettingsParams): Readonly<Record<string, boolean>> | null =>
  (authentication_methods as Readonly<Record<string, boolean>> | undefined) ?? null;

/** The parameters as a patch for the domain (contract/permissions.md section 5.1). */
export function toPatch(params: ChangeSettingsParams): SettingsPatch {
  const { settings, expected } = givenChanges(params, groupSettings);
  const others = changeable.filter((name) => settingOf(name).kind !== 'group' && params[name] !== undefined);
  const texts = Object.fromEntries(
    TEXT_NAMES.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name] as string]])),
  );
  const plain = Object.fromEntries(others.map((name) => [name, params[name]]));
  return { settings: { ...plain, ...settings }, texts, expected };
}

function paramOf(setting: Setting): PropertyDecorator {
  switch (setting.kind) {
    case 'flag':
      return BooleanParam({ optional: true });
    case 'whole':
      return IntegerParam({ optional: true, min: setting.min, max: setting.max });
    case 'one of':
      return JsonParam(t.Union(setting.numbers.map((number) => t.Literal(number))), { optional: true });
    case 'word':
      return WordParam(setting.words, { optional: true, quoted: true });
    case 'time limit':
      return CustomParam(nullable(t.Integer({ minimum: 1 })), 'json', parseTimeLimit, { optional: true });
    case 'retention':
      return CustomParam(t.Integer(), 'json', parseRetention, { optional: true, about: 'Only `unlimited`, or -1.' });
    case 'code language':
      return TextParam({ optional: true, quoted: true, trim: true, max: MAX_CODE_LANGUAGE, is: isCodeLanguage });
    case 'address':
      return CustomParam(nullable(t.String({ maxLength: MAX_ADDRESS })), 'json', parseAddress, {
        optional: true,
        about: '`default` for the address that the server offers.',
      });
    case 'channel':
      return CustomParam(nullable(t.Integer()), 'json', parseChannel, { optional: true });
    case 'group':
      return GroupSettingChangeParam();
  }
}

/** The characters of a language behind a fence. */
function isCodeLanguage(text: string): boolean {
  return /^[\w+,\-./#]*$/.test(text);
}

/** Clients store seconds in 32 bits. */
const MAX_SECONDS = 0x7fff_ffff;

/** Only demonstration organizations of a hosting service change their subdomain themselves. */
function refuseAddressChange(): never {
  throw reject.noDemoOrganization();
}

/** Positive seconds, or the word `unlimited`, which is null in the domain. */
function parseTimeLimit(text: string, name: string): number | null {
  if (unquoted(text) === 'unlimited') return null;
  const seconds = parseInteger(text, name);
  if (seconds < 1 || seconds > MAX_SECONDS) throw new Rejected('BAD_REQUEST', `Bad value for '${name}': ${seconds}`);
  return seconds;
}

/** The word `unlimited`, which is -1 in the domain. */
function parseRetention(text: string, name: string): number {
  if (unquoted(text) === 'unlimited' || parseInteger(text, name) === -1) return -1;
  throw reject.retentionNotSupported();
}

/** An address with TLS or without, or the word `default`, which is null in the domain. */
function parseAddress(text: string, name: string): string | null {
  const address = unquoted(text).trim();
  if (address === 'default') return null;
  if (address.length > MAX_ADDRESS || !isURL(address, ADDRESS_RULES)) {
    throw new Rejected('BAD_REQUEST', `${name} is not an allowed_type`);
  }
  return address;
}

const ADDRESS_RULES = { protocols: ['http', 'https'], require_protocol: true, require_tld: false };

/** A channel's id. -1 is none, which is null in the domain. */
function parseChannel(text: string, name: string): ChannelId | null {
  const id = parseInteger(text, name);
  return id === -1 ? null : (id as ChannelId);
}

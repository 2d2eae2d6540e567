import type { ChannelId, Static } from '@annals/kernel/domain';
import { channelId, t } from '@annals/kernel/domain';
import { JsonParam, PathId, TextParam, unquoted } from '@annals/web';
import type { PersonalChange } from '../application/subscription/change-personal-settings';
import type { PersonalProperty, Switch } from '../domain/subscription/personal-properties';
import { SWITCHES } from '../domain/subscription/personal-properties';
import { reject } from '../domain/rejections';
import { colorOf } from './subscribe.params';

const changes = t.Array(
  t.Object(
    {
      stream_id: channelId,
      property: t.String(),
      value: t.Union([t.Boolean(), t.String()]),
    },
    { additionalProperties: false },
  ),
  { maxItems: 1_000 },
);

/** INTERFACE.md 4.2 */
export class ChangePersonalSettingsParams {
  @JsonParam(changes) subscription_data: Static<typeof changes>;
}

/** INTERFACE.md 4.3 */
export class ChangePersonalSettingParams {
  @PathId() stream_id: ChannelId;
  @TextParam({ quoted: true }) property: string;
  @TextParam({ about: '`true` or `false`; a colour for `color`.' }) value: string;
}

/** @throws Rejected BAD_REQUEST for the first property that does not exist, or value that it does not allow */
export const toChanges = (p: ChangePersonalSettingsParams): PersonalChange[] =>
  p.subscription_data.map(({ stream_id, property, value }) => ({
    channelId: stream_id,
    ...toProperty(property, value),
  }));

/** @throws Rejected BAD_REQUEST for a property that does not exist, or a value that it does not allow */
export const toChange = ({ stream_id, property, value }: ChangePersonalSettingParams): PersonalChange => ({
  channelId: stream_id,
  ...toProperty(property, value === 'true' ? true : value === 'false' ? false : unquoted(value)),
});

/** The older name of `is_muted`, its opposite, is not used beyond this file. */
function toProperty(property: string, value: boolean | string): PersonalProperty {
  if (property === 'color') {
    if (typeof value !== 'string') throw reject.badColor();
    return { property, value: colorOf(value) };
  }
  if (property !== 'in_home_view' && !isSwitch(property)) throw reject.unknownProperty({ property });
  if (typeof value !== 'boolean') throw reject.propertyNotBoolean({ property });
  return property === 'in_home_view' ? { property: 'is_muted', value: !value } : { property, value };
}

const isSwitch = (property: string): property is Switch => (SWITCHES as readonly string[]).includes(property);

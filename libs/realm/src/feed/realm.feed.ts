import { defineFeed, translate } from '@annals/kernel';
import { RealmSettingsChanged } from '../domain/events';

/** Everybody hears of changed settings (contract/permissions.md section 5.1). */
export const realmFeed = defineFeed({
  name: 'realm',
  facts: async () => null,
  translations: [
    translate(RealmSettingsChanged, ({ data, sealed }) => [
      {
        type: 'realm',
        audience: { kind: 'everyone' },
        payload: { settings: data.settings, texts: sealed === 'erased' ? [] : Object.keys(sealed) },
      },
    ]),
  ],
});

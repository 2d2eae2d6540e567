import { defineFeed, translate } from '@annals/kernel';
import { AuthenticationMethodsChosen } from '../domain/authentication/authentication-events';
import { DomainRemoved } from '../domain/domain-events';
import { RealmSettingsChanged } from '../domain/events';
import { OrganizationDeactivated } from '../domain/organization/organization-events';
import { RealmPictureChanged } from '../domain/pictures/realm-picture-events';

/**
 * Client events of changed settings, pictures and ways to log in, and of the end, for all users (contract/permissions.md
 * section 5.1).
 */
export const realmFeed = defineFeed({
  name: 'realm',
  translations: [
    translate(RealmSettingsChanged, ({ data, sealed }, _, append) => {
      const texts = sealed === 'erased' ? [] : Object.keys(sealed);
      const settings = { settings: data.settings, texts };
      // The change that follows from the removal of the last domain is sent as one property
      // (contract/navigation-snippets-domains.md section 3).
      const single = append.some(({ type }) => type === DomainRemoved.type);
      return [{ type: 'realm', audience: { kind: 'everyone' }, payload: single ? { ...settings, single } : settings }];
    }),
    translate(RealmPictureChanged, ({ data: { picture, file } }) => [
      { type: 'realm', audience: { kind: 'everyone' }, payload: { picture, file } },
    ]),
    translate(AuthenticationMethodsChosen, ({ data: { offered } }) => [
      { type: 'realm', audience: { kind: 'everyone' }, payload: { methods: offered } },
    ]),
    translate(OrganizationDeactivated, () => [
      { type: 'realm', audience: { kind: 'everyone' }, payload: { isDeactivated: true } },
    ]),
  ],
});

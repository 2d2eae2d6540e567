import { defineContext } from '@annals/kernel';
import { authenticationDescriptions } from './audit/authentication.audit';
import { domainDescriptions } from './audit/domain.audit';
import { emojiDescriptions } from './audit/emoji.audit';
import { linkifierDescriptions } from './audit/linkifier.audit';
import { organizationDescriptions } from './audit/organization.audit';
import { playgroundDescriptions } from './audit/playground.audit';
import { pictureDescriptions } from './audit/picture.audit';
import { realmDescriptions } from './audit/realm.audit';
import { emojiNameFree } from './application/guards';
import { hostFree, subdomainFree } from './application/organization/guards';
import { REALM_PICTURES } from './application/picture-store';
import { EMOJI_PICTURES } from './application/emoji-store';
import { AuthenticationMethodsChosen } from './domain/authentication/authentication-events';
import { DOMAIN_EVENTS } from './domain/domain-events';
import { EmojiAdded, EmojiDeactivated } from './domain/emoji-events';
import { RealmCreated, RealmSettingsChanged } from './domain/events';
import { LINKIFIER_EVENTS } from './domain/linkifiers/linkifier-events';
import { ORGANIZATION_EVENTS } from './domain/organization/organization-events';
import { PLAYGROUND_EVENTS } from './domain/playgrounds/playground-events';
import { RealmPictureChanged } from './domain/pictures/realm-picture-events';
import { domainsFeed, domainsPresenter } from './feed/domains.feed';
import { emojiFeed, emojiPresenter } from './feed/emoji.feed';
import { linkifiersFeed, linkifiersPresenter } from './feed/linkifiers.feed';
import { playgroundsFeed, playgroundsPresenter } from './feed/playgrounds.feed';
import { realmFeed } from './feed/realm.feed';
import { authenticationView } from './read/authentication/authentication.view';
import { domainsRegisterBlock } from './read/domains';
import { domainsView } from './read/domains.view';
import { emojiRegisterBlock } from './read/emoji-register';
import { emojiView } from './read/emoji.view';
import { linkifiersRegisterBlock } from './read/linkifiers/linkifiers';
import { linkifiersView } from './read/linkifiers/linkifiers.view';
import { playgroundsRegisterBlock } from './read/playgrounds/playgrounds';
import { playgroundsView } from './read/playgrounds/playgrounds.view';
import { organizationsView } from './read/organization/organizations.view';
import { picturesView } from './read/pictures/pictures.view';
import { realmView } from './read/realm.view';

/**
 * The register block and presenter of its settings need deactivated users, so the context of accounts provides them.
 */
export const realmContext = defineContext({
  name: 'realm',
  events: [
    RealmCreated,
    RealmSettingsChanged,
    AuthenticationMethodsChosen,
    EmojiAdded,
    EmojiDeactivated,
    RealmPictureChanged,
    ...DOMAIN_EVENTS,
    ...LINKIFIER_EVENTS,
    ...PLAYGROUND_EVENTS,
    ...ORGANIZATION_EVENTS,
  ],
  guards: [emojiNameFree, subdomainFree, hostFree],
  bytes: [EMOJI_PICTURES, REALM_PICTURES],
  descriptions: [
    ...authenticationDescriptions,
    ...domainDescriptions,
    ...emojiDescriptions,
    ...linkifierDescriptions,
    ...playgroundDescriptions,
    ...pictureDescriptions,
    ...realmDescriptions,
    ...organizationDescriptions,
  ],
  projections: [
    realmView,
    emojiView,
    domainsView,
    linkifiersView,
    playgroundsView,
    picturesView,
    authenticationView,
    organizationsView,
  ],
  feeds: [realmFeed, emojiFeed, domainsFeed, linkifiersFeed, playgroundsFeed],
  presenters: [emojiPresenter, domainsPresenter, linkifiersPresenter, playgroundsPresenter],
  registerBlocks: [emojiRegisterBlock, domainsRegisterBlock, linkifiersRegisterBlock, playgroundsRegisterBlock],
});

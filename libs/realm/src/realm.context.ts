import { defineContext } from '@annals/kernel';
import { domainDescriptions } from './audit/domain.audit';
import { emojiDescriptions } from './audit/emoji.audit';
import { realmDescriptions } from './audit/realm.audit';
import { emojiNameFree } from './application/guards';
import { EMOJI_PICTURES } from './application/emoji-store';
import { DOMAIN_EVENTS } from './domain/domain-events';
import { EmojiAdded, EmojiDeactivated } from './domain/emoji-events';
import { RealmCreated, RealmSettingsChanged } from './domain/events';
import { domainsFeed, domainsPresenter } from './feed/domains.feed';
import { emojiFeed, emojiPresenter } from './feed/emoji.feed';
import { realmFeed } from './feed/realm.feed';
import { domainsRegisterBlock } from './read/domains';
import { domainsView } from './read/domains.view';
import { emojiRegisterBlock } from './read/emoji-register';
import { emojiView } from './read/emoji.view';
import { realmView } from './read/realm.view';

/**
 * The register block and presenter of its settings need deactivated users, so the context of accounts provides them.
 */
export const realmContext = defineContext({
  name: 'realm',
  events: [RealmCreated, RealmSettingsChanged, EmojiAdded, EmojiDeactivated, ...DOMAIN_EVENTS],
  guards: [emojiNameFree],
  bytes: [EMOJI_PICTURES],
  descriptions: [...domainDescriptions, ...emojiDescriptions, ...realmDescriptions],
  projections: [realmView, emojiView, domainsView],
  feeds: [realmFeed, emojiFeed, domainsFeed],
  presenters: [emojiPresenter, domainsPresenter],
  registerBlocks: [emojiRegisterBlock, domainsRegisterBlock],
});

import { defineContext } from '@annals/kernel';
import { emojiNameFree } from './application/guards';
import { EMOJI_PICTURES } from './application/kept-emoji';
import { EmojiAdded, EmojiDeactivated } from './domain/emoji-events';
import { RealmCreated, RealmSettingsChanged } from './domain/events';
import { emojiFeed, emojiPresenter } from './feed/emoji.feed';
import { realmFeed } from './feed/realm.feed';
import { emojiRegisterBlock } from './read/emoji-register';
import { emojiView } from './read/emoji.view';
import { realmView } from './read/realm.view';

/** The register block and presenter of its settings need to know who left, so the context of accounts brings them. */
export const realmContext = defineContext({
  name: 'realm',
  events: [RealmCreated, RealmSettingsChanged, EmojiAdded, EmojiDeactivated],
  guards: [emojiNameFree],
  bytes: [EMOJI_PICTURES],
  projections: [realmView, emojiView],
  feeds: [realmFeed, emojiFeed],
  presenters: [emojiPresenter],
  registerBlocks: [emojiRegisterBlock],
});

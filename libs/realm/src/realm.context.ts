import { defineContext } from '@annals/kernel';
import { RealmCreated, RealmSettingsChanged } from './domain/events';
import { realmFeed } from './feed/realm.feed';
import { realmView } from './read/realm.view';

/** Its register block and presenter need to know who left, so the context of accounts brings them. */
export const realmContext = defineContext({
  name: 'realm',
  events: [RealmCreated, RealmSettingsChanged],
  projections: [realmView],
  feeds: [realmFeed],
});

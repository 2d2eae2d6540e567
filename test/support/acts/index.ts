import fc from 'fast-check';
import type { Wish } from './act';
import { channelActs } from './channels';
import { domainActs } from './domains';
import { emojiActs } from './emoji';
import { groupActs } from './groups';
import { messageActs } from './messages';
import { peopleActs } from './people';
import { personalActs } from './personal';
import { phoneActs } from './phones';
import { profileActs } from './profiles';
import { realmActs } from './realm';
import { schedulingActs } from './scheduling';
import { subscriptionActs } from './subscriptions';
import { topicActs } from './topics';

/** Anything that may happen in an organization. */
export const wish: fc.Arbitrary<Wish> = fc.oneof(
  ...realmActs,
  ...peopleActs,
  ...profileActs,
  ...groupActs,
  ...channelActs,
  ...subscriptionActs,
  ...messageActs,
  ...topicActs,
  ...emojiActs,
  ...domainActs,
  ...personalActs,
  ...phoneActs,
  ...schedulingActs,
);

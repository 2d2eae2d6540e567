import fc from 'fast-check';
import type { RandomAct } from './act';
import { channelActs } from './channels';
import { domainActs } from './domains';
import { emojiActs } from './emoji';
import { flagActs } from './flags';
import { groupActs } from './groups';
import { linkifierActs } from './linkifiers';
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
export const randomAct: fc.Arbitrary<RandomAct> = fc.oneof(
  ...realmActs,
  ...peopleActs,
  ...profileActs,
  ...groupActs,
  ...channelActs,
  ...subscriptionActs,
  ...messageActs,
  ...flagActs,
  ...topicActs,
  ...emojiActs,
  ...domainActs,
  ...linkifierActs,
  ...personalActs,
  ...phoneActs,
  ...schedulingActs,
);

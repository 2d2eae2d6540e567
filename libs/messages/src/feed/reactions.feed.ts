import { ReactionAdded, ReactionRemoved } from '../domain/reaction/reaction-events';
import { activityFeed } from './activities';

/** Reactions that are added or removed (contract/messages.md section 7). */
export const reactionsFeed = activityFeed('reactions', 'reaction', [ReactionAdded, ReactionRemoved]);

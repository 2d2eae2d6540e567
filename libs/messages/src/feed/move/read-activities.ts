import type { FeedReader } from '@annals/kernel';
import type { ActivityFacts, MessageActivity } from './message-activity';
import { readActivityFacts } from './message-activity';
import { readProtectedHistory } from './read-protected-history';

/** Reads the facts about messages that are only added to: those of reactions and changes of widgets. */
export async function readActivities(
  reader: FeedReader,
  activities: readonly MessageActivity[],
): Promise<ActivityFacts> {
  const facts = await readActivityFacts(reader, activities);
  return { ...facts, kept: await readProtectedHistory(reader, activities, [], new Map(), facts.places) };
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contexts } from '../../apps/shared/src/contexts';
import { CLIENT_EVENTS } from '../../libs/feed/src/translation/client-events-reader';

type Way = 'direct' | 'stored' | 'partly stored';

/** How client events are made of each event type that a feed handles, and the name of the follower that stores some of them. */
interface Ways {
  readonly follower: string;
  readonly types: ReadonlyMap<string, Way>;
}

const FILE = 'test/laws/stored-events.txt';

function held(): Ways {
  const [first = '', ...lines] = readFileSync(join(process.cwd(), FILE), 'utf8').trim().split('\n');
  return { follower: first.replace(/^follower: /, ''), types: new Map(lines.map(wayOf)) };
}

function wayOf(line: string): [type: string, way: Way] {
  const [type = '', ...way] = line.split(' ');
  return [type, way.join(' ') as Way];
}

function declared(): Ways {
  const feeds = contexts.flatMap((context) => context.feeds);
  const way = (type: string): Way => {
    const storing = feeds.filter(({ facts, translations }) => facts !== null && translations.has(type));
    if (storing.length === 0) return 'direct';
    return storing.every(({ concerns }) => concerns.has(type)) ? 'partly stored' : 'stored';
  };
  const types = feeds.flatMap(({ translations }) => [...translations.keys()]);
  return { follower: CLIENT_EVENTS, types: new Map(types.map((type) => [type, way(type)])) };
}

/** The tasks of a release that changes these ways. */
function toBeDone(before: Ways, now: Ways): string[] {
  if (before.follower !== now.follower) return [`${FILE}: write it anew for the follower ${now.follower}`];
  const rename =
    `lost or doubled while processes of two releases run: rename the follower ${now.follower} in a migration ` +
    '(FeedOnlyStored is one), in which queues that are behind end (client_event_horizons) if the type becomes stored';
  return [...new Set([...before.types.keys(), ...now.types.keys()])].sort().flatMap((type) => {
    const [was, is] = [before.types.get(type), now.types.get(type)];
    if (was === is) return [];
    if (was === undefined) return [`${type} is ${is}: add it to ${FILE}; if a release before knew it, it is ${rename}`];
    if (is === undefined && was === 'direct') return [`${type} has no feed: take it out of ${FILE}`];
    return [`${type} was ${was} and is ${is ?? 'heard by no feed'}: it would be ${rename}`];
  });
}

describe('which events are stored and which are translated at delivery', () => {
  it('is unchanged under the name of the follower that stores them', () => {
    expect(toBeDone(held(), declared())).toEqual([]);
  });

  it('changes only with another name of the follower', () => {
    const now = declared();
    const changed = (type: string, way: Way | null) => {
      const types = new Map(now.types);
      if (way === null) types.delete(type);
      else types.set(type, way);
      return toBeDone(now, { ...now, types });
    };
    const rename = expect.stringContaining('rename the follower stored_client_events in a migration') as string;
    expect(changed('scheduling.ReminderSet', 'stored')).toEqual([rename]);
    expect(changed('messages.MessageSent', 'direct')).toEqual([rename]);
    expect(changed('messages.MessageSent', 'stored')).toEqual([rename]);
    expect(changed('messages.MessagesMoved', null)).toEqual([rename]);
    expect(changed('messages.MessageForwarded', 'stored')).toEqual([rename]);
    expect(changed('scheduling.ReminderSet', null)).toEqual([expect.stringContaining('take it out')]);
    expect(toBeDone(now, { ...now, follower: 'another' })).toEqual([expect.stringContaining('write it anew')]);
  });
});

import { fetchedKeys, wantsType } from './fetch-keys';

const KEYS = ['message', 'update_message_flags', 'unread_msgs', 'stream', 'user_topic', 'muted_topics', 'device'];
const fetched = (eventTypes: string[] | null, fetchEventTypes: string[] | null = null) =>
  KEYS.filter(fetchedKeys({ eventTypes, fetchEventTypes }));

describe('what a client fetches', () => {
  it('is everything without filters', () => {
    expect(fetched(null)).toEqual(KEYS);
  });

  it('is what fetch_event_types lists, else what event_types lists, and unknown names are ignored', () => {
    expect(fetched(['message', 'nonsense'])).toEqual(['message']);
    expect(fetched(['message'], ['stream'])).toEqual(['stream']);
    expect(fetched(null, ['stream'])).toEqual(['stream']);
    expect(fetched(['message'], [])).toEqual([]);
  });

  it('includes unread messages only with both of their parts', () => {
    expect(fetched(['message', 'update_message_flags'])).toEqual(['message', 'update_message_flags', 'unread_msgs']);
    expect(fetched(['unread_msgs'])).toEqual([]);
  });

  it('leaves the legacy muted topics out if their successor is listed', () => {
    expect(fetched(['muted_topics'])).toEqual(['muted_topics']);
    expect(fetched(['muted_topics', 'user_topic'])).toEqual(['user_topic']);
  });

  it('includes devices under both names', () => {
    expect(fetched(['device'])).toEqual(['device']);
    expect(fetched(['devices'])).toEqual(['device']);
  });
});

describe('the event types of a queue', () => {
  it('are all without a filter', () => {
    expect(wantsType(null, 'muted_topics')).toBe(true);
  });

  it('are those that are listed, and the legacy muted topics only without their successor', () => {
    expect(wantsType(new Set(['message']), 'message')).toBe(true);
    expect(wantsType(new Set(['message']), 'stream')).toBe(false);
    expect(wantsType(new Set(['muted_topics']), 'muted_topics')).toBe(true);
    expect(wantsType(new Set(['muted_topics', 'user_topic']), 'muted_topics')).toBe(false);
  });
});

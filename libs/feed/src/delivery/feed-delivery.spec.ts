import type { RealmId } from '@annals/kernel/domain';
import { Role } from '@annals/kernel/domain';
import type { ToyFeed, ToyProcess } from '../spec-support/toy-feed';
import { lastLoggedId, eventId } from '../domain/event-id';
import { arrived, joined, left, opened, posted, renamed, roleChanged } from '../spec-support/toy-events';
import { as, user } from '../spec-support/toy-feed';
import {
  ada,
  after,
  bob,
  contents,
  general,
  guest,
  messages,
  openToyScenario,
  secret,
  types,
} from '../spec-support/toy-scenario';

describe('delivery of client events', () => {
  let toy: ToyFeed;
  let here: ToyProcess;
  beforeEach(async () => {
    toy = await openToyScenario();
    here = toy.first;
  });
  afterEach(() => toy.close());

  it('begins right after the snapshot, whatever id the client sends', async () => {
    const queue = await here.register(as(ada));
    expect(queue.last_event_id).toBe(lastLoggedId(7));
    const position = await here.happens(posted(general, 'hello'));
    for (const lastEventId of [-1, 0, eventId(3, 1), lastLoggedId(7)]) {
      const events = await here.take(as(ada), { ...queue, last_event_id: lastEventId });
      expect(events.map(({ id }) => id)).toEqual([eventId(position, 0)]);
    }
  });

  it('answers a waiting poll with what has happened, if it is in the audience', async () => {
    const [mine, theirs] = [await here.register(as(ada)), await here.register(as(bob))];
    const polls = [here.poll(as(ada), mine.queue_id, -1), here.poll(as(bob), theirs.queue_id, -1)] as const;
    await here.hanging(2);
    const position = await here.happens(posted(secret, 'psst'));
    await here.translation.catchUp();
    expect(await polls[0]).toMatchObject([{ type: 'message', id: eventId(position, 0), message: { content: 'psst' } }]);
    await here.hanging(1);
    await here.happens(posted(general, 'hello'));
    await here.translation.catchUp();
    expect(contents(await polls[1])).toEqual(['hello']);
  });

  it('answers the same to the same cursor, and only the rest to one inside a position', async () => {
    const queue = await here.register(as(bob), messages);
    const first = await here.happens(posted(general, 'a'), posted(general, 'b'));
    const both = await here.take(as(bob), queue);
    expect(contents(both)).toEqual(['a', 'b']);
    expect(await here.take(as(bob), queue)).toEqual(both);
    expect(contents(await here.take(as(bob), { ...queue, last_event_id: eventId(first - 1, 0) }))).toEqual(['b']);
    expect(await here.take(as(bob), after(queue, both))).toEqual([]);
  });

  it('numbers several objects of one event, and the objects of the next event follow them', async () => {
    const queue = await here.register(as(bob), {
      ...messages,
      capabilities: { bulk_message_deletion: false } as never,
    });
    const position = await here.happens(posted(general, 'twice'));
    const ids = [eventId(position, 0), eventId(position, 1)];
    const events = await here.take(as(bob), queue);
    expect(events.map(({ id }) => id)).toEqual(ids);
    const rest = await here.take(as(bob), { ...queue, last_event_id: eventId(position, 0) });
    expect(rest.map(({ id }) => id)).toEqual([ids[1]]);
  });

  it('judges an audience by the facts at the position of the event', async () => {
    const queue = await here.register(as(bob), messages);
    await here.happens(posted(secret, 'before'), joined(secret, bob), posted(secret, 'while'), left(secret, bob));
    await here.happens(posted(secret, 'after'));
    expect(contents(await here.take(as(bob), queue))).toEqual(['while']);
  });

  it('delivers to new and former subscribers of a channel what they may see of it', async () => {
    const queue = await here.register(as(guest, Role.guest), { eventTypes: ['stream', 'subscription'] });
    await here.happens(renamed(general, 'unknown'), joined(general, guest));
    await here.happens(renamed(general, 'known'), left(general, guest), renamed(general, 'unknown again'));
    const events = await here.take(as(guest, Role.guest), queue);
    expect(events.map(({ type, op }) => [type, op])).toEqual([
      ['stream', 'create'],
      ['subscription', 'add'],
      ['stream', 'update'],
      ['subscription', 'remove'],
      ['stream', 'delete'],
    ]);
  });

  it('filters by type, and messages by the narrow', async () => {
    const queue = await here.register(as(ada), {
      eventTypes: ['message', 'stream'],
      narrow: [{ operator: 'channel', operand: 'channel 2' }],
    });
    await here.happens(posted(general, 'no'), posted(secret, 'yes'), arrived(user(9)), renamed(general, 'x'));
    expect(types(await here.take(as(ada), queue))).toEqual(['message', 'stream']);
  });

  it('writes the same event for each queue in its own form', async () => {
    const html = await here.register(as(ada), { ...messages, applyMarkdown: true });
    const source = await here.register(as(bob), messages);
    await here.happens(posted(general, 'text'));
    expect(contents(await here.take(as(ada), html))).toEqual(['<p>text</p>']);
    expect(contents(await here.take(as(bob), source))).toEqual(['text']);
  });

  it('delivers the messages of public channels to queues that ask for all of them, but not to those of guests', async () => {
    const carol = user(4);
    await here.happens(arrived(carol));
    const all = await here.register(as(carol), { ...messages, allPublicStreams: true });
    const some = await here.register(as(carol), messages);
    await here.happens(posted(general, 'public'), posted(secret, 'private'));
    expect(contents(await here.take(as(carol), all))).toEqual(['public']);
    expect(await here.take(as(carol), some)).toEqual([]);
    await expect(here.register(as(guest, Role.guest), { allPublicStreams: true })).rejects.toThrow('not authorized');
  });

  it('answers at most 1,000 events, and the rest with the next poll', async () => {
    const queue = await here.register(as(bob), messages);
    await here.happens(...Array.from({ length: 1_500 }, (_, n) => posted(general, `${n}`)));
    const first = await here.take(as(bob), queue);
    const second = await here.take(as(bob), after(queue, first));
    expect([first.length, second.length]).toEqual([1_000, 500]);
    expect(contents([...first, ...second])).toEqual(Array.from({ length: 1_500 }, (_, n) => `${n}`));
    expect(await here.take(as(bob), after(queue, second))).toEqual([]);
  });

  it('answers some megabytes, and the rest with the next poll', async () => {
    const queue = await here.register(as(bob), messages);
    const texts = Array.from({ length: 20 }, (_, n) => String.fromCharCode(97 + n).repeat(900_000));
    for (const text of texts) await here.happens(posted(general, text));
    const first = await here.take(as(bob), queue);
    const second = await here.take(as(bob), after(queue, first));
    const third = await here.take(as(bob), after(queue, second));
    expect([first.length, second.length, third.length]).toEqual([8, 8, 4]);
    expect(contents([...first, ...second, ...third])).toEqual(texts);
  });

  it('keeps realms apart', async () => {
    const other = 2 as RealmId;
    await here.happensIn(other, arrived(ada), opened(general), joined(general, ada));
    const [mine, theirs] = [await here.register(as(ada)), await here.register(as(ada, Role.member, other))];
    await here.happens(posted(general, 'one'));
    expect(contents(await here.take(as(ada), mine))).toEqual(['one']);
    expect(await here.take(as(ada, Role.member, other), theirs)).toEqual([]);
    const crossed = here.poll(as(ada, Role.member, other), mine.queue_id, -1, { dontBlock: true });
    await expect(crossed).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  });

  describe('a change of role', () => {
    it('decides what waiting polls receive from then on', async () => {
      const queue = await here.register(as(guest, Role.guest), { eventTypes: ['stream'] });
      const poll = here.poll(as(guest, Role.guest), queue.queue_id, -1);
      await here.hanging(1);
      await here.happens(renamed(general, 'unheard'));
      await here.happens(roleChanged(guest, Role.member), renamed(general, 'heard'));
      await here.translation.catchUp();
      expect((await poll).map(({ op }) => op)).toEqual(['create', 'update']);
    });
  });
});

import type { EventDefinition } from '../../domain/index';
import { defineEvent, nullable, t, userId } from '../../domain/index';
import { EventRegistry } from './registry';
import { subjectFieldsOf } from './subject-kinds';

const kindsOf = (event: EventDefinition) => new EventRegistry([event]).kindsOf(event.type);

describe('the kinds of subjects of an event type', () => {
  it('are those of every alternative and of every optional field', () => {
    const event = defineEvent('some.Event', {
      data: t.Object({
        place: t.Union([t.Object({ channel: t.Integer() }), t.Object({ people: t.Array(userId) })]),
        owner: nullable(userId),
        zone: t.Optional(t.Boolean()),
        from: t.Integer(),
        to: t.Integer(),
      }),
      subjects: ({ place, owner, zone, from, to }, position) => [
        'channel' in place ? ['channel', place.channel] : ['people', place.people[0] ?? 0],
        ...(owner === null ? ([['nobody', 1]] as const) : [['owner', owner] as const]),
        ...(zone === true ? [['zone', 1] as const] : []),
        ...(from === to ? [] : [['moved', position] as const]),
      ],
    });
    expect([...kindsOf(event)].sort()).toEqual(['channel', 'moved', 'nobody', 'owner', 'people', 'zone']);
  });

  it('come with the properties that have their ids', () => {
    const event = defineEvent('some.Move', {
      data: t.Object({ from: t.Object({ place: t.Integer() }), ids: t.Array(t.Integer()) }),
      subjects: ({ from, ids }, position) => [
        ['place', from.place],
        ...ids.map((id) => ['thing', id] as const),
        ['move', position],
      ],
    });
    expect(subjectFieldsOf(event)).toEqual([
      { kind: 'place', property: 'place', isList: false },
      { kind: 'thing', property: 'ids', isList: true },
      { kind: 'move', property: null, isList: false },
    ]);
  });

  it('are none without a declaration', () => {
    expect(kindsOf(defineEvent('some.Other', { data: t.Object({}) }))).toEqual([]);
  });
});

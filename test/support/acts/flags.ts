import fc from 'fast-check';
import { act } from './act';
import { viewer } from './world';

const which = fc.nat(9);
const flag = fc.constantFrom('starred', 'collapsed');
const op = fc.constantFrom('add', 'remove');

/** Acts that change flags of messages of people, and who gets the flags of a mention. */
export const flagActs = [
  act(
    'flag',
    5,
    fc.record({ viewer, which: fc.array(which, { minLength: 1, maxLength: 3 }), flag, op }),
    (world, { viewer, which, ...change }) =>
      world.viewer(viewer).post('/messages/flags', { messages: which.map((each) => world.message(each)), ...change }),
  ),
  act('mention by edit', 4, fc.record({ viewer, which, silently: fc.boolean() }), (world, request) => {
    const { id } = world.viewer(request.viewer);
    const content = request.silently ? `@_**|${id}** and so on` : `@**|${id}** and so on`;
    return world.owner.patch(`/messages/${world.message(request.which)}`, { content });
  }),
];

/** Acts that end accounts of viewers, and restore them. */
export const absenceActs = [
  act('deactivate viewer', 1, viewer, (world, index) => world.deactivate(index)),
  act('reactivate viewer', 2, fc.nat(9), (world, which) => world.reactivate(which)),
];

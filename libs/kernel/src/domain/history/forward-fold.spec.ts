import fc from 'fast-check';
import { defineAggregate, fold } from '../aggregate';
import type { Fact, Recorded } from '../event';
import { ForwardFold } from './forward-fold';

const positions = defineAggregate<readonly number[], Fact>('positions', [], (state, { position }) => [
  ...state,
  position,
]);
const at = (position: number) => ({ position }) as Recorded;
const ascending = fc.array(fc.integer({ min: 1, max: 30 })).map((list) => list.sort((a, b) => a - b));

describe('a forward fold', () => {
  it('has the states that folding anew has', () => {
    fc.assert(
      fc.property(ascending, ascending, (events, asked) => {
        const history = [...new Set(events)].map(at);
        const states = new ForwardFold(positions, history);
        for (const position of asked) {
          const earlier = history.filter((event) => event.position < position);
          expect(states.before(position)).toEqual(fold(positions, earlier));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('does not go back', () => {
    const states = new ForwardFold(positions, [at(3)]);
    expect([states.before(4), states.before(4)]).toEqual([[3], [3]]);
    expect(() => states.before(3)).toThrow('4 was reached');
  });
});

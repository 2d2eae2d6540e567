import type { Moment, UserId } from '@annals/kernel/domain';
import { IntegerParam, MomentParam } from '@annals/web';
import type { WireNarrow } from '../read/narrow/narrow-terms';

export const AsOfParam = () =>
  MomentParam({ optional: true, about: 'A moment: the answer is the one that was given then.' });

export const ViewerParam = () =>
  IntegerParam({
    optional: true,
    min: 0,
    about:
      'With `as_of`: the account whose view of then is asked for, instead of the own one. For auditors of contents.',
  });

/** Parameters of a request that may be about the past (docs/api/past.md). */
export class PastParams {
  @AsOfParam() as_of?: Moment;
  @ViewerParam() viewer_id?: UserId;
}

/** The operators of a narrow, with operands that are ids. Names and words stay out of the log's open part. */
export const recordedNarrow = (narrow: WireNarrow): string[] =>
  narrow.map((term) => {
    const [operator, operand] = Array.isArray(term) ? term : [term.operator, term.operand];
    const name = operator.slice(0, MAX_OPERATOR);
    const ids = [operand].flat().filter((one) => Number.isSafeInteger(one));
    return ids.length === 0 ? name : `${name}:${ids.join(',')}`;
  });

/** Longer texts are no operators. */
const MAX_OPERATOR = 20;

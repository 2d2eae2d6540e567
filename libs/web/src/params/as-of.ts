import type { Moment, Position, UserId } from '@annals/kernel/domain';
import { t } from '@annals/kernel/domain';
import { IntegerParam, MomentParam } from './decorators';

/** Parameters of an endpoint that also answers about the past (contract/audit.md section 4.1). Its own parameters extend them. */
export class AsOfParams {
  @MomentParam({
    optional: true,
    about: 'Answers as it would have been answered at this moment, of what the account may still see today.',
  })
  as_of?: Moment;

  @IntegerParam({
    optional: true,
    min: 0,
    about:
      'With `as_of`: the account whose view of then is asked for, instead of the own one. For auditors of contents.',
  })
  viewer_id?: UserId;
}

/** The field that an answer about the past has beside those of an answer about the present. */
export const asOfShape = {
  as_of_position: t.Optional(t.Integer({ description: 'The position that the answer is about. Only with `as_of`.' })),
};

/** The value of the field. Nothing for a request about the present. */
export const presentAsOf = (asOf: { readonly position: Position } | null) => asOf && { as_of_position: asOf.position };

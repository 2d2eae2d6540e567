import { rejection } from '@annals/kernel/domain';

export const reject = {
  noCheckpoint: rejection('NOT_FOUND', 'There is no checkpoint yet', { notFound: true }),
  nothingSigned: rejection('BAD_REQUEST', 'There is no checkpoint yet'),
  notSigned: rejection<{ size: number }>('BAD_REQUEST', ({ size }) => `No checkpoint covers a size of ${size} yet`),
  notInTree: rejection('BAD_REQUEST', "The 'position' is not in a tree of this size"),
  sizesSwapped: rejection('BAD_REQUEST', "The size 'from' is greater than the size 'to'"),
  noSuchTile: rejection('NOT_FOUND', 'The log has no such tile', { notFound: true }),
};

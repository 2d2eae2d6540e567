import { rejection } from '@annals/kernel/domain';

export const reject = {
  builtInWithName: rejection('BAD_REQUEST', 'Built-in views cannot have a custom name.'),
  viewWithoutName: rejection('BAD_REQUEST', 'Custom views must have a valid name.'),
  viewExists: rejection('BAD_REQUEST', 'Navigation view already exists.'),
  tooManyViews: rejection<{ limit: number }>(
    'BAD_REQUEST',
    ({ limit }) => `There are ${limit} navigation views already.`,
  ),
  noSuchView: rejection('NOT_FOUND', 'Navigation view does not exist.'),
  tooManySnippets: rejection<{ limit: number }>(
    'BAD_REQUEST',
    ({ limit }) => `There are ${limit} saved snippets already.`,
  ),
  noSuchSnippet: rejection('BAD_REQUEST', 'Saved snippet does not exist.', { notFound: true }),
};

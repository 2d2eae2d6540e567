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
  unknownOnboardingStep: rejection<{ step: string }>('BAD_REQUEST', ({ step }) => `Unknown onboarding_step: ${step}`),
  draftsNotSynchronized: rejection('BAD_REQUEST', 'User has disabled synchronizing drafts.'),
  tooManyDrafts: rejection<{ limit: number }>('BAD_REQUEST', ({ limit }) => `An account has ${limit} drafts at most.`),
  noSuchDraft: rejection('BAD_REQUEST', 'Draft does not exist', { notFound: true }),
  notOneChannel: rejection('BAD_REQUEST', 'Must specify exactly 1 channel ID for channel messages'),
  unknownChannel: rejection('BAD_REQUEST', 'Invalid channel ID'),
  unknownPerson: rejection<{ id: number }>('BAD_REQUEST', ({ id }) => `Invalid user ID: ${id}`),
  deactivatedPerson: rejection<{ id: number }>('BAD_REQUEST', ({ id }) => `The account of user ${id} is deactivated`),
};

import type { EventDescription } from '@annals/kernel';
import { describeEvent } from '@annals/kernel';
import { SigningKeyChanged } from '../domain/events';

export const signingKeyDescriptions: readonly EventDescription[] = [
  describeEvent(SigningKeyChanged, {
    meaning: 'The key that signs the checkpoints of the log was set or replaced.',
    commands: ['annals key-rotate'],
    sentence: ({ data }) => [
      data.endorsement === null ? 'set the signing key of the log to ' : 'replaced the signing key of the log by ',
      data.verifier,
    ],
    changes: ({ data }) => [{ property: 'verifier', after: data.verifier }],
  }),
];

import { defineContext } from '@annals/kernel';
import { signingKeyDescriptions } from './audit/signing-key.audit';
import { auditDescriptions } from './audit/viewed.audit';
import { SigningKeyChanged, Viewed } from './domain/events';
import { newestSigned } from './read/checkpoints';
import { auditMigrations, discardCheckpointsBeyond } from './schema';

export const auditContext = defineContext({
  name: 'audit',
  events: [Viewed, SigningKeyChanged],
  migrations: auditMigrations,
  known: newestSigned,
  restored: discardCheckpointsBeyond,
  descriptions: [...auditDescriptions, ...signingKeyDescriptions],
  unhandled: {
    'audit.Viewed': 'who may read the history finds it in the trail; no client shows it otherwise',
    'audit.SigningKeyChanged': 'it is read from its stream; clients have nothing to show of it',
  },
});

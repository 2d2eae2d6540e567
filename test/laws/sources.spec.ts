import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(__dirname, '..', '..');
const sources = ['apps', 'libs'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.includes('spec-support'))
    .map((file) => join(root, folder, file)),
);
const found = (pattern: RegExp) =>
  sources.filter((file) => pattern.test(readFileSync(file, 'utf8'))).map((file) => relative(root, file));

describe('in all sources', () => {
  it('only the write path, its lock and its schema write heads of logs', () => {
    // Any occurrence that is not plainly a read counts, so that a new way to write is found without a change here.
    const touching = found(
      /(?<!(FROM|JOIN|USING) )realm_heads|DELETE FROM realm_heads|realm_heads[^;`]*\bFOR (NO KEY |KEY )?(UPDATE|SHARE)/i,
    );
    expect(touching.sort()).toEqual([
      // The end of an organization.
      'libs/kernel/src/deletion/realm-deletions.ts',
      'libs/kernel/src/log/event-log.ts',
      'libs/kernel/src/log/lanes/commit-outcome.ts',
      'libs/kernel/src/log/schema.ts',
      'libs/kernel/src/log/statements/head-locks.ts',
      'libs/kernel/src/log/statements/lane-statements.ts',
      // The head of a past, in its own schema.
      'libs/kernel/src/past/whole/past-schema.ts',
    ]);
  });

  it('only the write path inserts events, and only erasure changes them', () => {
    expect(found(/(INSERT INTO|DELETE FROM|TRUNCATE)\s+events\b/)).toEqual([
      'libs/kernel/src/log/statements/lane-statements.ts',
    ]);
    expect(found(/UPDATE\s+events\b/)).toEqual(['libs/kernel/src/erasure/erasures.ts']);
  });

  it('no query uses the largest position instead of the head', () => {
    const largest =
      /max\(\s*(\w+\.)?position\s*\)[^;`]*?\sFROM\s+events\b|\sFROM\s+events\b[^;`]*ORDER BY (\w+\.)?position DESC/i;
    expect(found(largest)).toEqual([]);
  });

  it('only one function runs commands of visitors, so that a deactivated organization refuses all of them', () => {
    expect(found(/userId: null, origin\b/).sort()).toEqual([
      // A repair after a restore.
      'libs/kernel/src/restore/state-restored.ts',
      'libs/realm/src/application/organization/visitors.ts',
    ]);
  });

  it('jobs are added by readers of the log, and by one wake-up that a look at the heads can replace', () => {
    const started = found(/queues(\(\))?\)?\.(add|wake)\(|new OutboxWakeUps\(/);
    expect(started.sort()).toEqual([
      'libs/bots/src/jobs/bot-tasks.ts',
      'libs/consumers/src/jobs/push/push-wake-ups.ts',
      'libs/email-notifications/src/jobs/email-tasks.ts',
      'libs/email-notifications/src/jobs/login-mails.ts',
      'libs/feed/src/open-feed.ts',
      'libs/files/src/jobs/thumbnail-jobs.ts',
      // What the outboxes of bots, mails, previews and push notifications use.
      'libs/kernel/src/outbox/outbox-wake-ups.ts',
      'libs/mail/src/jobs/mail-outbox.ts',
      'libs/messages/src/jobs/previews/preview-outbox.ts',
      'libs/push/src/jobs/push-outbox.ts',
      'libs/scheduling/src/jobs/due-jobs.ts',
    ]);
  });
});

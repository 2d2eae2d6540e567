import type { Kernel } from '@annals/kernel';
import { crowd } from '../../../libs/users/src/spec-support/crowd';
import type { Bench, Figures, Measurement } from '../../harness';
import { closedLoop } from '../../harness';
import { startAnnals } from '../../http/annals';
import { followed, openKernel } from '../../http/beside';
import type { ApiClient } from '../../http/client';
import { sendPast } from '../../http/past';
import { createChannels } from './messages';

/** Authors of the stored messages. */
const PEOPLE = 200;

/** Pages of 100 events of a long history, by what they are about and by who did it. */
export const trail: Measurement = {
  name: 'trail',
  title: 'Pages of the audit trail of a long history',
  async run(bench) {
    const { owner, databaseUrl } = await startAnnals(bench);
    const channels = await createChannels(owner);
    const kernel = await openKernel(bench, databaseUrl);
    const senders = await crowd(kernel, PEOPLE);
    const progress = (done: number) => bench.say('storing messages', `${done} of ${bench.stored}`);
    const past = await sendPast(kernel, { channels, senders, count: bench.stored, progress });
    bench.say('waiting for the worker');
    await followed(kernel);
    await asIfSent(kernel);
    await kernel.database.pool.query('VACUUM (ANALYZE)');
    const sender = String(senders[0]);
    const last = past.deleted.messageIds.at(-1) ?? 0;
    const first = past.deleted.messageIds[0] ?? 0;
    const questions = {
      'trail.topic': { subject: `topic:${past.deleted.id}` },
      'trail.message': { subject: `message:${first}` },
      'trail.actor': { actor_id: sender, types: '["messages.MessageSent"]' },
      'trail.none': { actor_id: sender, types: '["messages.TopicMoved"]' },
      'trail.request': { request_id: await requestOf(owner, last) },
    };
    const bytes = await bytesOf(kernel);
    return {
      'trail.stored': { value: past.messages, unit: 'messages' },
      'trail.bytes': { value: bytes / past.messages, unit: 'bytes' },
      ...(await measureAll(bench, owner, questions)),
    };
  },
};

/** The past was stored without asking the senders. Now it is as if each had sent their messages, one in a request. */
async function asIfSent(kernel: Kernel): Promise<void> {
  await kernel.database.pool.query(`ALTER TABLE events DISABLE TRIGGER USER;
    UPDATE events SET actor_id = (data->>'senderId')::int8, correlation = gen_random_uuid()
      WHERE type = 'messages.MessageSent';
    ALTER TABLE events ENABLE TRIGGER USER`);
  await kernel.rebuild().run(['subjects']);
}

async function requestOf(owner: ApiClient, message: number): Promise<string> {
  const { events } = await owner.get('/audit/events', { subject: `message:${message}` });
  return (events as { request: { id: string } }[])[0]?.request.id ?? '';
}

async function measureAll(
  bench: Bench,
  owner: ApiClient,
  questions: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<Figures> {
  const figures: Figures[] = [];
  for (const [name, question] of Object.entries(questions)) {
    bench.say(name);
    const path = `/audit/events?${new URLSearchParams(question).toString()}`;
    const load = await closedLoop({ callers: 1, seconds: bench.seconds / 2 }, () => owner.receive('GET', path));
    figures.push(load.figures(name, 'requests/s'));
  }
  return Object.assign({}, ...figures) as Figures;
}

/** What the trail adds to the index of subjects: rows of actors, types and programs, and the filters of requests. */
async function bytesOf({ database }: Kernel): Promise<number> {
  const { rows } = await database.pool.query<{ bytes: number }>(
    `SELECT (max(size) FILTER (WHERE relname = 'request_blocks') + max(size) FILTER (WHERE relname = 'subject_blocks') *
        (SELECT count(*) FILTER (WHERE kind LIKE '@%') / count(*)::float8 FROM view.subject_blocks))::int8 AS bytes
      FROM (SELECT c.relname, pg_total_relation_size(c.oid) AS size FROM pg_class AS c JOIN pg_namespace AS n
        ON n.oid = c.relnamespace WHERE n.nspname LIKE 'view\\_subjects%' AND c.relkind = 'r') AS sizes`,
  );
  return Number(rows[0]?.bytes ?? 0);
}

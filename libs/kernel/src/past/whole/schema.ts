/**
 * For a migration: the pasts that are built, served, or were left by a process that was killed.
 *
 * - `installation`, `read_models`: what it was built by. A past of another release or of a log before a restore is dropped.
 * - `is_complete`: all read models are at the position, with their indexes.
 * - `has_erased_words`: since it began, the text of events up to its position was erased. It may have read them before.
 */
export const PASTS_SQL = `
CREATE TABLE pasts (
  realm_id int4,
  position int8,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  installation uuid NOT NULL,
  read_models jsonb NOT NULL,
  is_complete bool NOT NULL DEFAULT false,
  has_erased_words bool NOT NULL DEFAULT false,
  begun_at int8 NOT NULL,
  PRIMARY KEY (realm_id, position)
);
`;

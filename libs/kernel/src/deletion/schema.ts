import type { Migration } from '../database/migration';

/**
 * Organizations that were deleted. Of each only its number stays, which no other one gets: processes that knew its log must
 * not take the missing log for one that a restore took back. `emptied_at` is null until nothing else of it is left.
 *
 * Events of such an organization may be deleted, and no others.
 */
const DELETED_REALMS_SQL = `
CREATE TABLE deleted_realms (
  realm_id int4 PRIMARY KEY,
  deleted_at int8 NOT NULL,
  emptied_at int8
);

CREATE OR REPLACE FUNCTION refuse_rewriting_history() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.sealed IS NULL AND NEW.salt IS NULL AND OLD.commitment IS NOT NULL
     AND (to_jsonb(NEW) - 'sealed' - 'salt') = (to_jsonb(OLD) - 'sealed' - 'salt') THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' AND EXISTS (SELECT FROM deleted_realms AS d WHERE d.realm_id = OLD.realm_id) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the log is append-only: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END $$;
`;

export const deletionMigrations: readonly Migration[] = [
  { name: 'DeletedRealms', written: 1795707600000, sql: DELETED_REALMS_SQL },
];
